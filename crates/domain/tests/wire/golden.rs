//! Golden files of bodies and of resources with variants: each is read, written and checked against the schema.
//!
//! The answers of the API cover the form of resources without variants (`crates/api/tests/api/answers`).

use quire_domain::audit::AuditEntry;
use quire_domain::change_requests::{
    ChangeRequestCreate, ChangeRequestUpdate, MergeResult, UpdateRequest, UpdateResult,
};
use quire_domain::collections::{CollectionCreate, CollectionUpdate};
use quire_domain::comments::{Comment, CommentCreate, CommentReplyCreate, CommentUpdate};
use quire_domain::content::ContentChanges;
use quire_domain::custom_fields::{CustomFieldCreate, CustomFieldUpdate, CustomFieldValuesUpdate};
use quire_domain::error::ErrorBody;
use quire_domain::hierarchy::{ContentMove, ContentTransfer};
use quire_domain::imports::{Import, ImportRequest};
use quire_domain::invites::{EmailInvites, Invite, InviteAccept, InviteCreate, InviteRegister};
use quire_domain::links::LinkList;
use quire_domain::list::List;
use quire_domain::members::Member;
use quire_domain::oidc::{OidcProviderCreate, OidcProviderUpdate};
use quire_domain::organizations::{OrganizationCreate, OrganizationUpdate};
use quire_domain::permissions::PermissionGrant;
use quire_domain::reviews::{RequestedReviewer, ReviewCreate, ReviewersRequest};
use quire_domain::revisions::{Page, PageList, RevisionChanges};
use quire_domain::saml::{SamlProviderCreate, SamlProviderUpdate};
use quire_domain::scim::ScimTokenCreate;
use quire_domain::sign_in::PasswordSignIn;
use quire_domain::sites::SiteStructure;
use quire_domain::spaces::{SpaceCreate, SpaceUpdate};
use quire_domain::teams::{TeamCreate, TeamMembersUpdate};
use quire_domain::tokens::ApiTokenCreate;
use quire_domain::translations::TranslationSettingsInput;
use quire_domain::users::{User, UserUpdate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::schema::Schemas;

/// Compares a golden file with its type and schema. `Part` is a type that the schema refers to without including it:
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
    api_token_create: ApiTokenCreate = "body-api-token-create";
    password_sign_in: PasswordSignIn = "body-password-sign-in";
    user_update: UserUpdate = "body-user-update";
    member: Member = "member", "member-guest";
    space_create: SpaceCreate = "body-space-create", "body-empty";
    space_update: SpaceUpdate = "body-space-update", "body-empty";
    collection_create: CollectionCreate = "body-collection-create", "body-empty";
    collection_update: CollectionUpdate = "body-collection-update", "body-empty";
    content_move: ContentMove = "body-content-move", "body-empty";
    content_transfer: ContentTransfer = "body-content-transfer";
    change_request_create: ChangeRequestCreate = "body-change-request-create", "body-empty";
    change_request_update: ChangeRequestUpdate = "body-change-request-update", "body-empty";
    merge_result: MergeResult = "merge-result", "merge-result-conflicts";
    update_result: UpdateResult = "update-result", "update-result-conflicts";
    update_request: UpdateRequest = "body-update-request", "body-empty";
    document_page: Page = "page-document", "page-document-minimal", "page-document-as-document", "page-document-computed";
    group_page: Page = "page-group", "page-group-minimal";
    link_page: Page = "page-link", "page-link-minimal";
    computed_page: Page = "page-computed";
    page_list: PageList = "page-list";
    revision_changes: RevisionChanges = "revision-changes", "revision-changes-minimal";
    content_changes: ContentChanges = "body-content-changes";
    comment: Comment = "comment", "comment-minimal";
    comment_create: CommentCreate = "body-comment-create";
    comment_reply_create: CommentReplyCreate = "body-comment-reply-create";
    comment_update: CommentUpdate = "body-comment-update", "body-empty";
    requested_reviewer: RequestedReviewer = "requested-reviewer-user", "requested-reviewer-team";
    review_create: ReviewCreate = "body-review-create";
    reviewers_request: ReviewersRequest = "body-reviewers-request", "body-empty";
    link_list: LinkList = "link-list";
    import: Import = "import", "import-failed", "import-minimal";
    import_request: ImportRequest = "body-import-request";
    invite: Invite = "invite", "invite-space", "invite-collection";
    organization_create: OrganizationCreate = "body-organization-create";
    organization_update: OrganizationUpdate = "body-organization-update", "body-empty";
    permission_grant: PermissionGrant = "body-permission-grant";
    invite_create: InviteCreate = "body-invite-create", "body-empty";
    email_invites: EmailInvites = "body-email-invites";
    invite_accept: InviteAccept = "body-invite-accept", "body-empty";
    invite_register: InviteRegister = "body-invite-register";
    team_create: TeamCreate = "body-team-create";
    team_members_update: TeamMembersUpdate = "body-team-members", "body-empty";
    custom_field_create: CustomFieldCreate = "body-custom-field-create";
    custom_field_update: CustomFieldUpdate = "body-custom-field-update", "body-empty";
    custom_field_values: CustomFieldValuesUpdate = "body-custom-field-values";
    audit_entry: AuditEntry = "audit-entry", "audit-entry-command";
    site_structure: SiteStructure = "site-structure", "site-structure-spaces";
    oidc_provider_create: OidcProviderCreate = "body-oidc-provider-create";
    oidc_provider_update: OidcProviderUpdate = "body-oidc-provider-update", "body-empty";
    scim_token_create: ScimTokenCreate = "body-scim-token-create";
    saml_provider_create: SamlProviderCreate = "body-saml-provider-create";
    saml_provider_update: SamlProviderUpdate = "body-saml-provider-update", "body-empty";
    translation_settings_input: TranslationSettingsInput = "body-translation-settings";
    error: ErrorBody = "error", "error-minimal";
}

#[test]
fn list() {
    compare::<List<User>, User>(include_str!("../golden/list.json")).unwrap();
}
