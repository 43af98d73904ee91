//! Addresses of repositories.

use std::fmt;

use percent_encoding::percent_decode_str;
use quire_importer::fetch::Fetcher;
use url::Url;

use crate::error::GitError;

/// User name for a URL without one. GitHub, GitLab and Gitea accept any user name with a token.
const USER: &str = "git";

/// User name and password, or token, for a server.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Account {
    /// The user name.
    pub username: String,
    /// The password or token.
    pub password: String,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Account(…)")
    }
}

/// Address of a repository. Neither its `Display` nor its `Debug` shows the credentials.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) url: Url,
    pub(crate) account: Option<Account>,
}

impl Address {
    /// Parses a URL and removes its credentials.
    ///
    /// # Errors
    /// [`GitError::InvalidUrl`] for another scheme, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, GitError> {
        let invalid = |reason| GitError::InvalidUrl { reason };
        let mut url = Url::parse(text).map_err(|_| invalid("it is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid("only https is supported"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(invalid("it has a query or a fragment"));
        }
        let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let account = match (decoded(url.username()), url.password().map(decoded)) {
            (username, None) if username.is_empty() => None,
            // A token without a user name, as accepted by hosts.
            (token, None) => Some(Account { username: USER.to_owned(), password: token }),
            (username, Some(password)) if username.is_empty() => {
                Some(Account { username: USER.to_owned(), password })
            }
            (username, Some(password)) => Some(Account { username, password }),
        };
        if account.as_ref().is_some_and(|account| account.username.contains(':')) {
            return Err(invalid("its user name has a colon"));
        }
        url.set_username("").map_err(|()| invalid("it has no host"))?;
        url.set_password(None).map_err(|()| invalid("it has no host"))?;
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self { url, account })
    }

    /// Returns the address with other credentials. An empty user name is replaced, since hosts accept any with a token.
    #[must_use]
    pub fn with_account(self, Account { username, password }: Account) -> Self {
        let username = if username.is_empty() { USER.to_owned() } else { username };
        Self { account: Some(Account { username, password }), ..self }
    }

    /// Returns the URL without credentials.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the credentials.
    #[must_use]
    pub fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }

    /// Returns whether there are credentials.
    #[must_use]
    pub fn has_account(&self) -> bool {
        self.account.is_some()
    }

    /// Returns whether connections use TLS, or go to a host that the operator trusts.
    #[must_use]
    pub fn is_allowed_by(&self, fetcher: &Fetcher) -> bool {
        self.url.scheme() == "https" || fetcher.trusts(&self.url)
    }

    /// Returns the origin: scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns the name of the repository with its owner, in the form that hosts display.
    #[must_use]
    pub fn name(&self) -> &str {
        let path = self.url.path().trim_start_matches('/');
        path.strip_suffix(".git").unwrap_or(path)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_taken_out_of_the_address() {
        let address = Address::parse("https://ada:s%40cret@git.example.org:8443/team/docs.git/").unwrap();
        assert_eq!(address.to_string(), "https://git.example.org:8443/team/docs.git");
        assert_eq!(
            (address.origin().as_str(), address.name()),
            ("https://git.example.org:8443", "team/docs")
        );
        let account = address.account.clone().unwrap();
        assert_eq!((account.username.as_str(), account.password.as_str()), ("ada", "s@cret"));
        assert!(!format!("{address:?}").contains("s@cret"));
        let token = Address::parse("https://token@github.com/a/b").unwrap().account.unwrap();
        assert_eq!((token.username.as_str(), token.password.as_str()), ("git", "token"));
        assert_eq!(Address::parse("https://github.com/a/b").unwrap().account, None);
    }

    #[test]
    fn other_addresses_are_refused_without_repeating_them() {
        for text in
            ["ssh://git:secret@host/a", "git@host:secret/a", "https://a:secret@b/c?d", "file:///secret"]
        {
            let error = Address::parse(text).unwrap_err();
            assert!(matches!(error, GitError::InvalidUrl { .. }), "{text}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
