//! Letters of mathematical fonts, for which Unicode has separate characters.

use pulldown_latex::event::Font;

/// Returns a text in a font. Characters that the font lacks are unchanged.
pub(super) fn in_font(text: &str, font: Option<Font>) -> String {
    match font {
        None | Some(Font::UpRight | Font::Italic) => text.to_owned(),
        Some(font) => text.chars().map(|c| styled(c, font).unwrap_or(c)).collect(),
    }
}

/// Returns the code points of the first capital letter, small letter and digit of a font; 0 for a range that it lacks.
fn blocks(font: Font) -> (u32, u32, u32) {
    match font {
        Font::Bold => (0x1d400, 0x1d41a, 0x1d7ce),
        Font::BoldItalic | Font::BoldSymbol => (0x1d468, 0x1d482, 0x1d7ce),
        Font::Script => (0x1d49c, 0x1d4b6, 0),
        Font::BoldScript => (0x1d4d0, 0x1d4ea, 0x1d7ce),
        Font::Fraktur => (0x1d504, 0x1d51e, 0),
        Font::DoubleStruck => (0x1d538, 0x1d552, 0x1d7d8),
        Font::BoldFraktur => (0x1d56c, 0x1d586, 0x1d7ce),
        Font::SansSerif => (0x1d5a0, 0x1d5ba, 0x1d7e2),
        Font::BoldSansSerif => (0x1d5d4, 0x1d5ee, 0x1d7ec),
        Font::SansSerifItalic => (0x1d608, 0x1d622, 0x1d7e2),
        Font::SansSerifBoldItalic => (0x1d63c, 0x1d656, 0x1d7ec),
        Font::Monospace => (0x1d670, 0x1d68a, 0x1d7f6),
        Font::UpRight | Font::Italic | Font::DoubleStruckItalic => (0, 0, 0),
    }
}

/// Letters that Unicode encoded before the ranges of their fonts, outside of these ranges.
const OLD: [(char, char, Font); 29] = [
    ('B', 'ℬ', Font::Script),
    ('E', 'ℰ', Font::Script),
    ('F', 'ℱ', Font::Script),
    ('H', 'ℋ', Font::Script),
    ('I', 'ℐ', Font::Script),
    ('L', 'ℒ', Font::Script),
    ('M', 'ℳ', Font::Script),
    ('R', 'ℛ', Font::Script),
    ('e', 'ℯ', Font::Script),
    ('g', 'ℊ', Font::Script),
    ('o', 'ℴ', Font::Script),
    ('C', 'ℭ', Font::Fraktur),
    ('H', 'ℌ', Font::Fraktur),
    ('I', 'ℑ', Font::Fraktur),
    ('R', 'ℜ', Font::Fraktur),
    ('Z', 'ℨ', Font::Fraktur),
    ('C', 'ℂ', Font::DoubleStruck),
    ('H', 'ℍ', Font::DoubleStruck),
    ('N', 'ℕ', Font::DoubleStruck),
    ('P', 'ℙ', Font::DoubleStruck),
    ('Q', 'ℚ', Font::DoubleStruck),
    ('R', 'ℝ', Font::DoubleStruck),
    ('Z', 'ℤ', Font::DoubleStruck),
    ('h', 'ℎ', Font::Italic),
    ('D', 'ⅅ', Font::DoubleStruckItalic),
    ('d', 'ⅆ', Font::DoubleStruckItalic),
    ('e', 'ⅇ', Font::DoubleStruckItalic),
    ('i', 'ⅈ', Font::DoubleStruckItalic),
    ('j', 'ⅉ', Font::DoubleStruckItalic),
];

fn styled(c: char, font: Font) -> Option<char> {
    if let Some((_, old, _)) = OLD.iter().find(|(letter, _, of)| *letter == c && *of == font) {
        return Some(*old);
    }
    let (capitals, small, digits) = blocks(font);
    let (first, start) = match c {
        'A'..='Z' => ('A', capitals),
        'a'..='z' => ('a', small),
        '0'..='9' => ('0', digits),
        _ => return None,
    };
    let offset = u32::from(c).checked_sub(u32::from(first))?;
    char::from_u32(start.checked_add(offset)?).filter(|_| start > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_fonts() {
        assert_eq!(in_font("AZaz09é", Some(Font::Bold)), "𝐀𝐙𝐚𝐳𝟎𝟗é");
        assert_eq!(in_font("RA1", Some(Font::DoubleStruck)), "ℝ𝔸𝟙");
        assert_eq!(in_font("L1", Some(Font::Script)), "ℒ1");
        assert_eq!(in_font("x", None), "x");
    }
}
