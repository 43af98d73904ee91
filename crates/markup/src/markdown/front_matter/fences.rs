//! Lines between fences at the start of a page.

/// Notation of a front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// YAML, between lines of three hyphens.
    Yaml,
    /// TOML, between lines of three plus signs.
    Toml,
}

impl Notation {
    /// Returns the name of the notation as the language of a listing.
    pub(super) fn syntax(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Toml => "toml",
        }
    }
}

/// Parts of a page that begins with a fence.
pub(super) struct Fenced<'t> {
    pub(super) notation: Notation,
    /// Lines between the fences, or up to the end of the page.
    pub(super) source: &'t str,
    /// Text after the closing fence; `None` without a closing fence.
    pub(super) rest: Option<&'t str>,
    /// There are empty lines directly before or after the opening fence.
    pub(super) is_spaced: bool,
}

/// Returns the parts of a page that begins with a fence.
pub(super) fn find(text: &str) -> Option<Fenced<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_blank = |line: &&str| line.trim().is_empty();
    let before: usize = text.split_inclusive('\n').take_while(is_blank).map(str::len).sum();
    let opening = text.get(before..)?.split_inclusive('\n').next()?;
    let notation = match opening.trim_end() {
        "---" => Notation::Yaml,
        "+++" => Notation::Toml,
        _ => return None,
    };
    let inside = text.get(before + opening.len()..)?;
    let is_spaced = before > 0 || inside.split_inclusive('\n').next().is_some_and(|line| is_blank(&line));
    let mut end = 0;
    for line in inside.split_inclusive('\n') {
        let closes = match notation {
            // Three dots end a YAML document, and pandoc's front matter.
            Notation::Yaml => matches!(line.trim_end(), "---" | "..."),
            Notation::Toml => line.trim_end() == "+++",
        };
        if closes {
            let (source, rest) = (inside.get(..end)?, inside.get(end + line.len()..));
            return Some(Fenced { notation, source, rest, is_spaced });
        }
        end += line.len();
    }
    Some(Fenced { notation, source: inside, rest: None, is_spaced })
}
