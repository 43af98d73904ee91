//! Presentation of files.

use quire_domain::File;
use quire_domain::ids::SpaceId;
use quire_domain::revisions::{Dimensions, GitBlob};
use quire_revision::FileNode;
pub use quire_server::files::FileAddress;

use crate::signing::UrlSigner;
use crate::urls::Urls;

/// Returns a file of a space.
#[must_use]
pub fn file(urls: &Urls, signer: &UrlSigner, space: SpaceId, node: &FileNode, with_git: bool) -> File {
    let address = FileAddress {
        space,
        blob: node.blob,
        name: node.name.clone(),
        content_type: node.content_type.clone(),
    };
    let git = node.git.as_ref().filter(|_| with_git);
    File {
        id: node.id,
        name: node.name.clone(),
        content_type: node.content_type.clone(),
        download_url: address.url(urls, signer),
        size: node.size,
        dimensions: node.dimensions.map(|size| Dimensions { width: size.width, height: size.height }),
        git: git.map(|git| GitBlob { oid: git.oid.clone(), path: git.path.clone() }),
    }
}
