//! Every resource and body against its golden file.

use quire_domain::audit::AuditEntry;
use quire_domain::change_requests::{
    ChangeRequest, ChangeRequestCreate, ChangeRequestUpdate, MergeResult, UpdateRequest, UpdateResult,
};
use quire_domain::collections::{Collection, CollectionCreate, CollectionUpdate};
use quire_domain::comments::{Comment, CommentCreate, CommentReply, CommentReplyCreate, CommentUpdate};
use quire_domain::content::ContentChanges;
use quire_domain::custom_fields::{
    CustomField, CustomFieldCreate, CustomFieldUpdate, CustomFieldValuesUpdate, SpaceCustomField,
};
use quire_domain::error::ErrorBody;
use quire_domain::imports::{Import, ImportRequest, ImportResult};
use quire_domain::integrations::{Installation, Integration, SiteInstallation, SpaceInstallation};
use quire_domain::invites::{
    EmailInvite, EmailInvites, EmailInvitesResult, Invite, InviteAccept, InviteCreate, InviteRegister,
    OwnInvite, Registration,
};
use quire_domain::links::LinkList;
use quire_domain::list::List;
use quire_domain::members::{Member, MemberSpace, MemberTeam, PingResult};
use quire_domain::organizations::{Organization, OrganizationCreate, OrganizationUpdate, Subdomain};
use quire_domain::permissions::{PermissionGrant, TeamPermission, UserPermission};
use quire_domain::placement::{ContentMove, ContentTransfer};
use quire_domain::reviews::{Contributor, RequestedReviewer, Review, ReviewCreate, ReviewersRequest};
use quire_domain::revisions::{File, Page, PageList, ReusableContent, Revision, RevisionChanges};
use quire_domain::saml::{SamlProvider, SamlProviderCreate, SamlProviderUpdate, SsoLogins};
use quire_domain::search::SearchHit;
use quire_domain::sites::{
    AdaptiveSchema, PublishedSite, ShareLink, Site, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure,
};
use quire_domain::spaces::{Space, SpaceCreate, SpaceUpdate};
use quire_domain::teams::{Team, TeamCreate, TeamMember, TeamMembersUpdate};
use quire_domain::tokens::{ApiToken, ApiTokenCreate};
use quire_domain::translations::{TranslationSettings, TranslationSettingsInput};
use quire_domain::users::{CurrentUser, User};
use quire_domain::webhooks::{Webhook, WebhookDelivery};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::schema::Schemas;

/// What is wrong with a golden file, if anything. `Part` is a type that the schema refers to, but doesn't bring along:
/// the items of a list.
fn compare<T: Serialize + DeserializeOwned + ToSchema, Part: ToSchema>(golden: &str) -> Result<(), String> {
    let resource: T = serde_json::from_str(golden).map_err(|error| format!("can't be read: {error}"))?;
    let written = serde_json::to_string_pretty(&resource).map_err(|error| error.to_string())? + "\n";
    if written != golden {
        return Err(format!("comes out as\n{written}"));
    }
    let json = serde_json::from_str(golden).map_err(|error| error.to_string())?;
    Schemas::of::<T>().and::<Part>().check(&json)
}

macro_rules! golden_files {
    ($($test:ident: $type:ty = $($file:literal),+;)*) => {$(
        #[test]
        fn $test() {
            $(
                let golden = include_str!(concat!("../golden/", $file, ".json"));
                compare::<$type, $type>(golden).unwrap_or_else(|error| panic!("golden/{}.json {error}", $file));
            )+
        }
    )*};
}

golden_files! {
    user: User = "user", "user-minimal";
    current_user: CurrentUser = "current-user";
    api_token: ApiToken = "api-token", "api-token-minimal";
    api_token_create: ApiTokenCreate = "body-api-token-create";
    member: Member = "member", "member-guest";
    organization: Organization = "organization", "organization-minimal";
    space: Space = "space", "space-minimal";
    space_create: SpaceCreate = "body-space-create", "body-empty";
    space_update: SpaceUpdate = "body-space-update", "body-empty";
    collection: Collection = "collection", "collection-minimal";
    collection_create: CollectionCreate = "body-collection-create", "body-empty";
    collection_update: CollectionUpdate = "body-collection-update", "body-empty";
    content_move: ContentMove = "body-content-move", "body-empty";
    content_transfer: ContentTransfer = "body-content-transfer";
    change_request: ChangeRequest = "change-request", "change-request-minimal";
    change_request_create: ChangeRequestCreate = "body-change-request-create", "body-empty";
    change_request_update: ChangeRequestUpdate = "body-change-request-update", "body-empty";
    merge_result: MergeResult = "merge-result", "merge-result-conflicts";
    update_result: UpdateResult = "update-result", "update-result-conflicts";
    update_request: UpdateRequest = "body-update-request", "body-empty";
    document_page: Page = "page-document", "page-document-minimal", "page-document-as-document",
        "page-document-computed";
    group_page: Page = "page-group", "page-group-minimal";
    link_page: Page = "page-link", "page-link-minimal";
    computed_page: Page = "page-computed";
    page_list: PageList = "page-list";
    file: File = "file", "file-minimal";
    reusable_content: ReusableContent = "reusable-content", "reusable-content-minimal";
    revision: Revision = "revision", "revision-minimal";
    revision_changes: RevisionChanges = "revision-changes", "revision-changes-minimal";
    content_changes: ContentChanges = "body-content-changes";
    comment: Comment = "comment", "comment-minimal";
    comment_reply: CommentReply = "comment-reply";
    comment_create: CommentCreate = "body-comment-create";
    comment_reply_create: CommentReplyCreate = "body-comment-reply-create";
    comment_update: CommentUpdate = "body-comment-update", "body-empty";
    review: Review = "review", "review-minimal";
    requested_reviewer: RequestedReviewer = "requested-reviewer-user", "requested-reviewer-team";
    contributor: Contributor = "contributor";
    review_create: ReviewCreate = "body-review-create";
    reviewers_request: ReviewersRequest = "body-reviewers-request", "body-empty";
    link_list: LinkList = "link-list";
    search_hit: SearchHit = "search-hit";
    import: Import = "import", "import-failed", "import-minimal";
    import_request: ImportRequest = "body-import-request";
    import_result: ImportResult = "import-result";
    team: Team = "team";
    team_member: TeamMember = "team-member";
    member_space: MemberSpace = "member-space";
    member_team: MemberTeam = "member-team";
    user_permission: UserPermission = "user-permission";
    team_permission: TeamPermission = "team-permission";
    ping_result: PingResult = "ping-result";
    invite: Invite = "invite", "invite-space", "invite-collection";
    email_invites_result: EmailInvitesResult = "email-invites-result";
    email_invite: EmailInvite = "email-invite";
    own_invite: OwnInvite = "own-invite";
    registration: Registration = "registration";
    subdomain: Subdomain = "subdomain";
    organization_create: OrganizationCreate = "body-organization-create";
    organization_update: OrganizationUpdate = "body-organization-update", "body-empty";
    permission_grant: PermissionGrant = "body-permission-grant";
    invite_create: InviteCreate = "body-invite-create", "body-empty";
    email_invites: EmailInvites = "body-email-invites";
    invite_accept: InviteAccept = "body-invite-accept", "body-empty";
    invite_register: InviteRegister = "body-invite-register";
    team_create: TeamCreate = "body-team-create";
    team_members_update: TeamMembersUpdate = "body-team-members", "body-empty";
    custom_field: CustomField = "custom-field", "custom-field-minimal";
    custom_field_create: CustomFieldCreate = "body-custom-field-create";
    custom_field_update: CustomFieldUpdate = "body-custom-field-update", "body-empty";
    custom_field_values: CustomFieldValuesUpdate = "body-custom-field-values";
    space_custom_field: SpaceCustomField = "space-custom-field";
    audit_entry: AuditEntry = "audit-entry", "audit-entry-command";
    site: Site = "site", "site-minimal";
    site_space: SiteSpace = "site-space", "site-space-minimal";
    site_section: SiteSection = "site-section", "site-section-minimal";
    site_section_group: SiteSectionGroup = "site-section-group", "site-section-group-minimal";
    site_structure: SiteStructure = "site-structure", "site-structure-spaces";
    share_link: ShareLink = "share-link", "share-link-minimal";
    adaptive_schema: AdaptiveSchema = "adaptive-schema";
    published_site: PublishedSite = "published-site";
    integration: Integration = "integration", "integration-minimal";
    installation: Installation = "installation";
    space_installation: SpaceInstallation = "space-installation";
    site_installation: SiteInstallation = "site-installation";
    webhook: Webhook = "webhook", "webhook-minimal";
    webhook_delivery: WebhookDelivery = "webhook-delivery";
    saml_provider: SamlProvider = "saml-provider", "saml-provider-minimal";
    saml_provider_create: SamlProviderCreate = "body-saml-provider-create";
    saml_provider_update: SamlProviderUpdate = "body-saml-provider-update", "body-empty";
    sso_logins: SsoLogins = "sso-logins";
    translation_settings: TranslationSettings = "translation-settings";
    translation_settings_input: TranslationSettingsInput = "body-translation-settings";
    error: ErrorBody = "error", "error-minimal";
}

#[test]
fn list() {
    compare::<List<User>, User>(include_str!("../golden/list.json")).unwrap();
}
