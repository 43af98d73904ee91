//! PDF.

use quire_domain::policy::Action;

use crate::route::Access::{Needs, Public};
use crate::route::{Object, Route, Tag};
use crate::v1::pdf::download::PdfAddressQuery;
use crate::v1::pdf::request::{Pdf, PdfQuery};
use crate::v1::pdf::{download, request};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/pdf", Some(Object::Space)),
            "getSpacePDF",
            Needs(Action::ViewSpace),
            "Create a PDF of a space",
            request::request_pdf,
        )
        .query::<PdfQuery>()
        .answers::<Pdf>(200)
        .audited(),
        Route::get(
            Tag::ChangeRequests.at(
                "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf",
                Some(Object::ChangeRequest),
            ),
            "getChangeRequestPDF",
            Needs(Action::ViewSpace),
            "Create a PDF of a change request",
            request::request_pdf,
        )
        .query::<PdfQuery>()
        .answers::<Pdf>(200)
        .audited(),
        Route::get(
            Tag::Spaces.at("/v1/spaces/{spaceId}/pdf/{pdfId}", None),
            "downloadPDF",
            Public,
            "Download a PDF",
            download::download_pdf,
        )
        .query::<PdfAddressQuery>()
        .answers_media("application/pdf")
        .reads_may_conflict(),
    ]
}
