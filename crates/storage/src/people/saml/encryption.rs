//! Keys with which providers encrypt assertions.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Text, Uuid as SqlUuid};
use quire_database::{Seal, sql_files};

use super::UsableSamlProvider;
use crate::schema::saml_providers;
use crate::transaction::Tx;
use crate::{Error, Result};

/// Name of the key that encrypts private keys.
const SEAL: &str = "saml";

sql_files! {
    PutEncryptionKey(SqlUuid, SqlUuid, Binary, Text) = "put_encryption_key.sql";
}

impl Tx<'_> {
    /// Stores a key pair for a provider unless it has one, and returns the stored certificate. `private` and
    /// `certificate` are in PEM.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the provider was deleted.
    pub fn put_saml_encryption_key(
        &mut self,
        provider: &UsableSamlProvider,
        private: &str,
        certificate: &str,
    ) -> Result<String> {
        let (organization, id) = (provider.organization, provider.id);
        let sealed = self.seal(SEAL)?.seal(&id.to_string(), private.as_bytes())?;
        // Another request may have stored a key pair first.
        PutEncryptionKey::bind((organization, id, sealed, certificate)).execute(self.connection)?;
        let kept =
            saml_providers::table.find((organization, id)).select(saml_providers::encryption_certificate);
        kept.get_result::<Option<String>>(self.connection).optional()?.flatten().ok_or(Error::NotFound)
    }

    /// Returns the private key that decrypts a provider's assertions, in PEM; `None` without one.
    pub fn saml_decryption_key(&mut self, provider: &UsableSamlProvider) -> Result<Option<String>> {
        let (organization, id) = (provider.organization, provider.id);
        let found = saml_providers::table.find((organization, id)).select(saml_providers::encryption_key);
        let sealed: Option<Option<Vec<u8>>> = found.get_result(self.connection).optional()?;
        let Some(sealed) = sealed.flatten() else { return Ok(None) };
        let damaged = |error: anyhow::Error| Error::corrupt("a private key is damaged", error);
        let key = self.known_deployment_key(SEAL)?;
        let key = key.ok_or_else(|| damaged(anyhow::anyhow!("there is no key to decrypt it: {id}")))?;
        let private = Seal::new(key).open(&id.to_string(), &sealed)?;
        String::from_utf8(private).map(Some).map_err(|error| damaged(error.into()))
    }
}
