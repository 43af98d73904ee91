//! External pictures of a book.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use quire_importer::fetch::Fetcher;

/// Maximum number of pictures of a book. Others, and those that cannot be fetched, are replaced by their text.
const PICTURES: usize = 100;
/// Maximum size of a picture in bytes.
const BYTES: usize = 10 << 20;
/// Time limit for one picture.
const TIME: Duration = Duration::from_secs(10);
/// Time limit for all pictures. A user waits for the book.
const TIME_IN_ALL: Duration = Duration::from_secs(30);
/// Pictures fetched concurrently, which bounds the memory that they take.
const AT_ONCE: usize = 8;

/// Fetches pictures through the guard, within limits on number, size and time, and yields each on arrival. Skips
/// failures and other content types.
pub fn pictures(fetcher: &Fetcher, urls: BTreeSet<String>) -> impl Stream<Item = (String, Bytes)> + use<> {
    let fetcher = fetcher.within(BYTES, TIME);
    let fetch = move |url: String| {
        let fetcher = fetcher.clone();
        async move {
            match fetcher.fetch(&url).await {
                Ok(fetched) => {
                    let is_picture = fetched.content_type.is_some_and(|name| name.starts_with("image/"));
                    is_picture.then_some((url, fetched.bytes))
                }
                Err(error) => {
                    log::info!("a picture of a PDF can't be fetched: {error}");
                    None
                }
            }
        }
    };
    let fetches = stream::iter(urls.into_iter().take(PICTURES)).map(fetch);
    let pictures = fetches.buffer_unordered(AT_ONCE).filter_map(std::future::ready);
    // The book shows the pictures that arrived in time.
    pictures.take_until(Box::pin(tokio::time::sleep(TIME_IN_ALL)))
}
