//! The pictures of integrations.

use diesel::prelude::*;
use diesel::sql_types::{Array, Binary, SmallInt, Text, Uuid as SqlUuid};
use quire_domain::ids::IntegrationId;
use sha2::{Digest, Sha256};

use crate::Result;
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};

/// A picture to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The media type.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A picture as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct StoredImage {
    /// The media type.
    #[diesel(sql_type = Text)]
    pub media_type: String,
    /// The bytes.
    #[diesel(sql_type = Binary)]
    pub bytes: Vec<u8>,
}

statements! {
    FindImage = "SELECT g.media_type, g.bytes FROM integrations i JOIN integration_images g ON g.integration_id = i.id \
                 WHERE i.name = $1 AND g.hash = $2 LIMIT 1";
    DeleteImages = "DELETE FROM integration_images WHERE integration_id = $1";
    InsertImages = "INSERT INTO integration_images (integration_id, place, hash, media_type, bytes) \
                    SELECT $1, n.place, n.hash, n.media_type, n.bytes \
                    FROM unnest($2, $3, $4, $5) AS n (place, hash, media_type, bytes)";
}

impl Reader<'_> {
    /// Returns an image of an integration by its hash, for callers that know both: one statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn integration_image(&mut self, name: &str, hash: &str) -> Result<Option<StoredImage>> {
        // PostgreSQL takes no NUL; no name and no hash has one.
        let text = |text: &str| val::<Text, _>(text.replace('\0', " "));
        Ok(FindImage::bind((text(name), text(hash))).get_result(self.connection).optional()?)
    }
}

impl Tx<'_> {
    /// Gives an integration these pictures in place of those it had.
    pub(super) fn put_integration_images(
        &mut self,
        integration: IntegrationId,
        icon: Option<&Image>,
        previews: &[Image],
    ) -> Result<()> {
        DeleteImages::bind((val::<SqlUuid, _>(*integration.as_uuid()),)).execute(self.connection)?;
        let icon = icon.map(|icon| (0, icon));
        let images: Vec<(i16, &Image)> = icon.into_iter().chain((1..).zip(previews)).collect();
        if images.is_empty() {
            return Ok(());
        }
        let places: Vec<i16> = images.iter().map(|(place, _)| *place).collect();
        let hashes: Vec<String> = images.iter().map(|(_, image)| hash(&image.bytes)).collect();
        let types: Vec<&str> = images.iter().map(|(_, image)| image.media_type).collect();
        let bytes: Vec<&[u8]> = images.iter().map(|(_, image)| image.bytes.as_slice()).collect();
        InsertImages::bind((
            val::<SqlUuid, _>(*integration.as_uuid()),
            val::<Array<SmallInt>, _>(places),
            val::<Array<Text>, _>(hashes),
            val::<Array<Text>, _>(types),
            val::<Array<Binary>, _>(bytes),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}

/// SHA-256 in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
