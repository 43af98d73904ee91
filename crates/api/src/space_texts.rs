//! Spaces of lists, written as JSON and kept in memory.

use std::collections::HashMap;
use std::sync::Arc;

use quire_cache::{Cache, EvictionPolicy};
use quire_storage::Reader;
use quire_storage::hierarchy::PositionKey;
use quire_storage::list::Slice;
use quire_storage::spaces::{ListedSpace, SpaceVersion};
use serde_json::value::{RawValue, to_raw_value};
use sha2::{Digest, Sha256};
use tokio::time::Duration;

use crate::error::{ApiError, ApiResult};
use crate::listing::Listing;
use crate::present;
use crate::respond::Written;
use crate::urls::Urls;

/// Resources of spaces as JSON, by the version of the space and the role of the reader: everything that they follow
/// from. So nothing is ever out of date, and a list loads only the spaces that changed.
#[derive(Clone)]
pub struct SpaceTexts(Cache<SpaceVersion, Arc<SpaceText>>);

struct SpaceText {
    key: PositionKey,
    json: Box<RawValue>,
    /// Hash of `json`, from which entity tags of lists are made.
    digest: [u8; 32],
}

/// About the bytes that the cache takes for an entry besides the JSON.
const ENTRY: usize = 512;
/// Age at which a text is made again. A database that is restored to an earlier moment repeats ids of transactions.
const MAX_AGE: Duration = Duration::from_secs(60);

impl SpaceTexts {
    /// A cache of this many bytes.
    pub fn new(bytes: u64) -> Self {
        let weight = |text: &SpaceText| text.json.get().len().saturating_add(ENTRY);
        let cache = Cache::builder()
            .max_capacity(bytes)
            // A new version replaces one that was often listed.
            .eviction_policy(EvictionPolicy::lru())
            .weigher(move |_, text: &Arc<SpaceText>| u32::try_from(weight(text)).unwrap_or(u32::MAX))
            .time_to_live(MAX_AGE);
        Self(cache.build())
    }

    /// Returns the bytes of all texts.
    pub fn bytes(&self) -> u64 {
        self.0.weighted_size()
    }

    /// Writes a page of a list of spaces, for a thread that may block: one statement if a space changed since it was
    /// last listed, otherwise none.
    pub fn write(
        &self,
        reader: &mut Reader<'_>,
        urls: &Urls,
        list: &Listing<PositionKey>,
        slice: Slice<SpaceVersion>,
    ) -> ApiResult<Written> {
        let kept: Vec<Option<Arc<SpaceText>>> = slice.items.iter().map(|space| self.0.get(space)).collect();
        let absent: Vec<SpaceVersion> = slice
            .items
            .iter()
            .zip(&kept)
            .filter(|(_, text)| text.is_none())
            .map(|(space, _)| *space)
            .collect();
        let mut made = HashMap::with_capacity(absent.len());
        for (version, listed) in reader.listed_spaces(&absent)? {
            let text = Arc::new(SpaceText::new(urls, &listed)?);
            self.0.insert(version, Arc::clone(&text));
            made.insert(version.id, text);
        }
        // A space that is gone since it was listed is left out.
        let texts =
            slice.items.iter().zip(kept).filter_map(|(space, text)| text.or_else(|| made.remove(&space.id)));
        let texts = Slice { items: texts.collect::<Vec<_>>(), total: slice.total, has_more: slice.has_more };
        let mut digest = Sha256::new().chain_update(env!("CARGO_PKG_VERSION"));
        digest.update(texts.total.to_be_bytes());
        digest.update([u8::from(texts.has_more)]);
        texts.items.iter().for_each(|text| digest.update(text.digest));
        let bytes = texts.items.iter().map(|text| text.json.get().len().saturating_add(1)).sum();
        let page = list.page(texts, |text| text.key.clone(), |text| Ok(SharedText(text)))?;
        Written::with_digest(&page, digest.finalize().as_slice(), bytes)
    }
}

impl SpaceText {
    fn new(urls: &Urls, listed: &ListedSpace) -> ApiResult<Self> {
        let json =
            to_raw_value(&present::space(urls, &listed.space, listed.role)).map_err(ApiError::internal)?;
        let digest = Sha256::digest(json.get()).into();
        Ok(Self { key: listed.key(), json, digest })
    }
}

struct SharedText(Arc<SpaceText>);

impl serde::Serialize for SharedText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.json.serialize(serializer)
    }
}
