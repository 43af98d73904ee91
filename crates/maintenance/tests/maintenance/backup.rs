//! Backups and their restores.

use std::fs;
use std::path::{Path, PathBuf};

use quire_maintenance::{CheckOptions, Error, Restored, Target, back_up, check, restore};
use quire_revision::BlobHash;
use quire_storage::MIGRATIONS;
use quire_storage::content::files::FileStore;
use quire_storage::migrations::Status;
use quire_test_support::{TestBucket, TestDatabase};
use tempfile::TempDir;

use crate::deployment::{Deployment, blocking, rows};

/// Empty deployment as the target of restores.
struct Elsewhere {
    database: TestDatabase,
    files: FileStore,
    folder: TempDir,
}

impl Elsewhere {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = FileStore::in_folder(folder.path()).unwrap();
        Self { database: TestDatabase::create("empty", |_| ()), files, folder }
    }

    fn restore(&self, archive: &Path) -> Result<Restored, Error> {
        let target = Target { database_url: &self.database.url, files: &self.files, keep_files: false };
        blocking(|| restore(archive, &target))
    }

    #[track_caller]
    fn refuses(&self, archive: &Path, says: &str) {
        match self.restore(archive) {
            Err(Error::Refused(sentence)) => assert!(sentence.contains(says), "{sentence}"),
            other => panic!("{other:?}"),
        }
    }

    /// Returns whether the database and the store are still empty.
    fn is_untouched(&self) -> bool {
        let is_empty = match MIGRATIONS.status(&self.database.url).unwrap() {
            Status::Behind { empty: true, .. } => true,
            _ => rows(&self.database.url).values().all(Vec::is_empty),
        };
        is_empty && fs::read_dir(self.folder.path()).unwrap().next().is_none()
    }
}

async fn archive(deployment: &Deployment, folder: &TempDir) -> PathBuf {
    let path = folder.path().join("backup.quire");
    let source = deployment.source();
    let manifest = blocking(|| back_up(&source, &path)).unwrap();
    assert_eq!((manifest.files.number, manifest.missing), (3, 0));
    path
}

#[actix_web::test]
async fn a_restored_deployment_has_the_same_rows_and_files() {
    let (folder, deployment) = (tempfile::tempdir().unwrap(), Deployment::new().await);
    let path = archive(&deployment, &folder).await;
    let elsewhere = Elsewhere::new();
    let restored = elsewhere.restore(&path).unwrap();
    assert_eq!(restored.header.migrations, MIGRATIONS.known().unwrap());
    assert!(restored.migrated.is_empty());
    let (before, after) = (rows(deployment.app.store.url()), rows(&elsewhere.database.url));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (table, rows) in before {
        assert!(rows == after[&table], "{table}");
    }
    for bytes in &deployment.files {
        let found = elsewhere.files.get(deployment.space, BlobHash::of(bytes), None).await.unwrap();
        assert!(found.unwrap() == *bytes);
    }
    let options = CheckOptions { read_files: true };
    let report = blocking(|| check(&elsewhere.database.url, &elsewhere.files, options)).unwrap();
    assert!(report.wrong() == 0 && report.files == 3, "{report:?}");

    // Neither a deployment in use nor an archive is ever overwritten.
    elsewhere.refuses(&path, "the database is not empty");
    let source = deployment.source();
    let again = blocking(|| back_up(&source, &path));
    assert!(matches!(again, Err(Error::Refused(sentence)) if sentence.ends_with("already exists")));
}

#[actix_web::test]
async fn an_archive_that_is_cut_off_or_damaged_anywhere_is_refused_and_leaves_nothing() {
    let (folder, deployment) = (tempfile::tempdir().unwrap(), Deployment::new().await);
    let path = archive(&deployment, &folder).await;
    let bytes = fs::read(&path).unwrap();
    let elsewhere = Elsewhere::new();
    let broken = folder.path().join("broken");
    let refused = |bytes: &[u8]| {
        fs::write(&broken, bytes).unwrap();
        match elsewhere.restore(&broken) {
            Err(Error::Refused(sentence)) => {
                assert!(
                    sentence.contains("cut off")
                        || sentence.contains("damaged")
                        || sentence.contains("not an archive"),
                    "{sentence}"
                );
            }
            other => panic!("{other:?}"),
        }
    };
    for length in [0, 1, 100, bytes.len() / 2, bytes.len() - 1] {
        refused(&bytes[..length]);
    }
    let content = zstd::decode_all(&*bytes).unwrap();
    let mut complete = 0;
    for at in (10..bytes.len()).step_by(bytes.len() / 16) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        // A few bits of a zstd stream do not affect its content.
        if zstd::decode_all(&*damaged).is_ok_and(|found| found == content) {
            complete += 1;
        } else {
            refused(&damaged);
        }
    }
    assert!(complete < 4, "{complete}");
    refused(b"PK\x03\x04 another kind of archive");
    assert!(elsewhere.is_untouched());
    elsewhere.restore(&path).unwrap();
}

/// Packs entries like an archive.
fn packed(path: &Path, entries: &[(&str, &str)]) {
    let encoder = zstd::stream::write::Encoder::new(fs::File::create(path).unwrap(), 1).unwrap();
    let mut tar = tar::Builder::new(encoder);
    for (name, text) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(text.len()).unwrap());
        tar.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
}

#[test]
fn newer_formats_newer_schemas_and_archives_without_a_manifest_are_refused() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), Elsewhere::new());
    let path = folder.path().join("archive");
    let header = |format: u32, migration: &str| {
        format!(
            r#"{{"format":{format},"kind":"deployment","quire":"9","createdAt":0,"migrations":["{migration}"],"columns":{{}}}}"#
        )
    };
    packed(&path, &[("quire-archive.json", &header(99, "1"))]);
    elsewhere.refuses(&path, "has format 99, and this program reads up to 1");
    packed(&path, &[("quire-archive.json", &header(1, "20990101000000"))]);
    elsewhere.refuses(&path, "it has no manifest");
    let manifest = r#"{"tables":{},"files":{"number":0,"bytes":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"uploads":{"number":0,"bytes":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"missing":0,"missingNames":[]}"#;
    packed(&path, &[("quire-archive.json", &header(1, "20990101000000")), ("manifest.json", manifest)]);
    elsewhere.refuses(&path, "this binary does not have the migrations 20990101000000");
    packed(&path, &[("notes.txt", "mine")]);
    elsewhere.refuses(&path, "is not an archive of Quire");
    assert!(elsewhere.is_untouched());
}

#[actix_web::test]
async fn a_store_with_files_is_refused_unless_they_are_to_be_kept() {
    let (folder, deployment) = (tempfile::tempdir().unwrap(), Deployment::new().await);
    let path = archive(&deployment, &folder).await;
    let elsewhere = Elsewhere::new();
    fs::write(elsewhere.folder.path().join("notes.txt"), "mine").unwrap();
    elsewhere.refuses(&path, "the store of files is not empty");
    let target = Target { database_url: &elsewhere.database.url, files: &elsewhere.files, keep_files: true };
    blocking(|| restore(&path, &target)).unwrap();
}

#[actix_web::test]
async fn files_that_are_missing_or_damaged_are_named_and_the_rest_is_saved() {
    let (folder, deployment) = (tempfile::tempdir().unwrap(), Deployment::new().await);
    let hashes: Vec<BlobHash> = deployment.files.iter().map(|bytes| BlobHash::of(bytes)).collect();
    let file = |hash: &BlobHash| {
        let hash = hash.to_string();
        deployment.app.store.folder.path().join(deployment.space.to_string()).join(&hash[..2]).join(&hash)
    };
    fs::remove_file(file(&hashes[0])).unwrap();
    fs::write(file(&hashes[1]), vec![8; 5 << 20]).unwrap();
    let path = folder.path().join("backup");
    let source = deployment.source();
    let manifest = blocking(|| back_up(&source, &path)).unwrap();
    assert_eq!((manifest.files.number, manifest.missing), (1, 2));
    let mut names = manifest.missing_names;
    names.sort_unstable();
    let mut expected: Vec<String> =
        hashes[..2].iter().map(|hash| format!("files/{}/{hash}", deployment.space)).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(Elsewhere::new().restore(&path).unwrap().manifest.missing, 2);
}

#[actix_web::test]
async fn a_bucket_is_saved_and_restored_like_a_folder() {
    let (Some(from), Some(to)) = (TestBucket::new(), TestBucket::new()) else { return };
    let (folder, deployment) = (tempfile::tempdir().unwrap(), Deployment::new().await);
    for bytes in &deployment.files {
        from.store().put(deployment.space, BlobHash::of(bytes), bytes.clone()).await.unwrap();
    }
    let path = folder.path().join("backup");
    let (bucket, target_bucket) = (from.store(), to.store());
    let source = quire_maintenance::Source { files: &bucket, ..deployment.source() };
    assert_eq!(blocking(|| back_up(&source, &path)).unwrap().missing, 0);
    let elsewhere = Elsewhere::new();
    let target = Target { database_url: &elsewhere.database.url, files: &target_bucket, keep_files: false };
    blocking(|| restore(&path, &target)).unwrap();
    let options = CheckOptions { read_files: true };
    let report = blocking(|| check(&elsewhere.database.url, &target_bucket, options)).unwrap();
    assert!(report.wrong() == 0 && report.files == 3, "{report:?}");
}
