//! Access without a caller, for operator commands, jobs and tests.
//!
//! The functions of [`SystemTx`] and [`SystemReader`] take bare ids and check no permission. Only a [`SystemStorage`]
//! opens them, and a [`Storage`] does not give access to it: the crate `api` has only a [`Storage`] and so cannot call
//! them.
//!
//! ```compile_fail,E0599
//! fn in_a_handler(tx: &mut quire_storage::Tx<'_>, token: quire_domain::TokenId) -> quire_storage::Result<bool> {
//!     tx.revoke_token(token)
//! }
//! ```

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use quire_database::not_run;
use quire_domain::Role;
use quire_domain::clock::{Clock, IdGenerator};
use quire_domain::ids::{OrganizationId, TokenId, UserId};

use crate::content::files::FileStore;
use crate::content::store::DocumentAnalyzer;
use crate::lookup::Credentials;
use crate::transaction::{Reader, Tx};
use crate::{Error, Options, Result, Storage};

/// Handle of the process that owns the deployment. The parts that serve requests get only its [`Storage`].
#[derive(Clone)]
pub struct SystemStorage(Storage);

impl SystemStorage {
    /// Creates the storage, like [`Storage::new`].
    #[must_use]
    pub fn new(
        options: &Options,
        files: FileStore,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
        analyzer: Arc<dyn DocumentAnalyzer>,
    ) -> Self {
        Self(Storage::new(options, files, clock, ids, analyzer))
    }

    /// Returns the storage for callers with credentials.
    #[must_use]
    pub fn storage(&self) -> &Storage {
        &self.0
    }

    /// Reads like [`Storage::read`], without a caller.
    ///
    /// # Errors
    /// See [`Storage::read`].
    pub fn read<T, E: From<Error>>(
        &self,
        work: impl Fn(&mut SystemReader<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut result = None;
        self.0.database().read(&mut |connection| {
            let reader = Reader::new(connection, &self.0, &Credentials::ANONYMOUS);
            result.insert(work(&mut SystemReader(reader))).is_ok()
        })?;
        result.unwrap_or_else(|| Err(not_run().into()))
    }

    /// Runs a transaction like [`Storage::transact`], without a caller.
    ///
    /// # Errors
    /// See [`Storage::transact`].
    pub fn transact<T, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut SystemTx<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.0.in_transaction(&Credentials::ANONYMOUS, |tx| {
            let mut tx = SystemTx(tx);
            let result = work(&mut tx).and_then(|value| {
                tx.close()?;
                Ok(value)
            });
            (result, std::mem::take(&mut tx.0.after))
        })
    }
}

impl Deref for SystemStorage {
    type Target = Storage;

    fn deref(&self) -> &Storage {
        &self.0
    }
}

/// [`Reader`] without a caller.
pub struct SystemReader<'a>(Reader<'a>);

impl<'a> Deref for SystemReader<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.0
    }
}

impl<'a> DerefMut for SystemReader<'a> {
    fn deref_mut(&mut self) -> &mut Reader<'a> {
        &mut self.0
    }
}

/// Transaction without a caller.
pub struct SystemTx<'a>(Tx<'a>);

impl<'a> Deref for SystemTx<'a> {
    type Target = Tx<'a>;

    fn deref(&self) -> &Tx<'a> {
        &self.0
    }
}

impl<'a> DerefMut for SystemTx<'a> {
    fn deref_mut(&mut self) -> &mut Tx<'a> {
        &mut self.0
    }
}

/// Unauthorized variants of functions of [`Reader`] and [`Tx`].
impl SystemTx<'_> {
    /// Adds a member to an organization, or changes the member's role. `None` means guest.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub fn put_member(
        &mut self,
        organization: OrganizationId,
        user: UserId,
        role: Option<Role>,
    ) -> Result<()> {
        self.0.put_member(organization, user, role)
    }

    /// Returns the organizations that a token can access.
    pub fn organizations_of_token(&mut self, token: TokenId) -> Result<Vec<OrganizationId>> {
        self.0.organizations_of_token(token)
    }

    /// Returns the key that signs visitor tokens of an organization. It is created on first use.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub fn visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        self.0.visitor_key(organization)
    }

    /// Returns the deployment key with this name. It is created on first use.
    ///
    /// # Errors
    /// Master keys that are not set.
    pub fn deployment_key(&mut self, name: &str) -> Result<[u8; 32]> {
        self.0.deployment_key(name)
    }
}
