//! Spellings of the emojis of reactions.
//!
//! Some clients write an emoji as characters, others as hexadecimal code points, and both with and without the
//! variation selector. They mean the same reaction, which keeps the spelling of the first user who gave it.

use std::borrow::Cow;

use crate::formats::{EMOJI_STYLE, characters};

/// Returns whether two reactions have the same emoji.
#[must_use]
pub fn is_same_emoji(one: &str, other: &str) -> bool {
    one == other || qualified(one) == qualified(other)
}

/// Returns the spellings in which a reaction with this emoji can be stored.
#[must_use]
pub fn emoji_spellings(emoji: &str) -> Vec<String> {
    let qualified = qualified(emoji);
    let bare: String = qualified.chars().filter(|&c| c != EMOJI_STYLE).collect();
    let mut spellings = vec![emoji.to_owned()];
    for text in [&*qualified, &*bare] {
        let points = || text.chars().map(u32::from);
        let code = |write: fn(u32) -> String| points().map(write).collect::<Vec<_>>().join("-");
        spellings.extend([
            text.to_owned(),
            code(|point| format!("{point:x}")),
            code(|point| format!("{point:X}")),
            code(|point| format!("{point:04x}")),
            code(|point| format!("{point:04X}")),
        ]);
    }
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

/// Returns the characters of an emoji with all variation selectors, or the text itself if the emoji is unknown.
fn qualified(text: &str) -> Cow<'_, str> {
    let known = |text: &str| emojis::get(text).map(emojis::Emoji::as_str);
    known(text).or_else(|| known(&characters(text)?)).map_or(Cow::Borrowed(text), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::{emoji_spellings, is_same_emoji};

    const HEART: [&str; 6] = ["❤️", "❤", "2764-fe0f", "2764", "2764-FE0F", "❤\u{fe0f}"];
    const KEYCAP: [&str; 4] = ["#️⃣", "23-fe0f-20e3", "0023-20e3", "0023-FE0F-20E3"];

    #[test]
    fn spellings_of_an_emoji_are_the_same_reaction() {
        for spellings in [&HEART[..], &KEYCAP, &["👍", "1f44d", "1F44D"]] {
            for one in spellings {
                for other in spellings {
                    assert!(is_same_emoji(one, other), "{one} {other}");
                    assert!(emoji_spellings(one).iter().any(|known| known == other), "{one} {other}");
                }
            }
        }
    }

    #[test]
    fn other_emojis_and_skin_tones_are_other_reactions() {
        for (one, other) in [("👍", "👎"), ("👍", "👍🏽"), ("1f44d", "1f44e"), ("❤️", "🖤"), ("?", "!")]
        {
            assert!(!is_same_emoji(one, other), "{one} {other}");
            assert!(!emoji_spellings(one).iter().any(|known| known == other), "{one} {other}");
        }
        assert!(is_same_emoji("?", "?"));
        assert!(emoji_spellings("?").contains(&"?".to_owned()));
    }
}
