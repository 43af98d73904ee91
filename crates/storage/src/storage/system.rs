//! Access without a caller: for commands of the operator, jobs and tests.
//!
//! The functions of [`SystemTx`] and [`SystemReader`] take bare ids and ask for no permission. Only a [`SystemStorage`]
//! opens one, and no [`Storage`] leads back to it: the crate `api` holds a [`Storage`] and so cannot call them.
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

/// Handle of the process that owns the deployment. The parts that serve requests get a [`Storage`] from it.
#[derive(Clone)]
pub struct SystemStorage(Storage);

impl SystemStorage {
    /// Opens the storage, as [`Storage::new`].
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

    /// The storage for callers with credentials.
    #[must_use]
    pub fn storage(&self) -> &Storage {
        &self.0
    }

    /// Reads as [`Storage::read`], for no caller.
    ///
    /// # Errors
    /// As [`Storage::read`].
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

    /// Runs a transaction as [`Storage::transact`], for no caller.
    ///
    /// # Errors
    /// As [`Storage::transact`].
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

/// A [`Reader`] for no caller.
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

/// A transaction for no caller.
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

/// Unauthorized forms of functions that [`Reader`] and [`Tx`] offer with authorization.
impl SystemTx<'_> {
    /// Makes a user a member of an organization, or changes the member's role; `None` makes a guest.
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

    /// The organizations that a token reaches.
    pub fn organizations_of_token(&mut self, token: TokenId) -> Result<Vec<OrganizationId>> {
        self.0.organizations_of_token(token)
    }

    /// The key with which an organization signs tokens of visitors; made at the first call.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the organization does not exist.
    pub fn visitor_key(&mut self, organization: OrganizationId) -> Result<[u8; 32]> {
        self.0.visitor_key(organization)
    }

    /// The deployment's key of this name; made at the first call.
    ///
    /// # Errors
    /// When the keys are locked.
    pub fn deployment_key(&mut self, name: &str) -> Result<[u8; 32]> {
        self.0.deployment_key(name)
    }
}
