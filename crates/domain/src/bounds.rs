//! Bounds of the service. The check, the error message and the OpenAPI schema use the same constant.
//!
//! Lengths of text count Unicode scalar values. Constants that the API reference does not give have a reason in their
//! comment.

/// Longest title of a space.
pub const SPACE_TITLE_MAX: u64 = 50;
/// Longest title of a collection.
pub const COLLECTION_TITLE_MAX: u64 = 50;
/// Longest description of a collection.
pub const COLLECTION_DESCRIPTION_MAX: u64 = 100;
/// Deepest nesting of collections. Deeper trees are hard to navigate, and a path of this many ids still fits a database
/// page.
pub const COLLECTION_DEPTH_MAX: usize = 32;
/// Longest emoji: a character sequence or a shortcode's hexadecimal digits.
pub const EMOJI_MAX: u64 = 50;
/// Longest name of an icon.
pub const ICON_MAX: u64 = 50;
/// Longest subject of a change request.
pub const CHANGE_REQUEST_SUBJECT_MAX: u64 = 100;
/// Longest Markdown body of a comment or reply.
pub const COMMENT_BODY_MAX: u64 = 50_000;
/// Most reactions that one request adds or removes: more than a person clicks at once.
pub const REACTIONS_MAX: u64 = 50;
/// Most different emojis of a comment or reply. Lists of comments have all of them, with the users.
pub const REACTIONS_OF_COMMENT_MAX: u64 = 50;
/// Longest id of a node inside a document.
pub const NODE_ID_MAX: u64 = 100;
/// Longest quotation of a comment: a few sentences.
pub const QUOTE_MAX: u64 = 1_000;
/// Longest name of a branch or tag: the limit of file names.
pub const GIT_REF_MAX: u64 = 255;
/// Longest path in a Git repository.
pub const GIT_PATH_MAX: u64 = 1024;
/// Longest message of a commit.
pub const COMMIT_MESSAGE_MAX: u64 = 10_000;
/// Longest template of commit messages.
pub const COMMIT_TEMPLATE_MAX: u64 = 1000;
/// Longest user name on a Git server.
pub const GIT_USERNAME_MAX: u64 = 255;
/// Longest password or token for a Git server.
pub const GIT_SECRET_MAX: u64 = 1024;
/// Longest name of an account on a social platform.
pub const SOCIAL_HANDLE_MAX: u64 = 128;
/// Most redirects that one request changes.
pub const REDIRECTS_AT_ONCE_MAX: usize = 500;
/// Longest source of a redirect.
pub const REDIRECT_SOURCE_MAX: u64 = 512;
/// Longest URL.
pub const URL_MAX: u64 = 2048;
/// Longest label of an API token.
pub const TOKEN_LABEL_MAX: u64 = 50;
/// Most API tokens per user, including expired ones.
pub const TOKENS_MAX: u64 = 200;
/// Longest password.
pub const PASSWORD_MAX: u64 = 256;
/// Time after which a user without a further presence request counts as absent.
pub const PRESENCE_LIFE: time::Duration = time::Duration::seconds(20);
/// Most entries of an inbox that one request names.
pub const INBOX_ENTRIES_MAX: u64 = 100;
/// Time for which entries of inboxes are kept.
pub const INBOX_LIFE: time::Duration = time::Duration::days(90);
/// Most concurrent streams of events per user on a node.
pub const EVENT_STREAMS_MAX: usize = 6;
/// Lifetime of a session without use.
pub const SESSION_IDLE: time::Duration = time::Duration::days(14);
/// Longest lifetime of a session.
pub const SESSION_LIFE: time::Duration = time::Duration::days(90);
/// Most sessions per user. A new one ends the oldest.
pub const SESSIONS_MAX: u64 = 100;
/// Most passkeys per user.
pub const PASSKEYS_MAX: u64 = 20;
/// Longest name of a passkey.
pub const PASSKEY_NAME_MAX: u64 = 64;
/// Longest `User-Agent` text that a session stores.
pub const USER_AGENT_MAX: usize = 512;
/// Most organizations that an API token can be limited to.
pub const TOKEN_ORGANIZATIONS_MAX: u64 = 100;
/// Longest title of an organization.
pub const ORGANIZATION_TITLE_MAX: u64 = 255;
/// Longest hostname of an organization: a label below the service's domain.
pub const SUBDOMAIN_MAX: u64 = 32;
/// Longest name of a domain (RFC 1035, 2.3.4).
pub const DOMAIN_NAME_MAX: u64 = 253;
/// Most e-mail domains of an organization.
pub const EMAIL_DOMAINS_MAX: u64 = 100;
/// Longest e-mail address: RFC 5321 (4.5.3.1.3) allows 256 characters for a path, including two brackets.
pub const EMAIL_MAX: u64 = 254;
/// Longest title of a team.
pub const TEAM_TITLE_MAX: u64 = 64;
/// Most pending e-mail invites of an organization.
pub const EMAIL_INVITES_MAX: u64 = 5_000;
/// Lifetime of an e-mail invite.
pub const EMAIL_INVITE_LIFE: time::Duration = time::Duration::days(14);
/// Longest secret of an e-mail invite in a request body.
pub const INVITE_SECRET_MAX: u64 = 100;
/// Longest name of a person.
pub const DISPLAY_NAME_MAX: u64 = 100;
/// Most people or teams per request that invites, adds or removes them.
pub const PEOPLE_MAX: u64 = 1000;
/// Most visit events per request.
pub const SITE_EVENTS_MAX: u64 = 1000;
/// Longest type of a visit event.
pub const SITE_EVENT_TYPE_MAX: u64 = 64;
/// Longest search text for members and teams.
pub const PEOPLE_SEARCH_MAX: u64 = 256;

/// Longest name of a custom field.
pub const CUSTOM_FIELD_NAME_MAX: u64 = 50;
/// Longest title of a custom field.
pub const CUSTOM_FIELD_TITLE_MAX: u64 = 100;
/// Longest description of a custom field.
pub const CUSTOM_FIELD_DESCRIPTION_MAX: u64 = 200;
/// Longest placeholder of a custom field.
pub const CUSTOM_FIELD_PLACEHOLDER_MAX: u64 = 100;
/// Most options of a custom field.
pub const CUSTOM_FIELD_OPTIONS_MAX: u64 = 50;
/// Longest option of a custom field.
pub const CUSTOM_FIELD_OPTION_MAX: u64 = 40;
/// Longest text in the value of a custom field.
pub const CUSTOM_FIELD_TEXT_MAX: u64 = 256;
/// Most texts in the value of a custom field: more than a person tags a space with.
pub const CUSTOM_FIELD_TEXTS_MAX: u64 = 100;
/// Most custom fields per organization. Their values are listed and set in one request.
pub const CUSTOM_FIELDS_MAX: u64 = 100;
/// Longest title of translation settings.
pub const TRANSLATION_TITLE_MAX: u64 = 100;
/// Longest secret of a mailed link in a request body.
pub const LINK_SECRET_MAX: u64 = 100;
/// Longest code of a second factor, as users type it.
pub const FACTOR_CODE_MAX: u64 = 64;
/// Longest label of an OpenID Connect provider.
pub const OIDC_LABEL_MAX: u64 = 30;
/// Longest client id at an OpenID Connect provider.
pub const OIDC_CLIENT_ID_MAX: u64 = 255;
/// Longest client secret at an OpenID Connect provider.
pub const OIDC_CLIENT_SECRET_MAX: u64 = 1024;
/// Longest subject of a user at an OpenID Connect provider (OpenID Connect Core 1.0, 2).
pub const OIDC_SUBJECT_MAX: u64 = 255;
/// Most OpenID Connect providers per organization. The sign-in page lists them.
pub const OIDC_PROVIDERS_MAX: u64 = 100;
/// Longest user name and id of a resource at an identity provider (SCIM).
pub const SCIM_NAME_MAX: u64 = 255;
/// Most e-mail addresses of a user (SCIM).
pub const SCIM_EMAILS_MAX: usize = 20;
/// Most members of a group (SCIM).
pub const SCIM_MEMBERS_MAX: usize = 10_000;
/// Most operations of a PATCH request (SCIM).
pub const SCIM_OPERATIONS_MAX: usize = 1_000;
/// Most resources on a page of a list (SCIM).
pub const SCIM_PAGE_MAX: u16 = 200;
/// Most attributes that a search request names (SCIM).
pub const SCIM_NAMES_MAX: usize = 100;
/// Largest body in bytes (SCIM): a group with all of its members.
pub const SCIM_BODY_MAX: usize = 1 << 20;
/// Longest label of a SAML provider.
pub const SAML_LABEL_MAX: u64 = 30;
/// Longest entity id of a SAML provider.
pub const SAML_ENTITY_ID_MAX: u64 = 1024;
/// Longest certificate of a SAML provider.
pub const SAML_CERTIFICATE_MAX: u64 = 10_000;
/// Longest subject of a user at a SAML provider (`NameID`). Persistent ones have at most 256 characters (SAML 2.0 Core,
/// 8.3.7), names of directories can be longer.
pub const SAML_SUBJECT_MAX: u64 = 512;
/// Most SAML providers per organization. Logins are listed in one response.
pub const SAML_PROVIDERS_MAX: u64 = 100;

/// Most claim rules per sign-in provider.
pub const CLAIM_RULES_MAX: u64 = 50;
/// Longest claim name in a claim rule.
pub const CLAIM_NAME_MAX: u64 = 200;
/// Longest claim value in a claim rule.
pub const CLAIM_VALUE_MAX: u64 = 500;

/// Longest name of an integration.
pub const INTEGRATION_NAME_MAX: u64 = 100;
/// Longest title of an integration.
pub const INTEGRATION_TITLE_MAX: u64 = 30;
/// Longest description of an integration.
pub const INTEGRATION_DESCRIPTION_MAX: u64 = 100;
/// Longest summary of an integration.
pub const INTEGRATION_SUMMARY_MAX: u64 = 2048;
/// Longest script of an integration, large enough for a bundle of many libraries. The size of request bodies is bounded
/// separately.
pub const INTEGRATION_SCRIPT_MAX: u64 = 1024 * 1024;
/// Longest title of a block, source or link of an integration.
pub const INTEGRATION_PART_TITLE_MAX: u64 = 40;
/// Longest description of a block or source of an integration.
pub const INTEGRATION_PART_DESCRIPTION_MAX: u64 = 150;
/// Longest id of a part of an integration.
pub const INTEGRATION_PART_ID_MAX: u64 = 100;
/// Most previews of an integration.
pub const INTEGRATION_PREVIEWS_MAX: u64 = 3;
/// Most external links of an integration.
pub const INTEGRATION_LINKS_MAX: u64 = 5;
/// Most blocks of an integration, and most sources of content.
pub const INTEGRATION_PARTS_MAX: u64 = 50;
/// Longest content security policy of an integration: a common limit for one header.
pub const INTEGRATION_POLICY_MAX: usize = 8 * 1024;
/// Most choices of a configuration property.
pub const CONFIGURATION_CHOICES_MAX: u64 = 100;
/// Longest choice or default of a configuration property.
pub const CONFIGURATION_CHOICE_MAX: u64 = 1_000;
/// Largest configuration of an installation, in bytes of JSON.
pub const CONFIGURATION_MAX: usize = 64 * 1024;
/// Deepest nesting of the configuration of an installation.
pub const CONFIGURATION_DEPTH_MAX: usize = 32;
/// Longest value of a secret of an integration: keys and certificates are a few thousand characters.
pub const INTEGRATION_SECRET_MAX: u64 = 16 * 1024;
/// Most secrets of an integration.
pub const INTEGRATION_SECRETS_MAX: u64 = 20;
/// Largest overrides of the customization of a site space, in bytes of JSON. A page view reads the overrides of all
/// site spaces.
pub const OVERRIDES_MAX: usize = 32 * 1024;
/// Longest customization in the URL of a site preview, in characters.
pub const PREVIEWED_CUSTOMIZATION_MAX: u64 = 4 * 1024;
/// Most external ids of an installation.
pub const EXTERNAL_IDS_MAX: u64 = 5;
/// Longest external id of an installation.
pub const EXTERNAL_ID_MAX: u64 = 256;
/// Largest image of an integration in bytes. Icons have a few thousand bytes, screenshots some hundred thousand.
pub const INTEGRATION_IMAGE_MAX: u64 = 1024 * 1024;
/// Longest id or subdomain of an organization.
pub const ORGANIZATION_KEY_MAX: u64 = 255;
/// Longest description of a webhook: two sentences.
pub const WEBHOOK_DESCRIPTION_MAX: u64 = 256;
/// Most webhooks per organization. Each event is stored once for each webhook that subscribes to it.
pub const WEBHOOKS_MAX: u64 = 50;
/// Most events in the body of a webhook. More would be repetitions.
pub const WEBHOOK_EVENTS_MAX: usize = 50;

/// Items on a list page when the caller names no `limit`.
pub const LIST_LIMIT_DEFAULT: u16 = 50;
/// Most items on a list page.
pub const LIST_LIMIT_MAX: u16 = 1000;
/// Default number of changes of a revision in a response.
pub const REVISION_CHANGES_LIMIT_DEFAULT: u16 = 10;
/// Longest search query.
pub const SEARCH_QUERY_MAX: u64 = 512;

/// Most merge rules of a space or organization: more than there are kinds of rules.
pub const MERGE_RULES_MAX: usize = 20;
/// Most approvals that a merge rule can require.
pub const MERGE_APPROVALS_MAX: u8 = 20;
/// Most pages of a change request that a user marks as viewed.
pub const VIEWED_PAGES_MAX: usize = 1000;
/// Most users, and most teams, per review request.
pub const REVIEWERS_MAX: u64 = 50;

/// Most changes per content write.
pub const CHANGES_MAX: u64 = 50;
/// Most resolutions per merge.
pub const RESOLUTIONS_MAX: u64 = 1000;
/// Most blocks per `revert_page` change.
pub const BLOCKS_MAX: u64 = 100;
/// Most files per `insert_files` or `delete_files` change.
pub const FILES_MAX: u64 = 20;
/// Longest title of a page or reusable content. The API reference has no bound.
pub const PAGE_TITLE_MAX: u64 = 512;
/// Longest title of a page in navigation.
pub const PAGE_LINK_TITLE_MAX: u64 = 100;
/// Longest slug. A path of a dozen levels still fits a URL.
pub const SLUG_MAX: u64 = 100;
/// Longest description of a page. The API reference bounds computed pages to 300; imported front matter is longer.
pub const PAGE_DESCRIPTION_MAX: u64 = 2_000;
/// Longest file name: the limit of common file systems.
pub const FILE_NAME_MAX: u64 = 256;
/// Longest content type of a file (RFC 6838 bounds type and subtype to 127 each).
pub const CONTENT_TYPE_MAX: u64 = 255;
/// Longest share link key in a query. Longer than any generated key.
pub const SHARE_KEY_MAX: u64 = 100;
/// Longest secret of a renderer. Longer than any generated secret.
pub const RENDERER_SECRET_MAX: u64 = 512;
/// Longest token or claims of a visitor in a query.
pub const VISITOR_TEXT_MAX: u64 = 4096;
/// Longest Markdown of one page. The size of request bodies is bounded separately.
pub const MARKDOWN_MAX: u64 = 4 * 1024 * 1024;
/// Most locations in a response per link.
pub const LINK_OCCURRENCES_MAX: usize = 100;
/// Most locations per page of a list of links. Each has about 3 KB.
pub const LINK_LIST_OCCURRENCES_MAX: usize = 2_000;
/// Deepest nesting of JSON in a document. Equal to the bound for Markdown and imports, so that every document in a
/// response can be sent back.
pub const DOCUMENT_DEPTH_MAX: usize = 120;

/// Longest slug of an OpenAPI specification.
pub const SPEC_SLUG_MAX: u64 = 100;

/// Longest name of a page of an OpenAPI specification, such as a path.
pub const SPEC_PAGE_MAX: u64 = 2_000;
/// Longest OpenAPI specification in a request body. Fetched specifications may be longer.
pub const SPEC_TEXT_MAX: u64 = 4 * 1024 * 1024;
/// Longest lifetime of a visitor token in seconds: one day.
pub const VISITOR_TOKEN_SECONDS_MAX: u32 = 24 * 60 * 60;
/// Longest seed of computed ids.
pub const SEED_MAX: u64 = 256;

/// Period in which a deleted space can be restored.
pub const DELETION_GRACE: time::Duration = time::Duration::days(7);

/// Longest title of a site or section.
pub const SITE_TITLE_MAX: u64 = 128;
/// Longest title of a new section.
pub const NEW_SECTION_TITLE_MAX: u64 = 64;
/// Longest description of a section.
pub const SECTION_DESCRIPTION_MAX: u64 = 256;
/// Longest title of a group of sections.
pub const SECTION_GROUP_TITLE_MAX: u64 = 100;
/// Most sections per site. The structure of a site is one response.
pub const SECTIONS_OF_SITE_MAX: u64 = 500;
/// Most groups of sections of a site.
pub const SECTION_GROUPS_OF_SITE_MAX: u64 = 500;
/// Most site spaces per site. They are listed in one response, too.
pub const SPACES_OF_SITE_MAX: u64 = 1_000;
/// Most sections in the request that creates a group.
pub const SECTION_GROUP_SECTIONS_MAX: u64 = 100;
/// Most spaces in the request that creates a site.
pub const SITE_SPACES_MAX: u64 = 100;
/// Longest condition: 1,024 characters and the prefix `cel:`.
pub const CONDITION_MAX: u64 = 1028;
/// Longest host name of a site, and longest address of a proxy.
pub const SITE_HOSTNAME_MAX: u64 = 512;
/// Longest name of a share link.
pub const SHARE_LINK_NAME_MAX: u64 = 50;
/// Most links, link groups or font faces per list of a site's customization.
pub const CUSTOMIZATION_LIST_MAX: usize = 100;
/// Longest title of a link in a header or footer.
pub const CUSTOMIZATION_LINK_TITLE_MAX: u64 = 64;
/// Longest copyright line.
pub const COPYRIGHT_MAX: u64 = 512;
/// Longest announcement.
pub const ANNOUNCEMENT_MAX: u64 = 128;
/// Longest greeting of the assistant.
pub const ASSISTANT_GREETING_MAX: u64 = 256;
/// Longest suggested question to the assistant.
pub const ASSISTANT_SUGGESTION_MAX: u64 = 64;
/// Most suggested questions to the assistant.
pub const ASSISTANT_SUGGESTIONS_MAX: u64 = 5;
/// Longest instructions for the assistant.
pub const ASSISTANT_INSTRUCTIONS_MAX: u64 = 10_000;
/// Longest JSON schema of claims, in bytes.
pub const ADAPTIVE_SCHEMA_MAX: usize = 256 * 1024;
