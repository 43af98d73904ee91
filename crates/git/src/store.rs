//! Fetched objects.

use std::collections::HashMap;
use std::sync::Arc;

use gix_hash::{Kind, ObjectId};
use gix_pack::{Bundle, cache};

use crate::error::GitError;

/// Object that the repository does not have.
#[derive(Clone, Debug)]
pub(crate) struct NewObject {
    pub(crate) id: ObjectId,
    pub(crate) kind: gix_object::Kind,
    pub(crate) bytes: Arc<[u8]>,
}

/// Fetched packs of a run, and objects of commits that are not pushed yet.
pub(crate) struct Store {
    bundles: Vec<Arc<Bundle>>,
    new: HashMap<ObjectId, NewObject>,
    max_bytes: usize,
}

impl Store {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { bundles: Vec::new(), new: HashMap::new(), max_bytes }
    }

    pub(crate) fn add(&mut self, bundle: Arc<Bundle>) {
        self.bundles.push(bundle);
    }

    pub(crate) fn add_new(&mut self, objects: &[NewObject]) {
        self.new.extend(objects.iter().map(|object| (object.id, object.clone())));
    }

    /// Returns whether an object was fetched, or is new.
    pub(crate) fn has(&self, id: &ObjectId) -> bool {
        self.new.contains_key(id) || self.bundles.iter().any(|bundle| bundle.index.lookup(id).is_some())
    }

    /// Returns an object of a given kind.
    ///
    /// # Errors
    /// If the object was not fetched and is not new, is damaged or too large, or has another kind.
    pub(crate) fn get(&self, id: &ObjectId, kind: gix_object::Kind) -> Result<Vec<u8>, GitError> {
        if let Some(new) = self.new.get(id).filter(|new| new.kind == kind) {
            return Ok(new.bytes.to_vec());
        }
        let mut object = Vec::new();
        for bundle in &self.bundles {
            let found = bundle.find(id, &mut object, &mut Default::default(), &mut cache::Never);
            let Some((data, _)) = found.map_err(|error| GitError::unreadable(&error))? else { continue };
            if data.kind != kind {
                return Err(GitError::protocol(&format!("object {id} is a {}", data.kind)));
            }
            if object.len() > self.max_bytes {
                let limit = u64::try_from(self.max_bytes).unwrap_or(u64::MAX);
                return Err(GitError::TooLarge { what: "the bytes of an object", limit });
            }
            return Ok(object);
        }
        Err(GitError::Missing { id: id.to_string() })
    }
}

/// Returns the id of an object.
pub(crate) fn id_of(kind: gix_object::Kind, bytes: &[u8]) -> Result<ObjectId, GitError> {
    gix_object::compute_hash(Kind::Sha1, kind, bytes).map_err(|error| GitError::unreadable(&error))
}
