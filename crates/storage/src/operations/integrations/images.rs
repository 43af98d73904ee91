//! Images of integrations.

use diesel::pg::Pg;
use diesel::prelude::*;
use quire_domain::ids::IntegrationId;
use sha2::{Digest, Sha256};

use crate::Result;
use crate::schema::{integration_images, integrations};
use crate::transaction::{Reader, Tx};

/// Image to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Media type.
    pub media_type: &'static str,
    /// Bytes.
    pub bytes: Vec<u8>,
}

/// Stored image.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = integration_images, check_for_backend(Pg))]
pub struct StoredImage {
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub bytes: Vec<u8>,
}

impl Reader<'_> {
    /// Returns an image of an integration by its hash, for callers who know both. Takes one statement.
    pub fn integration_image(&mut self, name: &str, hash: &str) -> Result<Option<StoredImage>> {
        // PostgreSQL rejects NUL characters. No name or hash contains a NUL or a space.
        let text = |text: &str| text.replace('\0', " ");
        let image = integration_images::table
            .inner_join(integrations::table)
            .filter(integrations::name.eq(text(name)))
            .filter(integration_images::hash.eq(text(hash)))
            .limit(1)
            .select(StoredImage::as_select())
            .get_result(self.connection);
        Ok(image.optional()?)
    }
}

impl Tx<'_> {
    /// Replaces the images of an integration.
    pub(super) fn put_integration_images(
        &mut self,
        integration: IntegrationId,
        icon: Option<&Image>,
        previews: &[Image],
    ) -> Result<()> {
        let id = integration;
        let before = integration_images::table.filter(integration_images::integration_id.eq(id));
        diesel::delete(before).execute(self.connection)?;
        let icon = icon.map(|icon| (0, icon));
        let images = icon.into_iter().chain((1..).zip(previews)).map(|(place, image)| {
            (
                integration_images::integration_id.eq(id),
                integration_images::place.eq(place),
                integration_images::hash.eq(hash(&image.bytes)),
                integration_images::media_type.eq(image.media_type),
                integration_images::bytes.eq(image.bytes.as_slice()),
            )
        });
        // Diesel sends no statement if there are no rows.
        diesel::insert_into(integration_images::table)
            .values(images.collect::<Vec<_>>())
            .execute(self.connection)?;
        Ok(())
    }
}

/// Returns the SHA-256 in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
