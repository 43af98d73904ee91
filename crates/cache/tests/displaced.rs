//! Memory of displaced entries. It is freed only while no other thread reads a cache of the process, so this test needs
//! a process of its own.
#![allow(clippy::unwrap_used, reason = "a test that can't go on can only fail")]

use std::sync::Arc;

use quire_cache::Cache;

#[test]
fn displaced_entries_are_freed_without_further_use() {
    let weigher = |_: &u32, value: &Arc<[u8]>| u32::try_from(value.len()).unwrap();
    let cache = Cache::builder().max_capacity(100_000).weigher(weigher).build();
    let values: Vec<Arc<[u8]>> = (0..60).map(|_| vec![0; 10_000].into()).collect();
    for (key, value) in (0..).zip(&values) {
        cache.insert(key, Arc::clone(value));
    }
    let held = values.iter().filter(|value| Arc::strong_count(value) > 1).count();
    // Ten entries fit. The entries displaced last are freed by a later insertion.
    assert!((10..=20).contains(&held), "{held}");
}
