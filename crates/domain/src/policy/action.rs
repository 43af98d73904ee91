//! Actions that need permission, and the kinds of resources that they apply to.

/// Kind of resource that an action applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A space, with its content, change requests and comments.
    Space,
    /// A collection of spaces.
    Collection,
    /// An organization.
    Organization,
}

/// Something that needs permission: a role ([`Action::requirement`]) or a relation ([`Action::relation`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Read a space, its content, its change requests and its comments.
    ViewSpace,
    /// Post, reply and react.
    CommentOnSpace,
    /// Resolve or reopen a comment.
    ResolveComment,
    /// Edit the text of a comment or reply.
    EditComment,
    /// Delete a comment or reply.
    DeleteComment,
    /// Edit content, live or through change requests; import; set custom field values.
    EditContent,
    /// See imports into a space and their sources.
    ViewImports,
    /// Review change requests.
    ReviewContent,
    /// Merge change requests.
    MergeChangeRequest,
    /// Start a synchronisation with Git.
    TriggerGitSync,
    /// See what the token of a Git connection sees on its server.
    ViewGitHost,
    /// Add a space to a site.
    PublishSpace,
    /// Change a space's title, emoji and level; delete, restore, move and transfer it; grant on it.
    AdministerSpace,
    /// See the invite links of a space or collection.
    ViewInviteLinks,
    /// Read a collection.
    ViewCollection,
    /// Change a collection's title, description and level; delete, move and transfer it; grant on it.
    AdministerCollection,
    /// Create spaces, collections and sites in a collection or at an organization's root.
    CreateContent,
    /// Read an organization.
    ViewOrganization,
    /// List the members of an organization.
    ListMembers,
    /// List the teams of an organization.
    ListTeams,
    /// List the integrations of an organization.
    ListIntegrations,
    /// See an organization's sites, custom fields, specifications and translations.
    ViewOrganizationContent,
    /// Create and change sites, their structure and their settings.
    ManageSites,
    /// See what is reserved to users who manage a site: the keys of its share links, and its renderer.
    ViewShareLinks,
    /// Add OpenAPI specifications and translations.
    CreateOpenApiSpec,
    /// See the state of billing.
    ViewBilling,
    /// See data of administrators: single sign-on, webhooks, invites, the audit log.
    InspectOrganization,
    /// Change an organization's settings, members, teams, single sign-on and custom fields.
    AdministerOrganization,
    /// Change a team and its members.
    ManageTeam,
    /// See a member, with the member's teams and spaces.
    ViewMember,
    /// Remove a member.
    RemoveMember,
    /// Record a visit of an organization, and leave it.
    VisitOrganization,
}

impl Action {
    /// Every action, grouped by kind of resource.
    pub const ALL: [Self; 32] = [
        Self::ViewSpace,
        Self::CommentOnSpace,
        Self::ResolveComment,
        Self::EditComment,
        Self::DeleteComment,
        Self::EditContent,
        Self::ViewImports,
        Self::ReviewContent,
        Self::MergeChangeRequest,
        Self::TriggerGitSync,
        Self::ViewGitHost,
        Self::PublishSpace,
        Self::AdministerSpace,
        Self::ViewInviteLinks,
        Self::ViewCollection,
        Self::AdministerCollection,
        Self::CreateContent,
        Self::ViewOrganization,
        Self::ListMembers,
        Self::ListTeams,
        Self::ListIntegrations,
        Self::ViewOrganizationContent,
        Self::ManageSites,
        Self::ViewShareLinks,
        Self::CreateOpenApiSpec,
        Self::ViewBilling,
        Self::InspectOrganization,
        Self::AdministerOrganization,
        Self::ManageTeam,
        Self::ViewMember,
        Self::RemoveMember,
        Self::VisitOrganization,
    ];

    /// Returns the kinds of resources that the action applies to.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::ViewSpace
            | Self::CommentOnSpace
            | Self::ResolveComment
            | Self::EditComment
            | Self::DeleteComment
            | Self::EditContent
            | Self::ViewImports
            | Self::ReviewContent
            | Self::MergeChangeRequest
            | Self::TriggerGitSync
            | Self::ViewGitHost
            | Self::PublishSpace
            | Self::AdministerSpace => &[Kind::Space],
            Self::ViewInviteLinks => &[Kind::Space, Kind::Collection],
            Self::ViewCollection | Self::AdministerCollection => &[Kind::Collection],
            Self::CreateContent => &[Kind::Collection, Kind::Organization],
            Self::ViewOrganization
            | Self::ListMembers
            | Self::ListTeams
            | Self::ListIntegrations
            | Self::ViewOrganizationContent
            | Self::ManageSites
            | Self::ViewShareLinks
            | Self::CreateOpenApiSpec
            | Self::ViewBilling
            | Self::InspectOrganization
            | Self::AdministerOrganization
            | Self::ManageTeam
            | Self::ViewMember
            | Self::RemoveMember
            | Self::VisitOrganization => &[Kind::Organization],
        }
    }

    /// Returns whether the action changes nothing, so that a read-only token allows it.
    pub const fn is_read(self) -> bool {
        matches!(
            self,
            Self::ViewSpace
                | Self::ViewImports
                | Self::ViewGitHost
                | Self::ViewInviteLinks
                | Self::ViewCollection
                | Self::ViewOrganization
                | Self::ListMembers
                | Self::ViewMember
                | Self::ListTeams
                | Self::ListIntegrations
                | Self::ViewOrganizationContent
                | Self::ViewShareLinks
                | Self::ViewBilling
                | Self::InspectOrganization
        )
    }
}
