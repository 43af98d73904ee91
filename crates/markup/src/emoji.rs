//! Emoji, identified by their code points in hexadecimal as in documents (`1f1e9-1f1ea`).

/// Returns the characters of an emoji; the code itself if it is invalid.
#[must_use]
pub fn character(code: &str) -> String {
    let points = code.split('-').map(|point| u32::from_str_radix(point, 16).ok().and_then(char::from_u32));
    let visible = |c: &char| !c.is_control();
    points.map(|c| c.filter(visible)).collect::<Option<String>>().unwrap_or_else(|| code.to_owned())
}

/// Returns the code of an emoji.
pub(crate) fn code(emoji: &str) -> String {
    emoji.chars().map(|c| format!("{:x}", u32::from(c))).collect::<Vec<_>>().join("-")
}

/// Returns the short name of an emoji.
pub(crate) fn shortcode(emoji: &str) -> Option<&'static str> {
    let found = emojis::get(emoji)?;
    found.shortcode().filter(|_| found.as_str() == emoji)
}

/// Returns the name of an emoji in English, such as `woman raising hand`.
#[must_use]
pub fn name(emoji: &str) -> Option<&'static str> {
    emojis::get(emoji).map(emojis::Emoji::name)
}

/// Returns all emoji with their names in English and their short names.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str, Option<&'static str>)> {
    emojis::iter().map(|emoji| (emoji.as_str(), emoji.name(), emoji.shortcode()))
}

/// Returns whether an emoji has this short name.
pub(crate) fn is_shortcode(name: &str) -> bool {
    emojis::get_by_shortcode(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_emoji_become_characters() {
        assert_eq!(character("1f680"), "🚀");
        assert_eq!(character("🚀"), "🚀");
        assert_eq!(character("a"), "a");
    }
}
