//! Every bound of the service, once. The check, the sentence of the error and the OpenAPI schema are made from
//! the same constant.
//!
//! Lengths of text count Unicode scalar values. Where the reference gives no bound, the constant says what it
//! was chosen for.

/// Longest title of a space.
pub const SPACE_TITLE_MAX: u64 = 50;
/// Longest title of a collection.
pub const COLLECTION_TITLE_MAX: u64 = 50;
/// Longest description of a collection.
pub const COLLECTION_DESCRIPTION_MAX: u64 = 100;
/// Most collections in one another. Nobody finds their way through more, and a path of ids of this length still fits a row's page.
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
/// Longest id of a node inside a document.
pub const NODE_ID_MAX: u64 = 100;
/// Longest URL.
pub const URL_MAX: u64 = 2048;
/// Longest label of an API token.
pub const TOKEN_LABEL_MAX: u64 = 50;

/// Longest description of a webhook: two sentences.
pub const WEBHOOK_DESCRIPTION_MAX: u64 = 256;
/// Most events that a webhook's body names; more would repeat some.
pub const WEBHOOK_EVENTS_MAX: usize = 50;

/// Items on a list page when the caller names no `limit`.
pub const LIST_LIMIT_DEFAULT: u16 = 50;
/// Most items on a list page.
pub const LIST_LIMIT_MAX: u16 = 1000;
/// Changes shown of a revision when the caller names no `limit`.
pub const REVISION_CHANGES_LIMIT_DEFAULT: u16 = 10;
/// Longest search query.
pub const SEARCH_QUERY_MAX: u64 = 512;

/// Most users, and most teams, that one request asks for a review.
pub const REVIEWERS_MAX: u64 = 50;

/// Most changes in one content write.
pub const CHANGES_MAX: u64 = 50;
/// Most files that one `insert_files` or `delete_files` change takes.
pub const FILES_MAX: u64 = 20;
/// Longest title of a page or reusable content. The reference has no bound; ten lines of a book hold less.
pub const PAGE_TITLE_MAX: u64 = 512;
/// Longest slug. A path of a dozen levels then still fits a URL.
pub const SLUG_MAX: u64 = 100;
/// Longest description of a page. The family's own input bound is 300 for computed pages; imported front matter
/// is longer.
pub const PAGE_DESCRIPTION_MAX: u64 = 2_000;
/// Longest name of a file: what common file systems take.
pub const FILE_NAME_MAX: u64 = 256;
/// Longest content type of a file (RFC 6838 bounds type and subtype to 127 each).
pub const CONTENT_TYPE_MAX: u64 = 255;
/// Longest Markdown of one page. Request bodies are bounded in bytes besides.
pub const MARKDOWN_MAX: u64 = 4 * 1024 * 1024;
/// Deepest nesting of JSON inside a document: tables in tabs in steppers need about 30.
pub const DOCUMENT_DEPTH_MAX: usize = 64;

/// Longest slug of an OpenAPI specification.
pub const SPEC_SLUG_MAX: u64 = 100;
/// Longest OpenAPI specification that is sent in a body, which is bounded in bytes besides. One that is fetched may be longer.
pub const SPEC_TEXT_MAX: u64 = 4 * 1024 * 1024;
/// Longest place of something in an OpenAPI specification.
pub const SPEC_PLACE_MAX: u64 = 2_048;
/// Longest seed of computed ids.
pub const SEED_MAX: u64 = 256;

/// How long a deleted space can be restored.
pub const DELETION_GRACE: time::Duration = time::Duration::days(7);

/// Shortest title of a site or section.
pub const SITE_TITLE_MIN: u64 = 2;
/// Longest title of a site or section.
pub const SITE_TITLE_MAX: u64 = 128;
/// Longest title that a section can be made with.
pub const NEW_SECTION_TITLE_MAX: u64 = 64;
/// Longest description of a section.
pub const SECTION_DESCRIPTION_MAX: u64 = 256;
/// Longest title of a group of sections.
pub const SECTION_GROUP_TITLE_MAX: u64 = 100;
/// Most sections that a group is made with.
pub const SECTION_GROUP_SECTIONS_MAX: u64 = 100;
/// Most spaces that a site is made with.
pub const SITE_SPACES_MAX: u64 = 100;
/// Longest condition.
pub const CONDITION_MAX: u64 = 1024;
/// Longest host name of a site, and longest address of a proxy.
pub const SITE_HOSTNAME_MAX: u64 = 512;
/// Longest name of a share link.
pub const SHARE_LINK_NAME_MAX: u64 = 50;
/// Most links, groups of links or font faces in one list of a site's customization: more than a screen shows.
pub const CUSTOMIZATION_LIST_MAX: usize = 100;
/// Longest title of a link in a header or footer.
pub const CUSTOMIZATION_LINK_TITLE_MAX: u64 = 64;
/// Longest copyright line.
pub const COPYRIGHT_MAX: u64 = 300;
/// Longest announcement.
pub const ANNOUNCEMENT_MAX: u64 = 128;
/// Longest JSON schema of claims, in bytes.
pub const ADAPTIVE_SCHEMA_MAX: usize = 256 * 1024;
