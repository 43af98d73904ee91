//! Names of entries in an unknown encoding.
//!
//! A name is UTF-8 by its flag, by an Info-ZIP Unicode Path field (which the zip reader applies), or because its bytes
//! are valid UTF-8. All other names are assumed to be in the same encoding, that of the machine that packed them, since
//! a single short name is not enough to detect an encoding.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GBK, SHIFT_JIS, WINDOWS_1252};

/// Encoding of the names that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameEncoding {
    /// DOS code page, the default of the format.
    Dos,
    /// An encoding of the WHATWG standard.
    Known(&'static Encoding),
}

impl NameEncoding {
    /// Detects the encoding over all names that are not UTF-8; `None` if all are.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n [u8]>) -> Option<Self> {
        let names: Vec<&[u8]> = names.filter(|name| std::str::from_utf8(name).is_err()).collect();
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        let (mut runs, mut high, mut dos_letters) = (0_usize, 0_usize, 0_usize);
        for name in &names {
            // Extensions and slashes are ASCII and carry no information, but they end the words before them.
            detector.feed(name, false);
            detector.feed(b"\n", false);
            let mut before = 0;
            for byte in *name {
                runs += usize::from(!byte.is_ascii() && before < 0x80);
                high += usize::from(!byte.is_ascii());
                dos_letters += usize::from(is_dos_letter(*byte));
                before = *byte;
            }
        }
        detector.feed(b"", true);
        let found = detector.guess(None, Utf8Detection::Deny);
        // In Latin scripts, accented letters are isolated among ASCII letters; in other scripts, multi-byte letters are
        // adjacent.
        let is_western = high * 2 < runs * 3;
        match (high, is_western) {
            (0, _) => None,
            (_, true) if dos_letters == high => Some(Self::Dos),
            (_, true) if !found.is_single_byte() => Some(Self::Known(WINDOWS_1252)),
            (_, false) if is_latin(found) => Some(Self::Known(east_asian(&names).unwrap_or(found))),
            _ => Some(Self::Known(found)),
        }
    }

    /// Returns the name for the report.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dos => "CP437",
            Self::Known(encoding) => encoding.name(),
        }
    }

    /// Decodes a name that is not UTF-8; `dos` returns the name according to the format's default.
    pub(super) fn decode<'n>(self, name: &'n [u8], dos: impl FnOnce() -> Cow<'n, str>) -> Cow<'n, str> {
        match self {
            Self::Dos => dos(),
            Self::Known(encoding) => encoding.decode_without_bom_handling(name).0,
        }
    }
}

/// Returns whether an encoding is for Latin letters, where few consecutive letters are outside ASCII.
fn is_latin(encoding: &'static Encoding) -> bool {
    const LATIN: [&str; 9] = [
        "windows-1250",
        "windows-1252",
        "windows-1254",
        "windows-1257",
        "windows-1258",
        "ISO-8859-2",
        "ISO-8859-4",
        "macintosh",
        "ISO-8859-16",
    ];
    LATIN.contains(&encoding.name())
}

/// Returns the East Asian encoding in which all names are words. The detector needs more letters than a few names have.
fn east_asian(names: &[&[u8]]) -> Option<&'static Encoding> {
    let is_word = |c: char| !matches!(c, '\u{ff61}'..='\u{ff9f}' | '\u{e000}'..='\u{f8ff}');
    let reads = |encoding: &&'static Encoding, name: &[u8]| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(name);
        text.is_some_and(|text| text.chars().all(is_word))
    };
    [SHIFT_JIS, GBK].into_iter().find(|encoding| names.iter().all(|name| reads(encoding, name)))
}

/// Returns whether a byte is a letter in code pages 437 and 850 alike, but not in Western Windows encodings.
fn is_dos_letter(byte: u8) -> bool {
    matches!(byte, 0x80..=0x9a | 0xa0..=0xa5)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251};

    use super::*;

    fn detected(names: &[&[u8]]) -> Option<NameEncoding> {
        NameEncoding::of(names.iter().copied())
    }

    #[test]
    fn names_tell_their_encoding_together() {
        for (encoding, names) in [
            (WINDOWS_1252, &["café.md", "déjà vu.md", "Übersicht.md"][..]),
            (WINDOWS_1252, &["café.md"]),
            (GBK, &["安装指南.md", "概述.md", "图片/架构.png"]),
            (GBK, &["中文文档.md"]),
            (SHIFT_JIS, &["日本語の説明.md", "概要.md"]),
            (SHIFT_JIS, &["日本語.md"]),
            (WINDOWS_1251, &["Установка программы.md", "Обзор.md"]),
            (BIG5, &["安裝說明文件.md", "使用者手冊.md"]),
            (EUC_KR, &["설치 안내.md", "개요.md"]),
        ] {
            let bytes: Vec<Vec<u8>> = names.iter().map(|name| encoding.encode(name).0.into_owned()).collect();
            let bytes: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
            assert_eq!(detected(&bytes), Some(NameEncoding::Known(encoding)), "{names:?}");
            let read = NameEncoding::Known(encoding).decode(bytes[0], || unreachable!());
            assert_eq!(read, names[0]);
        }
    }

    #[test]
    fn single_letters_of_the_dos_code_page_are_distinguished_from_windows() {
        // "café.md", "Übersicht.md" and "présentation.md" in code page 437.
        assert_eq!(
            detected(&[b"caf\x82.md", b"\x9abersicht.md", b"pr\x82sentation.md"]),
            Some(NameEncoding::Dos)
        );
        assert_eq!(detected(&[b"caf\xe9.md"]), Some(NameEncoding::Known(WINDOWS_1252)));
    }

    #[test]
    fn names_in_utf8_need_no_detection() {
        assert_eq!(detected(&["café.md".as_bytes(), b"plain.md"]), None);
        assert_eq!(detected(&[]), None);
    }
}
