//! Descriptions of change requests.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::documents::{Format, PresentedBody};
use quire_domain::patch::Patch;

use crate::Result;
use crate::content::change_requests::{ChangeRequestRecord, InSpace};
use crate::content::comments::WrittenBody;
use crate::content::store::document_json;
use crate::lookup::Authorized;
use crate::schema::change_request_descriptions;
use crate::transaction::{Reader, Tx};

sql_files! {
    PutDescription(SqlUuid, SqlUuid, Text, Binary) = "put_description.sql";
}

impl Reader<'_> {
    /// Returns the description of a change request, if it has one. Takes one statement.
    ///
    /// # Errors
    /// A statement that fails, or a document that cannot be read.
    pub fn description(
        &mut self,
        change_request: &Authorized<InSpace<ChangeRequestRecord>>,
        format: Format,
    ) -> Result<Option<PresentedBody>> {
        let key = (change_request.space.id, change_request.item.id);
        let row = change_request_descriptions::table.find(key);
        Ok(match format {
            Format::Document => {
                let document: Option<Vec<u8>> = row
                    .select(change_request_descriptions::document)
                    .get_result(self.connection)
                    .optional()?;
                let document = document.map(document_json).transpose()?;
                document.map(|document| PresentedBody::Document { document })
            }
            Format::Markdown => {
                let markdown: Option<String> = row
                    .select(change_request_descriptions::markdown)
                    .get_result(self.connection)
                    .optional()?;
                markdown.map(|markdown| PresentedBody::Markdown { markdown })
            }
        })
    }
}

impl Tx<'_> {
    /// Sets or removes the description of a change request. Takes one statement, or none if the description is kept.
    pub(super) fn write_description(
        &mut self,
        change_request: &InSpace<ChangeRequestRecord>,
        description: Patch<WrittenBody>,
    ) -> Result<()> {
        let key = (change_request.space.id, change_request.item.id);
        match description {
            Patch::Keep => {}
            Patch::Clear => {
                diesel::delete(change_request_descriptions::table.find(key)).execute(self.connection)?;
            }
            Patch::Set(WrittenBody { markdown, document, .. }) => {
                PutDescription::bind((key.0, key.1, markdown, document.as_bytes()))
                    .execute(self.connection)?;
            }
        }
        Ok(())
    }
}
