//! Text in other scripts.

use std::path::Path;

use serde_json::json;

use crate::pdf::{Book, paragraph};

/// Debian's font folder.
const FONTS: &str = "/usr/share/fonts";
/// A font that `scripts/bootstrap` installs if possible.
const CHINESE: &str = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc";

#[test]
fn greek_cyrillic_and_hebrew_need_no_fonts_of_the_system() {
    let pdf = Book::of(json!([paragraph("Ελληνικά Русский")])).pdf();
    pdf.says("Ελληνικά");
    pdf.says("Русский");
    assert!(pdf.fonts().iter().all(|font| font.contains("Libertinus")), "{:?}", pdf.fonts());
}

#[test]
fn fonts_of_a_folder_write_what_the_built_in_ones_cannot() {
    if !Path::new(CHINESE).exists() {
        return;
    }
    let words = "漢字 かな 한국어 हिन्दी ไทย مرحبا";
    let without = Book::of(json!([paragraph(words)])).pdf();
    let pdf = Book::of(json!([paragraph(words)])).argument("--fonts").argument(FONTS).pdf();
    assert!(pdf.fonts().len() > without.fonts().len(), "{:?} {:?}", pdf.fonts(), without.fonts());
    for word in ["漢字", "かな", "한국어"] {
        pdf.says(word);
    }
}

#[test]
fn a_character_without_a_font_is_no_fault() {
    Book::of(json!([paragraph("𒀀 \u{10ffff} \u{e000} fine")])).pdf().says("fine");
}

/// An emoji font that `scripts/bootstrap` installs if possible.
const EMOJI: &str = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf";

#[test]
fn joined_emoji_are_one_picture() {
    let emoji = json!([paragraph("Ask 🙋\u{200d}♀\u{fe0f} now")]);
    let named = Book::of(emoji.clone()).pdf();
    named.says("Ask :woman raising hand: now");
    if !Path::new(EMOJI).exists() {
        return;
    }
    let pdf = Book::of(emoji).argument("--fonts").argument("/usr/share/fonts/truetype/noto").pdf();
    assert!(!pdf.text.contains("♀") || pdf.text.contains("🙋"), "{}", pdf.text);
    assert!(!pdf.text.contains("woman"), "{}", pdf.text);
}
