use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use quire_domain::imports::ImportStatus::{self, Changed, Failed, Skipped};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use bytes::Bytes;

use super::*;

const LIMITS: ArchiveLimits =
    ArchiveLimits { max_entries: 10, max_total_bytes: 100_000, ratio_from_bytes: 10_000, max_ratio: 100 };

fn zip(entries: &[(&str, &[u8])]) -> Bytes {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner().into()
}

/// Overwrites each occurrence of a name, which keeps sizes and offsets.
fn rename(archive: &Bytes, from: &str, to: &str) -> Bytes {
    assert_eq!(from.len(), to.len());
    let mut bytes = archive.to_vec();
    let offsets: Vec<usize> =
        (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
    for at in offsets {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    bytes.into()
}

fn read_zip(archive: &Bytes, limits: ArchiveLimits) -> Result<SourceTree, ArchiveError> {
    super::read_zip(&archive.clone().into(), limits, &Progress::default())
}

fn reported(tree: &SourceTree) -> Vec<(&str, ImportStatus)> {
    tree.report.iter().map(|entry| (entry.path.as_str(), entry.status)).collect()
}

fn paths(tree: &SourceTree) -> Vec<&str> {
    tree.files.keys().map(String::as_str).collect()
}

#[test]
fn files_come_out_below_the_common_folder() {
    let archive =
        zip(&[("docs/SUMMARY.md", b"# S"), ("docs/.gitbook/assets/a b.png", b"png"), ("docs/x/y.md", b"")]);
    let tree = read_zip(&archive, LIMITS).unwrap();
    assert_eq!(paths(&tree), [".gitbook/assets/a b.png", "SUMMARY.md", "x/y.md"]);
    assert_eq!(tree.bytes("SUMMARY.md").unwrap(), "# S");
    assert_eq!(reported(&tree), []);
}

#[test]
fn an_empty_archive_is_an_empty_tree() {
    let archive = zip(&[]);
    assert!(is_zip(&archive));
    assert_eq!(read_zip(&archive, LIMITS).unwrap(), SourceTree::default());
}

#[test]
fn other_files_than_archives_are_refused() {
    for bytes in [&b""[..], b"PK\x03\x04", b"<html>", b"PK\x05\x06\0\0"] {
        let error = read_zip(&Bytes::copy_from_slice(bytes), LIMITS).unwrap_err();
        assert!(matches!(error, ArchiveError::Unreadable(_)), "{error:?}");
    }
}

#[test]
fn a_cut_archive_is_refused() {
    let archive = zip(&[("a.md", b"text"), ("b.md", b"text")]);
    for length in 0..archive.len() {
        assert!(read_zip(&archive.slice(..length), LIMITS).is_err(), "{length} bytes of it");
    }
}

#[test]
fn paths_that_climb_or_are_absolute_are_left_out() {
    let archive = zip(&[("aa/b.md", b"1"), ("cc.md", b"2"), ("dd/e.md", b"3"), ("f.md", b"4")]);
    let archive = rename(&rename(&archive, "aa/b.md", "../b.md"), "cc.md", "/c.md");
    let tree = read_zip(&rename(&archive, "dd/e.md", "dd\\e.md"), LIMITS).unwrap();
    assert_eq!(paths(&tree), ["dd/e.md", "f.md"]);
    assert_eq!(reported(&tree), [("../b.md", Skipped), ("/c.md", Skipped), ("dd\\e.md", Changed)]);
}

#[test]
fn symbolic_links_are_left_out() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("passwd.md", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    writer.start_file("a.md", SimpleFileOptions::default()).unwrap();
    let archive = writer.finish().unwrap().into_inner().into();
    let tree = read_zip(&archive, LIMITS).unwrap();
    assert_eq!(paths(&tree), ["a.md"]);
    assert_eq!(reported(&tree), [("passwd.md", Skipped)]);
}

#[test]
fn one_of_two_equal_names_is_used_and_reported() {
    let archive = rename(&zip(&[("a.md", b"one"), ("b.md", b"two")]), "b.md", "a.md");
    let tree = read_zip(&archive, LIMITS).unwrap();
    assert_eq!(tree.files.len(), 1);
    assert_eq!(reported(&tree), [("", Changed)]);
}

#[test]
fn names_without_the_flag_of_utf8_are_read_in_one_detected_encoding() {
    for (names, read) in [
        ([&b"caf\xe9.md"[..], b"\xfcber.md"], ["café.md", "über.md"]),
        ([b"caf\x82.md", b"\x81ber.md"], ["café.md", "über.md"]),
        ([b"\xd6\xd0\xce\xc4.md", b"\xb8\xc5\xca\xf6.md"], ["中文.md", "概述.md"]),
    ] {
        // The writer flags names that are not ASCII, so names of the same length are written and then replaced.
        let ascii: Vec<String> = names.iter().zip(["x", "y"]).map(|(name, x)| x.repeat(name.len())).collect();
        let archive = zip(&[(&ascii[0], b"one"), (&ascii[1], b"two"), ("plain.md", b"")]);
        let mut bytes = archive.to_vec();
        for (ascii, name) in ascii.iter().zip(names) {
            for at in 0..bytes.len() - name.len() {
                if bytes[at..].starts_with(ascii.as_bytes()) {
                    bytes[at..at + name.len()].copy_from_slice(name);
                }
            }
        }
        let tree = read_zip(&bytes.into(), LIMITS).unwrap();
        let mut paths = paths(&tree);
        paths.retain(|path| *path != "plain.md");
        assert_eq!(paths.len(), 2);
        assert!(read.iter().all(|name| paths.contains(name)), "{paths:?}");
        assert_eq!(reported(&tree), [("", Changed)]);
        assert!(tree.report[0].message.contains("read as "), "{:?}", tree.report);
    }
}

#[test]
fn the_main_part_of_a_word_document_may_have_any_name() {
    for (part, is_word) in [
        ("word/document.xml", true),
        ("word/main2.xml", true),
        ("word/media/a.xml", false),
        ("ppt/a.xml", false),
    ] {
        let archive = zip(&[("[Content_Types].xml", b""), (part, b"")]).into();
        assert_eq!(is_docx(&archive, LIMITS), is_word, "{part}");
    }
}

#[test]
fn an_encrypted_entry_is_left_out() {
    let archive = zip(&[("a.md", b"one"), ("b.md", b"two")]);
    let mut bytes = archive.to_vec();
    // The lowest flag of the first central header marks the entry as encrypted (APPNOTE 4.4.4).
    let central = (0..bytes.len()).find(|at| bytes[*at..].starts_with(b"PK\x01\x02")).unwrap();
    bytes[central + 8] |= 1;
    let tree = read_zip(&bytes.into(), LIMITS).unwrap();
    assert_eq!(paths(&tree), ["b.md"]);
    assert_eq!(tree.report, [report::failed("a.md", "it is encrypted")]);
}

#[test]
fn a_damaged_entry_is_left_out() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("a.md", stored).unwrap();
    writer.write_all(b"original words").unwrap();
    let archive = rename(&writer.finish().unwrap().into_inner().into(), "original", "tampered");
    let tree = read_zip(&archive, LIMITS).unwrap();
    assert_eq!(reported(&tree), [("a.md", Failed)]);
}

#[test]
fn too_many_entries_refuse_the_archive() {
    let names: Vec<String> = (0..11).map(|number| format!("{number}.md")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let error = read_zip(&zip(&entries), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::TooManyFiles { entries: 11, limit: 10 }), "{error:?}");
}

/// Returns an archive of ten pages and other files.
fn repository(others: &[String]) -> Bytes {
    let pages: Vec<String> = (0..10).map(|number| format!("{number}.md")).collect();
    let names = pages.iter().chain(others);
    zip(&names.map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>())
}

#[test]
fn files_of_other_kinds_have_a_limit_of_their_own() {
    let code = |count: usize| (0..count).map(|number| format!("src/{number}.rs")).collect::<Vec<_>>();
    assert_eq!(read_zip(&repository(&code(90)), LIMITS).unwrap().files.len(), 100);
    let error = read_zip(&repository(&code(91)), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::TooManyEntries { entries: 101, limit: 100 }), "{error:?}");
    // Pictures in hidden folders are not documentation, except for those of GitBook.
    assert!(read_zip(&repository(&[".icons/a.svg".to_owned()]), LIMITS).is_ok());
    for name in ["a.png", "A.PDF", ".gitbook/assets/a.bin", "docs/.gitbook/includes/a.md"] {
        let error = read_zip(&repository(&[name.to_owned()]), LIMITS).unwrap_err();
        assert!(matches!(error, ArchiveError::TooManyFiles { entries: 11, limit: 10 }), "{error:?}");
    }
}

#[test]
fn many_entries_with_long_names_are_refused_before_the_names_are_read() {
    let others: Vec<String> = (0..300).map(|number| format!("{number}{}", "x".repeat(60_000))).collect();
    let names: Vec<(&str, &[u8])> = others.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let limits = ArchiveLimits { max_entries: 299, ..LIMITS };
    let error = read_zip(&stored(&names), limits).unwrap_err();
    assert!(matches!(error, ArchiveError::TooManyEntries { entries: 300, limit: 299 }), "{error:?}");
    assert_eq!(read_zip(&stored(&names[..200]), limits).unwrap().report.len(), 200);
}

#[test]
fn a_bomb_is_refused_by_its_ratio() {
    let error = read_zip(&zip(&[("zeros.bin", &[0; 50_000])]), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::Ratio { .. }), "{error:?}");
}

/// Returns an archive with a gigabyte of zeros at deflate's maximum ratio, made of one packed mebibyte repeated 1,024
/// times. `claimed` is the size in its headers.
fn gigabyte_of_zeros(claimed: u32) -> Bytes {
    let mut block = Vec::with_capacity(1 << 16);
    let mut deflate = flate2::Compress::new(flate2::Compression::best(), false);
    deflate.compress_vec(&vec![0; 1 << 20], &mut block, flate2::FlushCompress::Full).unwrap();
    assert_eq!(deflate.total_in(), 1 << 20);
    let mut packed = block.repeat(1_024);
    // The last block: an empty one in the fixed code (RFC 1951, 3.2.3).
    packed.extend([3, 0]);
    let name = b"zeros.bin";
    // Version, flags, method, time, date, checksum, sizes and lengths of name and extra field (APPNOTE 4.3.7).
    let sizes = [u32::try_from(packed.len()).unwrap(), claimed].map(u32::to_le_bytes).concat();
    let fields = [&[20, 0, 0, 0, 8, 0, 0, 0, 33, 0][..], &[0; 4], &sizes, &[9, 0, 0, 0]].concat();
    let local = [b"PK\x03\x04", &fields[..], name, &packed].concat();
    // The version that made it, then the fields, then five fields without a value (APPNOTE 4.3.12).
    let central = [b"PK\x01\x02", &[20, 0][..], &fields, &[0; 14], name].concat();
    let directory = [central.len(), local.len()].map(|n| u32::try_from(n).unwrap().to_le_bytes()).concat();
    let end = [b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0][..], &directory, &[0, 0]].concat();
    [local, central, end].concat().into()
}

#[test]
fn a_gigabyte_of_zeros_is_refused_before_any_of_it_is_unpacked() {
    let archive = gigabyte_of_zeros(1 << 30);
    assert!(archive.len() < 4 << 20, "{}", archive.len());
    let limits = ArchiveLimits::default();
    let mut left = Remaining::new(limits);
    let error = unpack_all(&mut SourceTree::default(), &archive.into(), &mut left, &Progress::default());
    assert!(matches!(error, Err(ArchiveError::TooLarge { .. } | ArchiveError::Ratio { .. })), "{error:?}");
    assert_eq!(left.bytes, limits.max_total_bytes, "nothing was unpacked");
}

#[test]
fn a_gigabyte_that_claims_to_be_small_costs_no_more_than_its_claim() {
    let mut left = Remaining::new(ArchiveLimits::default());
    let mut tree = SourceTree::default();
    unpack_all(&mut tree, &gigabyte_of_zeros(50_000).into(), &mut left, &Progress::default()).unwrap();
    assert_eq!(reported(&tree), [("zeros.bin", Failed)]);
    let cost = ArchiveLimits::default().max_total_bytes - left.bytes;
    assert!(cost <= 50_000, "{cost}");
}

/// Returns an archive of entries without packing.
fn stored(entries: &[(&str, &[u8])]) -> Bytes {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner().into()
}

fn of_many_entries(count: usize) -> Bytes {
    let names: Vec<String> = (0..count).map(|number| format!("{number}.md")).collect();
    stored(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>())
}

fn end_of(archive: &[u8]) -> usize {
    (0..archive.len()).rfind(|at| archive[*at..].starts_with(b"PK\x05\x06")).unwrap()
}

fn with_comment(archive: &Bytes, comment: &[u8]) -> Bytes {
    let end = end_of(archive);
    let length = u16::try_from(comment.len()).unwrap().to_le_bytes();
    [&archive[..end + 20], &length, comment].concat().into()
}

/// Returns the archive with a zip64 record, its locator and an end record that refers to them (APPNOTE 4.3.14 to 16).
/// `data` are extensible data of the record, which declares `entries`.
fn zip64(archive: &Bytes, entries: u64, data: &[u8]) -> Bytes {
    let end = end_of(archive);
    let field = |at: usize| u64::from(u32::from_le_bytes(archive[end + at..][..4].try_into().unwrap()));
    let sizes = [u64::try_from(44 + data.len()).unwrap()].map(u64::to_le_bytes).concat();
    let counts = [entries, entries, field(12), field(16)].map(u64::to_le_bytes).concat();
    let record = [&b"PK\x06\x06"[..], &sizes, &[45, 0, 45, 0], &[0; 8], &counts, data].concat();
    let at = u64::try_from(end).unwrap().to_le_bytes();
    let locator = [&b"PK\x06\x07"[..], &[0; 4], &at, &[1, 0, 0, 0]].concat();
    [&archive[..end], &record, &locator, b"PK\x05\x06\0\0\0\0", &[0xff; 12], &[0, 0]].concat().into()
}

#[test]
fn only_the_record_at_the_end_counts() {
    let many = of_many_entries(20);
    let record = [&b"PK\x06\x06"[..], &[0xff; 60]].concat();
    let end = [&b"PK\x05\x06"[..], &[0; 6], &[0xfe, 0xff], &[0; 10]].concat();
    for inside in [&many[..], &record, &end, &many.repeat(3), &zip64(&many, 1 << 40, b"")] {
        for archive in [stored(&[("a.zip", inside)]), stored(&[("a.zip", inside), ("b.md", &[7; 70_000])])] {
            assert_eq!(entries_of(&archive), Some(archive_len(&archive)));
            let tree = read_zip(&archive, LIMITS).unwrap();
            assert_eq!(tree.bytes("a.zip").unwrap(), inside);
            assert_eq!(reported(&tree), []);
        }
    }
}

fn entries_of(archive: &Bytes) -> Option<u64> {
    declared(&archive.clone().into()).unwrap().map(|declared| declared.entries)
}

fn archive_len(archive: &Bytes) -> u64 {
    ZipArchive::new(Cursor::new(archive)).unwrap().len().try_into().unwrap()
}

#[test]
fn records_in_comments_and_behind_the_archive_do_not_count() {
    let (archive, many) = (stored(&[("a.md", b"1")]), of_many_entries(20));
    let end = [&b"PK\x05\x06"[..], &[0xff; 18]].concat();
    for comment in [b"a comment", &many[..many.len() - 1], &end, &vec![b'x'; 65_535]] {
        let archive = with_comment(&archive, comment);
        assert_eq!(entries_of(&archive), Some(1));
        assert_eq!(paths(&read_zip(&archive, LIMITS).unwrap()), ["a.md"]);
    }
    let followed: Bytes = [&archive[..], &end].concat().into();
    assert_eq!(paths(&read_zip(&followed, LIMITS).unwrap()), ["a.md"]);
}

#[test]
fn the_count_of_a_zip64_record_is_found() {
    let archive = stored(&[("a.md", b"1"), ("b.zip", &of_many_entries(20))]);
    for data in [0, 100, 65_535] {
        let long = zip64(&archive, 2, &vec![0; data]);
        assert_eq!(entries_of(&long), Some(2), "{data}");
        assert_eq!(read_zip(&long, LIMITS).unwrap().files.len(), 2);
    }
    let error = read_zip(&zip64(&archive, 1 << 40, b""), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::TooManyEntries { .. }), "{error:?}");
    // The zip reader would keep the extensible data regardless of their size.
    let error = read_zip(&zip64(&archive, 2, &[0; 70_000]), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::Unreadable(_)), "{error:?}");
}

#[test]
fn entries_are_counted_wherever_the_zip_reader_would_find_them() {
    // A later record without a valid directory makes the reader look for an earlier one.
    let broken = [&b"PK\x05\x06"[..], &[0, 0, 0, 0, 1, 0, 1, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0]].concat();
    let archive: Bytes = [&of_many_entries(11)[..], &broken].concat().into();
    let error = read_zip(&archive, LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::TooManyEntries { entries: 11, .. }), "{error:?}");
    // Self-extracting programs have the archive at their end.
    let behind: Bytes = [&vec![0; 3_000_000][..], &of_many_entries(3)].concat().into();
    assert_eq!(entries_of(&behind), Some(3));
}

#[test]
fn an_archive_is_read_where_it_lies() {
    let noise: Vec<u8> =
        (0..30_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).take(90_000).collect();
    let archive = zip(&[("d/a.bin", &noise), ("d/b.md", b"# B")]);
    let on_disk = Spool::default().copy(&archive.to_vec().into()).unwrap();
    let progress = Progress::default();
    let tree = super::read_zip(&on_disk, LIMITS, &progress).unwrap();
    assert_eq!(tree, read_zip(&archive, LIMITS).unwrap());
    assert_eq!(tree.bytes("a.bin").unwrap(), noise);
    let state = progress.now();
    assert_eq!((state.phase, state.done, state.total), (Some(ImportPhase::Reading), 2, Some(2)));
}

#[test]
fn many_entries_together_must_not_pass_the_total() {
    let text: Vec<u8> =
        (0..40_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).take(40_000).collect();
    let entries = [("a.bin", &text[..]), ("b.bin", &text[..]), ("c.bin", &text[..])];
    let error = read_zip(&zip(&entries), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::TooLarge { limit: 100_000 }), "{error:?}");
    assert_eq!(read_zip(&zip(&entries[..2]), LIMITS).unwrap().files.len(), 2);
}

#[test]
fn archives_inside_stay_closed() {
    let inner = zip(&[("secret.md", b"x")]);
    let tree = read_zip(&zip(&[("attachments/inner.zip", &inner), ("a.md", b"")]), LIMITS).unwrap();
    assert_eq!(tree.bytes("attachments/inner.zip").unwrap(), inner);
}

proptest! {
    #[test]
    fn damage_never_panics_nor_passes_a_bound(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = zip(&[("docs/a.md", b"# Title and text"), ("docs/b.png", &[7; 200]), ("docs/c/", b"")]).to_vec();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(tree) = read_zip(&bytes.into(), LIMITS) {
            let total: usize = tree.files.values().map(crate::spool::Content::len).sum();
            prop_assert!(total <= 100_000);
            prop_assert!(tree.files.keys().all(|path| !path.split('/').any(|segment| matches!(segment, "" | ".."))));
        }
    }
}

#[test]
fn word_documents_are_recognized_by_their_parts() {
    for (names, expected) in [
        (["[Content_Types].xml", "word/document.xml"], true),
        (["[Content_Types].xml", "word/document2.xml"], true),
        (["[Content_Types].xml", "word/media/image1.png"], false),
        (["[Content_Types].xml", "xl/workbook.xml"], false),
        (["notes.md", "word/document.xml"], false),
    ] {
        let archive = zip(&names.map(|name| (name, b"x".as_slice())));
        assert_eq!(is_docx(&archive.into(), LIMITS), expected, "{names:?}");
    }
}
