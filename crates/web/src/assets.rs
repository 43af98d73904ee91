//! Style sheets, scripts, fonts and the icon of pages. The build script embeds, hashes and compresses them.

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};

use crate::body::{Encoding, VARIES};
use crate::errors;

/// Asset in all its content codings.
struct Asset {
    name: &'static str,
    hashed: &'static str,
    content_type: &'static str,
    plain: &'static [u8],
    /// `None` for a format that is compressed already.
    gzip: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
}

const ASSETS: &[Asset] = &include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Path of assets below a site or the deployment.
pub(crate) const FOLDER: &str = "~quire/assets";

/// Cache policy of hashed names, whose bytes never change.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Returns the path of an asset below `prefix`.
pub(crate) fn path(prefix: &str, name: &str) -> String {
    format!("{prefix}/{FOLDER}/{}", hashed(name))
}

/// Returns the name of an asset with the hash of its content.
pub(crate) fn hashed(name: &str) -> &str {
    ASSETS.iter().find(|asset| asset.name == name).map_or(name, |asset| asset.hashed)
}

/// Responds with the asset of a hashed name.
pub(crate) fn respond(request: &HttpRequest, hashed: &str) -> HttpResponse {
    let Some(asset) = ASSETS.iter().find(|asset| asset.hashed == hashed) else { return errors::not_found() };
    let accepted = Encoding::of(request);
    let coded = match accepted {
        Encoding::Brotli => asset.brotli,
        Encoding::Gzip => asset.gzip,
        Encoding::Identity => None,
    };
    let (encoding, bytes) = coded.map_or((Encoding::Identity, asset.plain), |bytes| (accepted, bytes));
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, IMMUTABLE))
        .insert_header((header::CONTENT_ENCODING, encoding.name()))
        .insert_header((header::VARY, VARIES))
        .content_type(asset.content_type)
        .body(Bytes::from_static(bytes))
}

/// Answers with an asset of the deployment.
pub(crate) async fn of_deployment(request: HttpRequest) -> HttpResponse {
    let name = request.match_info().get("assetName").unwrap_or_default();
    respond(&request, name)
}
