//! Front matter of a page, in YAML or TOML.
//!
//! The block is read by a parser of its notation. An unreadable block that begins like a property is not treated as
//! text, since it may ask for the page to be hidden.

mod entries;
mod fences;
mod scalars;

use serde_json::Value;

use self::entries::Entry;
use self::fences::{Fenced, Notation};
use self::scalars::{folded, scalar};
use crate::document::Block;

/// Page properties at the start of a Markdown file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// Title, if it is not the first heading.
    pub title: Option<String>,
    /// Title in navigation, if it differs from `title`.
    pub link_title: Option<String>,
    /// Description in one or two sentences.
    pub description: Option<String>,
    /// Name of an icon.
    pub icon: Option<String>,
    /// Emoji, as a character or as its code points in hexadecimal.
    pub emoji: Option<String>,
    /// Address of the cover image.
    pub cover: Option<String>,
    /// Vertical offset of the cover, in pixels.
    pub cover_y: Option<f64>,
    /// Page layout.
    pub layout: Option<Value>,
    /// The page is excluded from the navigation.
    pub hidden: Option<bool>,
    /// The page is excluded from search.
    pub no_index: Option<bool>,
    /// The page is excluded from indexing by search engines.
    pub no_robots_index: Option<bool>,
    /// All other properties in order, including known ones that are repeated or have a value of another type.
    pub extra: Vec<(String, Value)>,
}

/// Page split into its front matter and its Markdown.
pub(crate) struct Split<'t> {
    pub(crate) front_matter: FrontMatter,
    /// Reason for an unreadable front matter.
    pub(crate) unreadable: Option<String>,
    /// Listing of an unreadable front matter.
    pub(crate) listing: Option<Block>,
    pub(crate) rest: &'t str,
}

impl FrontMatter {
    /// Returns whether no property is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the front matter of a page; an empty one if it is absent or unreadable.
    ///
    /// ```
    /// let front_matter = quire_markup::FrontMatter::of("+++\ntitle = 'Start'\nweight = 2\n+++\n");
    /// assert_eq!(front_matter.title.as_deref(), Some("Start"));
    /// assert_eq!(front_matter.extra, [("weight".to_owned(), 2.into())]);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::split(text).front_matter
    }

    /// Splits a page into its front matter and its Markdown. Without front matter, the Markdown is the whole page.
    pub(crate) fn split(text: &str) -> Split<'_> {
        let whole = Split { front_matter: Self::default(), unreadable: None, listing: None, rest: text };
        let Some(fenced) = fences::find(text) else { return whole };
        let Some(rest) = fenced.rest else {
            let unreadable = begins_with_known(&fenced).then(|| "it has no closing line".to_owned());
            return Split { unreadable, ..whole };
        };
        if fenced.source.is_empty() {
            return Split { rest, ..whole };
        }
        match entries::read(&fenced) {
            Ok(Some(entries)) if is_front_matter(&fenced, &entries) => {
                Split { front_matter: interpret(entries), rest, ..whole }
            }
            Err(reason) if begins_with_name(&fenced) => {
                let listing = Block::code(Some(fenced.notation.syntax()), fenced.source.trim_end().lines());
                Split { unreadable: Some(reason), listing: Some(listing), rest, ..whole }
            }
            _ => whole,
        }
    }

    /// Returns the front matter with its fences; empty if no property is set.
    pub(crate) fn print(&self) -> String {
        let Self {
            title,
            link_title,
            description,
            icon,
            emoji,
            cover,
            cover_y,
            layout,
            hidden,
            no_index,
            no_robots_index,
            extra,
        } = self;
        let mut out = String::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                out.push_str(&format!("{name}: {value}\n"));
            }
        };
        put("title", title.as_deref().map(scalar));
        put("linkTitle", link_title.as_deref().map(scalar));
        put("description", description.as_deref().map(folded));
        put("icon", icon.as_deref().map(scalar));
        put("emoji", emoji.as_deref().map(scalar));
        put("cover", cover.as_deref().map(scalar));
        put("coverY", cover_y.map(|y| y.to_string()));
        put("hidden", hidden.map(|flag| flag.to_string()));
        put("noIndex", no_index.map(|flag| flag.to_string()));
        put("noRobotsIndex", no_robots_index.map(|flag| flag.to_string()));
        if let Some(layout) = layout {
            out.push_str("layout:");
            mapping(layout, 1, &mut out);
        }
        for (name, value) in extra {
            out.push_str(&format!("{}: {}\n", scalar(name), flow(value)));
        }
        if out.is_empty() { out } else { format!("---\n{out}---\n") }
    }

    /// Returns the names of the known properties that are set, then of the others.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let Self {
            title,
            link_title,
            description,
            icon,
            emoji,
            cover,
            cover_y,
            layout,
            hidden,
            no_index,
            no_robots_index,
            extra,
        } = self;
        let known = [
            ("title", title.is_some()),
            ("linkTitle", link_title.is_some()),
            ("description", description.is_some()),
            ("icon", icon.is_some()),
            ("emoji", emoji.is_some()),
            ("cover", cover.is_some()),
            ("coverY", cover_y.is_some()),
            ("layout", layout.is_some()),
            ("hidden", hidden.is_some()),
            ("noIndex", no_index.is_some()),
            ("noRobotsIndex", no_robots_index.is_some()),
        ];
        let known = known.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name);
        known.chain(extra.iter().map(|(name, _)| name.as_str())).collect()
    }

    /// Returns whether this is the name of a known property. In `extra`, such a property could not be read back.
    #[must_use]
    pub fn is_known(name: &str) -> bool {
        // Every known property accepts null.
        let null = Entry { name: name.to_owned(), value: Value::Null, written: None };
        Self::default().set(&null).is_some()
    }

    /// Sets a known property if its value has the right type. Null means no value.
    fn set(&mut self, entry: &Entry) -> Option<()> {
        let Entry { name, value, .. } = entry;
        let optional = !value.is_null();
        let text = || if optional { text(entry).map(Some) } else { Some(None) };
        let flag = || if optional { front_matter_flag(value).map(Some) } else { Some(None) };
        match name.as_str() {
            "title" => self.title = text()?,
            "linkTitle" => self.link_title = text()?,
            "description" => self.description = text()?,
            "icon" => self.icon = text()?,
            "emoji" => self.emoji = text()?,
            "cover" => self.cover = text()?,
            "coverY" => self.cover_y = if optional { Some(number(value)?) } else { None },
            "layout" => self.layout = Some(value.clone()).filter(|_| optional),
            "hidden" => self.hidden = flag()?,
            "noIndex" => self.no_index = flag()?,
            "noRobotsIndex" => self.no_robots_index = flag()?,
            _ => return None,
        }
        Some(())
    }
}

/// Returns a page without its front matter.
///
/// ```
/// assert_eq!(quire_markup::without_front_matter("---\nicon: rocket\n---\n# Start\n"), "# Start\n");
/// ```
#[must_use]
pub fn without_front_matter(text: &str) -> &str {
    FrontMatter::split(text).rest
}

/// Interprets a value as a boolean, as in YAML 1.1, which includes `yes`, `on` and 1; `None` for others.
///
/// ```
/// assert_eq!(quire_markup::front_matter_flag(&serde_json::json!("Yes")), Some(true));
/// ```
#[must_use]
pub fn front_matter_flag(value: &Value) -> Option<bool> {
    let written = match value {
        Value::Bool(flag) => return Some(*flag),
        Value::String(text) => text.trim().to_ascii_lowercase(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    match written.as_str() {
        "true" | "yes" | "on" | "y" | "1" => Some(true),
        "false" | "no" | "off" | "n" | "0" => Some(false),
        _ => None,
    }
}

/// Returns whether the properties between fences are a front matter. Text between two thematic breaks may look like a
/// mapping ("Note: …"), so a block with empty lines around its opening fence must have a known property or several
/// names.
fn is_front_matter(fenced: &Fenced<'_>, entries: &[Entry]) -> bool {
    let is_name = |entry: &Entry| !entry.name.contains(char::is_whitespace);
    !fenced.is_spaced
        || entries.iter().any(|entry| FrontMatter::is_known(&entry.name))
        || entries.len() > 1 && entries.iter().all(is_name)
}

/// Returns the name at the start of the first property.
fn first_name<'t>(fenced: &Fenced<'t>) -> Option<&'t str> {
    let lines = fenced.source.lines().map(str::trim);
    let line = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let (name, value) = match fenced.notation {
        Notation::Yaml => line.split_once(':')?,
        Notation::Toml => line.split_once('=')?,
    };
    let is_separate = value.is_empty() || value.starts_with([' ', '\t']) || fenced.notation == Notation::Toml;
    is_separate.then(|| name.trim().trim_matches(['"', '\'']))
}

fn begins_with_name(fenced: &Fenced<'_>) -> bool {
    first_name(fenced).is_some_and(|name| FrontMatter::is_known(name) || !fenced.is_spaced)
}

fn begins_with_known(fenced: &Fenced<'_>) -> bool {
    first_name(fenced).is_some_and(FrontMatter::is_known)
}

fn interpret(entries: Vec<Entry>) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    let mut seen = Vec::new();
    for entry in entries {
        // The first of two equal properties is used.
        if seen.contains(&entry.name) || front_matter.set(&entry).is_none() {
            front_matter.extra.push((entry.name, entry.value));
        } else {
            seen.push(entry.name);
        }
    }
    front_matter
}

/// Returns a string, or the source text of a number or boolean.
fn text(entry: &Entry) -> Option<String> {
    match &entry.value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => {
            Some(entry.written.clone().unwrap_or_else(|| entry.value.to_string()))
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    let read = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    read.filter(|number| number.is_finite())
}

/// Writes a value on one line, as JSON, which is also YAML.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        other => other.to_string(),
    }
}

/// Options of a layout in GitBook's order; other options follow by name.
const LAYOUT: [&str; 13] = [
    "width",
    "cover",
    "visible",
    "size",
    "mask",
    "title",
    "description",
    "tableOfContents",
    "outline",
    "pagination",
    "metadata",
    "tags",
    "actions",
];

fn mapping(value: &Value, level: usize, out: &mut String) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            out.push('\n');
            let place = |name: &str| LAYOUT.iter().position(|known| *known == name).unwrap_or(LAYOUT.len());
            let mut sorted: Vec<(&String, &Value)> = object.iter().collect();
            sorted.sort_by_key(|(name, _)| (place(name), *name));
            for (name, value) in sorted {
                out.push_str(&format!("{}{}:", "  ".repeat(level), scalar(name)));
                mapping(value, level + 1, out);
            }
        }
        other => out.push_str(&format!(" {}\n", flow(other))),
    }
}
