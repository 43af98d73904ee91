//! Themes of code of a site's settings, as values of the custom properties that listings are colored with.

use std::fmt::Write as _;

use quire_domain::sites::customization::ThemedCodeTheme;

use super::setting::word;

/// Name, ground, text and colors of tokens of each theme, written by `scripts/vendor-web`. All have a contrast of 4.5
/// or more with their ground.
const TABLE: &str = include_str!("../../vendor/code-themes.tsv");

/// Custom properties in the order of the table, with the values of Quire's own themes.
const PROPERTIES: [(&str, &str); 13] = [
    ("code", "var(--soft)"),
    ("code-text", "var(--text)"),
    ("code-c", "var(--muted)"),
    ("code-k", "var(--purple)"),
    ("code-s", "var(--green)"),
    ("code-r", "var(--green)"),
    ("code-n", "var(--orange)"),
    ("code-f", "var(--accent)"),
    ("code-t", "var(--cyan)"),
    ("code-a", "var(--blue)"),
    ("code-g", "var(--red)"),
    ("code-i", "var(--green)"),
    ("code-d", "var(--red)"),
];

/// Returns the colors of a theme.
fn colors(theme: &str) -> Option<Vec<&str>> {
    let line = TABLE.lines().find_map(|line| line.strip_prefix(theme)?.strip_prefix('\t'));
    match theme {
        "monochrome-light" | "monochrome-dark" => {
            let words = std::iter::repeat_n("var(--strong)", PROPERTIES.len().saturating_sub(3));
            Some(["var(--soft)", "var(--text)", "var(--muted)"].into_iter().chain(words).collect())
        }
        _ => line.map(|line| line.split('\t').collect()),
    }
}

/// Returns the custom properties of a pair of themes; none for Quire's own.
pub(crate) fn properties(themes: ThemedCodeTheme) -> String {
    let [light, dark] = [themes.light, themes.dark].map(|theme| {
        word(theme).and_then(|name| {
            let colors = colors(&name)?;
            (colors.len() == PROPERTIES.len())
                .then(|| colors.into_iter().map(str::to_owned).collect::<Vec<_>>())
        })
    });
    if light.is_none() && dark.is_none() {
        return String::new();
    }
    let mut text = String::new();
    for (index, (property, own)) in PROPERTIES.iter().enumerate() {
        let of = |theme: &Option<Vec<String>>| {
            theme.as_ref().and_then(|colors| colors.get(index)).map_or(*own, String::as_str).to_owned()
        };
        let _ = write!(text, "--{property}:light-dark({},{});", of(&light), of(&dark));
    }
    text + "--code-mark:color-mix(in srgb,var(--code-text) 9%,var(--code));"
}

#[cfg(test)]
mod tests {
    use quire_domain::sites::customization::CodeTheme;

    use super::*;

    #[test]
    fn themes_have_all_colors() {
        for line in TABLE.lines() {
            assert_eq!(line.split('\t').count(), PROPERTIES.len() + 1, "{line}");
        }
        assert_eq!(TABLE.lines().count(), 60);
    }

    #[test]
    fn one_mode_keeps_the_colors_of_the_site() {
        assert_eq!(properties(ThemedCodeTheme::default()), "");
        let themes = ThemedCodeTheme { dark: CodeTheme::Nord, ..ThemedCodeTheme::default() };
        let text = properties(themes);
        assert!(text.starts_with("--code:light-dark(var(--soft),#2e3440);"), "{text}");
        let themes = ThemedCodeTheme { light: CodeTheme::MonochromeLight, ..ThemedCodeTheme::default() };
        assert!(properties(themes).contains("--code-k:light-dark(var(--strong),var(--purple));"));
    }
}
