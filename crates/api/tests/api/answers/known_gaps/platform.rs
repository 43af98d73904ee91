//! Known gaps for resources other than content.

use super::Gap;

pub const UNANSWERED: &[Gap] = &[
    ("*", "SiteScript.*", "scripts of integrations are not run"),
    ("*", "PublishedSite.scripts", "scripts of integrations are not run"),
    ("*", "SiteSearchHitList.next", "a search of a site is answered as a whole"),
    (
        "getPublishedContentByUrl",
        "PublishedContent.contextId",
        "the token has no claims that count on the site",
    ),
    ("createOidcProvider", "OidcProvider.lastTest", "it is tested later"),
    ("createOrganizationSAMLProvider", "SamlProvider.lastTest", "it is tested later"),
    (
        "installGitSyncProviderOnTarget",
        "GitInstallation.projectDirectory GitInstallation.priority",
        "it is set up later",
    ),
    (
        "installGitSyncProviderOnTarget",
        "GitConfiguration.url GitConfiguration.username GitConfiguration.branch GitInstallation.repositoryConnection GitInstallation.repositoryRef GitInstallation.syncRoot",
        "it is set up later",
    ),
    (
        "installGitSyncProviderOnTarget",
        "GitInstallation.commitMessageTemplate GitInstallation.nextRunAt GitInstallation.operation GitInstallation.hasHookSecret GitInstallation.previewExternalBranches GitInstallation.agentInstructions GitInstallation.signOff",
        "it is set up later",
    ),
    ("updateGitSyncInstallationById", "GitInstallation.operation", "it is synchronized later"),
    (
        "*",
        "GitRepositoryRef.latestObservedCommitId GitRepositoryRef.latestImportedCommitId",
        "the repository does not answer; `git_app.rs` shows them",
    ),
    ("*", "GitConfiguration.appInstallationId", "the server has no GitHub App; `git_hosts.rs` shows it"),
    (
        "installGitSyncProviderOnTarget updateGitSyncInstallationById",
        "GitInstallation.parentInstallationId",
        "the connection of a site makes those of its spaces",
    ),
    ("getSpaceGitInfo", "GitSyncState.parentInstallationId", "the space is connected by itself"),
    ("*", "Site.gitSync", "no site here is connected when it is read; tests of the worker show it"),
    (
        "*",
        "GitComparison.pages GitComparison.files GitComparison.both GitComparison.commit",
        "the space has no pages, and the repository does not answer",
    ),
    ("createPasskey", "Passkey.lastUsedAt", "a new passkey wasn't used"),
    ("listApiTokens", "ApiToken.token", "a token is shown once"),
    ("createApiToken", "ApiToken.lastUsedAt", "a new token wasn't used"),
    (
        "createOrganization",
        "Organization.ai Organization.sso Organization.secondFactorRequired Organization.defaultContent",
        "these are settled later",
    ),
    (
        "createOrganization",
        "Organization.billing Organization.internal_billingMigration Organization.customHostname",
        "the deployment's operators set these later",
    ),
    (
        "createOrganization updateOrganizationById joinOrganizationWithInvite",
        "Organization.blocked",
        "a blocked organization can't be changed",
    ),
    (
        "listMembersInOrganizationById *MemberInOrganizationById setUserAsSSOMemberForOrganization",
        "Member.sites",
        "the organization has no sites yet",
    ),
    ("*", "Member.secondFactor", "no member has one here; `required_factors.rs` shows it"),
    ("createOrganizationTeam", "Team.spaces", "a new team has no grants"),
    (
        "createSite",
        "Site.icon Site.adaptiveContent Site.basename Site.hostname Site.hostnames Site.proxy Site.published",
        "these are settled later",
    ),
    (
        "*",
        "HostnameState.record HostnameRecord.*",
        "host names are trusted here; `sites/hostnames.rs` shows it",
    ),
    ("unpublishSite", "Site.published", "it isn't afterwards"),
    ("createSiteRedirect", "SiteRedirect.updatedAt", "it is changed later"),
    (
        "updateSiteRenderer",
        "SiteRendererState.failures SiteRendererState.nextAttemptAt",
        "earlier failures are forgotten with a change",
    ),
    ("*", "OpenAPISpecContentURLs.public", "specifications have no public URL"),
    ("*", "OpenAPISpecFile.references", "references to other files are not followed"),
    (
        "addSectionToSite",
        "SiteSection.condition SiteSection.description SiteSection.sectionGroup SiteSection.localized*",
        "these are settled later",
    ),
    (
        "addSpaceToSite",
        "SiteSpace.condition SiteSpace.hidden SiteSpace.localizedTitle",
        "these are settled later",
    ),
    ("addSectionGroupToSite", "SiteSectionGroup.localizedTitle", "it is settled later"),
    (
        "createOpenAPISpec",
        "OpenAPISpec.lastProcess* OpenAPISpec.lastVersion",
        "it is processed after the answer",
    ),
    (
        "installIntegration*",
        "*Installation.configuration *Installation.externalIds",
        "these are settled later",
    ),
    ("installIntegration", "Installation.spaces", "it is installed on spaces later"),
    (
        "listOrganizationEmailInvites",
        "EmailInvite.secret EmailInvite.urls",
        "a secret and its link are shown once",
    ),
    ("listWebhooks getWebhook updateWebhook", "Webhook.secret", "a secret is shown once"),
    ("pingWebhook", "WebhookDelivery.attempts WebhookDelivery.last*", "it is delivered after the answer"),
];
