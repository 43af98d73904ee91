//! Pictures that a book shows and other services serve.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use quire_importer::fetch::Fetcher;

/// Pictures that are fetched for one book. The rest is mentioned by its words, as what can't be fetched is.
const PICTURES: usize = 100;
/// Bytes of one picture.
const BYTES: usize = 10 << 20;
/// Time for one picture.
const TIME: Duration = Duration::from_secs(10);
/// Time for all of them: somebody waits for the book.
const TIME_IN_ALL: Duration = Duration::from_secs(30);
/// Pictures that are fetched at the same time, and with that in memory.
const AT_ONCE: usize = 8;

/// Fetches pictures as the guard allows, within bounds of number, size and time, and gives each as it comes. What can't be had, or isn't a
/// picture, is left out.
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
                    log::info!("a picture of a PDF can't be had: {error}");
                    None
                }
            }
        }
    };
    let fetches = stream::iter(urls.into_iter().take(PICTURES)).map(fetch);
    let pictures = fetches.buffer_unordered(AT_ONCE).filter_map(std::future::ready);
    // Those that came in time are shown.
    pictures.take_until(Box::pin(tokio::time::sleep(TIME_IN_ALL)))
}
