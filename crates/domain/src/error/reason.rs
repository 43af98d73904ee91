//! The table of reasons.

use std::fmt;

/// Declares the enum and its lookups from one table.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident, $code:literal, $status:literal, $message:literal;)*) => {
        /// Reason of an error: a stable code, an HTTP status and a message.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Reason {
            $(
                #[doc = concat!("`", $code, "`, ", stringify!($status), ": ", $message)]
                $(#[$doc])*
                $name,
            )*
        }

        impl Reason {
            /// Every reason, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the stable code, in kebab-case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// Returns the HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),* }
            }

            /// Returns the default message.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message),* }
            }
        }
    };
}

reasons! {
    InvalidJson, "invalid-json", 400, "The body is not valid JSON.";
    InvalidBody, "invalid-body", 400, "The body is not valid.";
    InvalidHeader, "invalid-header", 400, "A header is not valid.";
    InvalidQuery, "invalid-query", 400, "The query is not valid.";
    InvalidPath, "invalid-path", 400, "The path is not valid.";
    InvalidCursor, "invalid-cursor", 400, "The `page` parameter is not a cursor of this list.";
    InvalidContent, "invalid-content", 400, "The changes cannot be applied to the content.";
    InvalidTarget, "invalid-target", 400, "The page or node of the comment does not exist.";
    FetchRefused, "fetch-refused", 400, "This server is not allowed to fetch the URL.";
    FetchFailed, "fetch-failed", 400, "The URL could not be fetched.";
    ImportEmpty, "import-empty", 400, "The source contains nothing to import.";
    ImportInvalid, "import-invalid", 400, "The content cannot be read as the given source.";
    IdempotencyKeyReused, "idempotency-key-reused", 400, "The `Idempotency-Key` was already used for another request.";
    Unauthenticated, "unauthenticated", 401, "A valid API token is required.";
    InvalidVisitorToken, "invalid-visitor-token", 401, "The visitor token is not valid.";
    WrongPassword, "wrong-password", 401, "The e-mail address or the password is wrong.";
    SecondFactorRequired, "second-factor-required", 401, "A second-factor code is required.";
    SingleSignOnRequired, "single-sign-on-required", 401, "An organization of the user requires single sign-on.";
    WrongLink, "wrong-link", 401, "The link is not valid, has expired, or was already used.";
    WrongCode, "wrong-code", 401, "The code is wrong, or was already used.";
    WrongPasskey, "wrong-passkey", 401, "The passkey is not accepted.";
    Forbidden, "forbidden", 403, "The role or the token of the caller does not allow this.";
    ConfirmationRequired, "confirmation-required", 403, "The user of the session must confirm their identity again.";
    SecondFactorMissing, "second-factor-missing", 403, "An organization of the user requires a second factor for sessions.";
    CrossSiteRequest, "cross-site-request", 403, "The request was sent by a browser from a page of another site.";
    OrganizationBlocked, "organization-blocked", 403, "The organization is blocked and can only be read.";
    NotFound, "not-found", 404, "The resource does not exist, or the caller may not see it.";
    MethodNotAllowed, "method-not-allowed", 405, "The resource does not support this method.";
    RequestTimeout, "request-timeout", 408, "The body was not received in time.";
    ChangeRequestMerged, "change-request-merged", 409, "The change request is merged.";
    ChangeRequestArchived, "change-request-archived", 409, "The change request is archived.";
    MergeBlocked, "merge-blocked", 409, "The change request does not meet the rules for merging.";
    OwnChangeRequest, "own-change-request", 409, "Authors cannot review their own change requests.";
    SpaceLocked, "space-locked", 409, "The space is locked. Its content changes only through change requests.";
    SpaceDeleted, "space-deleted", 409, "The space is deleted.";
    SpaceNotDeleted, "space-not-deleted", 409, "The space is not deleted.";
    RestorePeriodOver, "restore-period-over", 409, "The space was deleted more than seven days ago.";
    StaleRevision, "stale-revision", 409, "The content changed since the revision that the request is based on.";
    GitSyncRunning, "git-sync-running", 409, "Another Git import or export of the space is running.";
    GitConnected, "git-connected", 409, "The space is connected to a Git repository.";
    GitNotSetUp, "git-not-set-up", 409, "The connection to the Git repository is not set up yet.";
    GitManagedBySite, "git-managed-by-site", 409, "This connection is managed by the connection of a site.";
    GitSiteFileMissing, "git-site-file-missing", 409, "The repository has no site file.";
    LastAdmin, "last-admin", 409, "An organization must have an administrator.";
    InviteLinksDisabled, "invite-links-disabled", 409, "The organization's invite links are disabled.";
    CollectionNotEmpty, "collection-not-empty", 409, "The collection is not empty.";
    CollectionCycle, "collection-cycle", 409, "A collection cannot be moved into itself.";
    SlugTaken, "slug-taken", 409, "The slug is already in use.";
    NameTaken, "name-taken", 409, "The name is already in use.";
    OptionInUse, "option-in-use", 409, "An option in use cannot be removed.";
    TooMany, "too-many", 409, "The maximum number of items is reached.";
    SiteDefault, "site-default", 409, "The default cannot be removed while other items exist.";
    ImportFinished, "import-finished", 409, "The import has ended.";
    PdfFailed, "pdf-failed", 409, "This content cannot be converted to a PDF.";
    IdempotencyKeyInUse, "idempotency-key-in-use", 409, "A request with this `Idempotency-Key` is being processed.";
    AnswerNotKept, "answer-not-kept", 409, "The request was already applied, but its response was too large to keep.";
    Conflict, "conflict", 409, "The request conflicts with the current state.";
    PreconditionFailed, "precondition-failed", 412, "The resource is not in the state that the request requires.";
    PayloadTooLarge, "payload-too-large", 413, "The body is too large.";
    ImportTooLarge, "import-too-large", 413, "The content is too large to import.";
    UnsupportedMediaType, "unsupported-media-type", 415, "The body must be of type application/json.";
    RateLimited, "rate-limited", 429, "Too many requests.";
    Internal, "internal", 500, "The service failed to process the request.";
    Unavailable, "unavailable", 503, "The service is temporarily unavailable.";
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_documentation_has_this_table() {
        let documented: Vec<&str> = include_str!("../../../../docs/errors.md")
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let table: Vec<String> = Reason::ALL
            .iter()
            .map(|reason| format!("| `{reason}` | {} | {} |", reason.status(), reason.message()))
            .collect();
        assert_eq!(documented, table);
    }

    #[test]
    fn the_table_is_in_order_and_names_nothing_twice() {
        let codes: HashSet<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(codes.len(), Reason::ALL.len());
        assert!(Reason::ALL.is_sorted_by_key(|reason| reason.status()));
    }

    #[test]
    fn codes_are_kebab_case_and_messages_are_sentences() {
        for reason in Reason::ALL {
            let code = reason.as_str();
            assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{code}");
            assert!((400..600).contains(&reason.status()), "{code}");
            let message = reason.message();
            assert!(message.starts_with(char::is_uppercase) && message.ends_with('.'), "{code}: {message}");
        }
    }
}
