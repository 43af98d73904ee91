//! Computed content.

use quire_domain::computed::{ComputedDocumentRequest, ComputedRevision, ComputedRevisionRequest};
use quire_domain::described::Document;
use quire_domain::policy::Action;

use crate::route::Access::Needs;
use crate::route::{Route, Tag};
use crate::v1;

/// The reason for no entry in the audit log.
const ASKS: &str = "it reads with a request body and changes nothing";

pub(super) fn routes() -> Vec<Route> {
    use v1::computed::{document, revision};
    use v1::content::document::DocumentQuery;
    vec![
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/computed/document", None),
            "getComputedDocument",
            Needs(Action::ViewSpace),
            "Get a computed document",
            document::get_computed_document,
        )
        .query::<DocumentQuery>()
        .body::<ComputedDocumentRequest>()
        .answers::<Document>(200)
        .unaudited(ASKS)
        .for_visitors(),
        Route::post(
            Tag::Content.at("/v1/spaces/{spaceId}/content/computed/revision", None),
            "getComputedRevision",
            Needs(Action::ViewSpace),
            "Get computed pages",
            revision::get_computed_revision,
        )
        .body::<ComputedRevisionRequest>()
        .answers::<ComputedRevision>(200)
        .unaudited(ASKS)
        .for_visitors(),
    ]
}
