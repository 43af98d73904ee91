//! Decoding of text in an undeclared encoding.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A decoded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The text, without byte order mark, with line ends as `\n` and NUL as the replacement character.
    pub(crate) text: String,
    /// Note for the report: the encoding if it was not UTF-8, or other changes.
    pub(crate) note: Option<String>,
}

/// Decodes a text. The encoding is determined by the byte order mark, otherwise as UTF-8 if valid, as UTF-16 if every
/// other byte of the beginning is NUL, by the declaration of an HTML page, or by detection, in this order.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None => guess(bytes),
    };
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    let mut notes = Vec::new();
    if encoding != UTF_8 {
        notes.push(format!("its text was read as {}", encoding.name()));
    }
    if malformed {
        notes.push("bytes that are not text were replaced".to_owned());
    }
    if text.contains('\0') {
        notes.push("NUL characters were replaced".to_owned());
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}");
    Decoded { text, note: (!notes.is_empty()).then(|| notes.join("; ")) }
}

/// Returns the encoding of a text without a byte order mark.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let sample = bytes.get(..512).unwrap_or(bytes);
    let nul_at = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    // In Western UTF-16 text nearly every other byte is NUL; three quarters allow for other scripts.
    let mostly = |count: usize| sample.len() >= 4 && count * 8 >= sample.len() * 3;
    if mostly(nul_at(1)) {
        UTF_16LE
    } else if mostly(nul_at(0)) {
        UTF_16BE
    } else if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        declared(bytes).unwrap_or_else(|| detected(bytes))
    }
}

/// Bytes examined to detect an encoding: enough for any script at little cost.
const DETECTED: usize = 64 * 1024;

/// Detects the encoding of a text by its letters. The ASCII prefix of a long text is skipped.
fn detected(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or_default();
    let from = bytes.get(first.saturating_sub(DETECTED / 16)..).unwrap_or_default();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(from.get(..DETECTED).unwrap_or(from), true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Returns the encoding that an HTML page declares in its head (`<meta charset=…>`), within the first kilobyte as in
/// browsers.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..1024).unwrap_or(bytes)).to_ascii_lowercase();
    let (_, meta) = head.split_once("<meta")?;
    let (_, label) = meta.split_once("charset=")?;
    let label = label.trim_start_matches(['"', '\'']).split(['"', '\'', '>', ' ', ';', '/']).next()?;
    // A declaration that is readable as single bytes cannot be in UTF-16.
    Encoding::for_label(label.as_bytes()).filter(|encoding| ![UTF_8, UTF_16LE, UTF_16BE].contains(encoding))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    fn text(bytes: &[u8]) -> String {
        decode(bytes).text
    }

    #[test]
    fn utf8_passes_without_a_note_and_loses_its_mark() {
        assert_eq!(
            decode("# Grüße\r\n東京\r".as_bytes()),
            Decoded { text: "# Grüße\n東京\n".into(), note: None }
        );
        assert_eq!(decode("\u{FEFF}# Hi".as_bytes()), Decoded { text: "# Hi".into(), note: None });
        assert_eq!(text(b""), "");
    }

    #[test]
    fn utf16_is_found_with_and_without_its_mark() {
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            for source in ["\u{FEFF}# Grüße an alle", "# Grüße an alle"] {
                let decoded = decode(&utf16(source, to_bytes));
                assert_eq!(decoded.text, "# Grüße an alle");
                assert!(decoded.note.unwrap().contains("UTF-16"));
            }
        }
    }

    #[test]
    fn other_text_than_utf8_is_read_as_western() {
        let decoded = decode(b"caf\xe9 \x96 \x80 5");
        assert_eq!(decoded.text, "café – € 5");
        assert!(decoded.note.unwrap().contains("windows-1252"));
    }

    #[test]
    fn the_encodings_of_other_scripts_are_detected() {
        for (encoding, source) in [
            (encoding_rs::GBK, "# 安装指南\n\n请先下载软件包，然后运行安装程序。\n"),
            (encoding_rs::SHIFT_JIS, "# 概要\n\nこの文書は、インストールの手順を説明します。\n"),
            (encoding_rs::WINDOWS_1251, "# Обзор\n\nЗдесь описана установка программы.\n"),
        ] {
            let decoded = decode(&encoding.encode(source).0);
            assert_eq!(decoded.text, source);
            assert_eq!(decoded.note, Some(format!("its text was read as {}", encoding.name())));
        }
    }

    #[test]
    fn an_html_page_may_declare_its_encoding() {
        let page = b"<html><head><META http-equiv='Content-Type' content=\"text/html; charset=Shift_JIS\"></head>\x93\xfa\x96{";
        assert!(decode(page).text.ends_with("日本"), "{:?}", decode(page));
        assert!(text(b"<meta charset=utf-16>caf\xe9").ends_with("café"));
    }

    #[test]
    fn nul_never_reaches_a_text() {
        let decoded = decode(b"a\0bcdefgh");
        assert_eq!(decoded.text, "a\u{FFFD}bcdefgh");
        assert!(decoded.note.is_some());
    }
}
