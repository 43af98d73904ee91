//! File bytes in a bucket, on a server that is as strict as S3.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use quire_domain::clock::Timestamp;
use quire_domain::ids::{ImportId, SpaceId};
use quire_revision::BlobHash;
use quire_storage::content::files::{
    AddressHeaders, Copied, FileStore, S3Options, StoredFile, StoredObject, StoredUpload,
};
use quire_test_support::TestBucket;
use uuid::Uuid;

const MIB: usize = 1 << 20;

fn space() -> SpaceId {
    SpaceId::from_uuid(Uuid::from_u128(7))
}

/// Returns bytes without repetitions, so that pieces in the wrong order are detected.
fn bytes(length: usize) -> Bytes {
    (0..length).map(|at| u8::try_from((at / 3 + at % 251) % 256).unwrap()).collect()
}

async fn put_in_pieces(store: &FileStore, bytes: &Bytes) -> BlobHash {
    let hash = BlobHash::of(bytes);
    let pieces: Vec<_> = bytes.chunks(MIB).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    store.put_pieces(space(), hash, stream::iter(pieces)).await.unwrap();
    hash
}

async fn objects(store: &FileStore) -> Vec<StoredObject> {
    let mut objects: Vec<_> = store.all_objects().try_collect().await.unwrap();
    objects.sort_by(|one, other| one.name().cmp(other.name()));
    objects
}

fn after(moment: Duration) -> Timestamp {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap() + moment;
    Timestamp::from_millis(i64::try_from(now.as_millis()).unwrap()).unwrap()
}

#[tokio::test]
async fn pieces_of_any_size_become_parts_that_s3_takes() {
    let Some(bucket) = TestBucket::new() else { return };
    let store = bucket.store();
    for length in [0, 1, 5 * MIB, 8 * MIB, 20 * MIB + 17] {
        let bytes = bytes(length);
        let hash = put_in_pieces(&store, &bytes).await;
        assert_eq!(store.size(space(), hash).await.unwrap(), Some(u64::try_from(length).unwrap()));
        assert!(store.get(space(), hash, None).await.unwrap().unwrap() == bytes, "{length} bytes");
    }
    let bytes = bytes(20 * MIB + 17);
    let middle = store.get(space(), BlobHash::of(&bytes), Some(9_000_000..9_000_100)).await.unwrap();
    assert_eq!(middle.unwrap(), bytes.slice(9_000_000..9_000_100));
}

#[tokio::test]
async fn an_upload_whose_source_breaks_off_leaves_nothing() {
    let Some(bucket) = TestBucket::new() else { return };
    let store = bucket.store();
    let hash = BlobHash::of(b"never complete");
    let broken = std::io::Error::other("the client is gone");
    let pieces = [Ok(bytes(9 * MIB)), Ok(bytes(MIB)), Err(broken)];
    assert!(store.put_pieces(space(), hash, stream::iter(pieces)).await.is_err());
    assert_eq!(store.get(space(), hash, None).await.unwrap(), None);
    assert!(objects(&store).await.is_empty());
}

#[tokio::test]
async fn uploads_that_wait_are_kept_read_and_removed() {
    let Some(bucket) = TestBucket::new() else { return };
    let store = bucket.store();
    let upload = StoredUpload { space: space(), import: ImportId::from_uuid(Uuid::from_u128(3)) };
    store.keep_upload(upload, stream::iter([Ok(Bytes::from_static(b"an archive"))])).await.unwrap();
    assert_eq!(store.upload_part(upload, 3..10).await.unwrap().unwrap(), "archive");
    let old: Vec<_> = store.uploads_older_than(after(Duration::from_secs(60))).try_collect().await.unwrap();
    assert_eq!(old, [upload]);
    store.remove_upload(upload).await.unwrap();
    store.remove_upload(upload).await.unwrap();
    assert_eq!(store.upload_part(upload, 0..1).await.unwrap(), None);
}

#[tokio::test]
async fn a_sweep_loses_nothing_that_is_written_at_the_same_moment() {
    let Some(bucket) = TestBucket::new() else { return };
    let store = bucket.store();
    let hash = put_in_pieces(&store, &bytes(10)).await;
    let file = StoredFile { space: space(), hash };
    assert!(!store.remove_old(file, Timestamp::from_millis(0).unwrap()).await.unwrap());

    let later = after(Duration::from_secs(3600));
    let old: Vec<_> = store.older_than(later).try_collect().await.unwrap();
    assert_eq!(old, [file]);
    assert!(store.remove_old(file, later).await.unwrap());
    // A writer of the same bytes between the check of their age and the removal still finds them.
    assert_eq!(store.get(space(), hash, None).await.unwrap().unwrap(), bytes(10));
    assert_eq!(store.size(space(), hash).await.unwrap(), Some(10));
    assert!(store.older_than(later).next().await.is_none(), "they are listed once");

    let aside: Vec<_> = store.moved_aside_before(later).try_collect().await.unwrap();
    assert_eq!(aside, [file]);
    store.restore(file).await.unwrap();
    assert!(store.moved_aside_before(later).next().await.is_none());
    assert_eq!(store.older_than(later).try_collect::<Vec<_>>().await.unwrap(), [file]);

    assert!(store.remove_old(file, later).await.unwrap());
    store.forget_aside(file).await.unwrap();
    assert_eq!(store.get(space(), hash, None).await.unwrap(), None);
    assert!(store.remove_old(file, later).await.unwrap(), "twice is fine");
}

#[tokio::test]
async fn browsers_are_sent_to_the_bucket_with_the_headers_of_the_file() {
    let Some(bucket) = TestBucket::new() else { return };
    let headers = AddressHeaders {
        content_type: "image/svg+xml",
        disposition: "inline; filename=\"a b.svg\"",
        caching: "private, max-age=3600",
    };
    let store = bucket.store();
    let hash = put_in_pieces(&store, &Bytes::from_static(b"<svg/>")).await;
    assert_eq!(store.address(space(), hash, &headers).await.unwrap(), None, "only if it is wanted");

    let access = S3Options { redirect: true, ..bucket.access.clone() };
    let store = FileStore::open(&bucket.location, &access).unwrap();
    let address = store.address(space(), hash, &headers).await.unwrap().unwrap();
    assert!(address.starts_with(bucket.access.endpoint.as_deref().unwrap()), "{address}");
    assert!(address.contains("response-content-type=image%2Fsvg%2Bxml"), "{address}");
    assert!(address.contains("X-Amz-Signature=") && address.contains("X-Amz-Expires=300"), "{address}");
    let absent = store.address(space(), BlobHash::of(b"absent"), &headers).await.unwrap();
    assert_eq!(absent, None, "no caller is sent to an object that is not there");
}

#[tokio::test]
async fn a_copy_to_a_bucket_is_complete_and_goes_on_after_an_interruption() {
    let Some(bucket) = TestBucket::new() else { return };
    let (folder, store) = (tempfile::tempdir().unwrap(), bucket.store());
    let source = FileStore::in_folder(folder.path()).unwrap();
    put_in_pieces(&source, &bytes(9 * MIB)).await;
    let damaged = put_in_pieces(&source, &bytes(100)).await;
    let upload = StoredUpload { space: space(), import: ImportId::from_uuid(Uuid::from_u128(3)) };
    source.keep_upload(upload, stream::iter([Ok(bytes(2 * MIB))])).await.unwrap();
    source.put(space(), damaged, Bytes::from_static(b"other bytes")).await.unwrap();
    // A foreign file in the folder is not copied.
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();

    let copy = async |verify: bool| {
        let mut outcomes = Vec::new();
        for object in objects(&source).await {
            outcomes.push(store.copy_from(&source, &object, verify).await.unwrap());
        }
        outcomes.sort_by_key(|outcome| format!("{outcome:?}"));
        outcomes
    };
    assert_eq!(copy(false).await, [Copied::Damaged, Copied::Written, Copied::Written]);
    assert_eq!(copy(false).await, [Copied::Damaged, Copied::Present, Copied::Present]);
    source.put(space(), damaged, bytes(100)).await.unwrap();
    assert_eq!(copy(false).await, [Copied::Present, Copied::Present, Copied::Written]);
    assert_eq!(objects(&store).await, objects(&source).await);

    // Different bytes of the same size are detected when they are read.
    store.put(space(), damaged, Bytes::from(vec![0; 100])).await.unwrap();
    assert_eq!(copy(false).await, [Copied::Present; 3]);
    assert_eq!(copy(true).await, [Copied::Present, Copied::Present, Copied::Written]);
    assert_eq!(store.get(space(), damaged, None).await.unwrap().unwrap(), bytes(100));
}

#[tokio::test]
async fn a_bucket_that_does_not_answer_is_an_outage_and_not_an_absent_file() {
    let access = S3Options {
        endpoint: Some("http://127.0.0.1:1".to_owned()),
        access_key: Some(("a".to_owned(), "b".to_owned())),
        ..S3Options::default()
    };
    let store = FileStore::open(&"s3://nowhere".parse().unwrap(), &access).unwrap();
    let error = store.get(space(), BlobHash::of(b"x"), None).await.unwrap_err();
    assert!(matches!(error, quire_storage::Error::StoreUnavailable(_)), "{error:?}");
}
