//! The site file: sections and spaces of a site, with the folders of the spaces in the repository.

mod merged;
mod text;
mod updated;
mod wanted;

use quire_domain::error::field_errors;
use quire_domain::texts::SpaceTitle;
use quire_importer::{condition_problem, yaml};
use quire_storage::content::git_sites::{LayoutGroup, LayoutSection, LayoutSpace, SiteLayout, overlap};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use validator::Validate;

pub(super) use self::merged::merged;
pub(super) use self::updated::updated;

/// Names of the site file, in order of precedence.
pub(super) const NAMES: [&str; 2] = ["gitbook-docs.yaml", "docs.yaml"];

/// Maximum size of a file in bytes.
const MAX_BYTES: usize = 64 << 10;

/// Maximum number of spaces in a file.
const MAX_SPACES: usize = 100;

/// Maximum lengths of a key, and of the title of a space, in characters. A longer title is cut.
const KEY_MAX: usize = 255;
const TITLE_MAX: usize = 50;

/// Permitted keys of the parts, by type.
const GROUP: [&str; 7] = ["type", "key", "title", "localizedTitle", "icon", "draft", "children"];
const SECTION: [&str; 12] = [
    "type",
    "key",
    "title",
    "localizedTitle",
    "description",
    "localizedDescription",
    "icon",
    "default",
    "draft",
    "path",
    "condition",
    "children",
];
const SPACE: [&str; 10] =
    ["type", "key", "title", "localizedTitle", "path", "default", "hidden", "draft", "condition", "content"];

/// Parsed part, or a sentence that names the invalid key.
type Parsed<T> = Result<T, String>;

/// Parses a site file. Folders of spaces are relative to `root`, which ends with a slash or is empty.
///
/// # Errors
/// A sentence that names the invalid key.
pub(super) fn parse(bytes: &[u8], root: &str) -> Result<SiteLayout, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("The file must have at most {MAX_BYTES} bytes, has {}.", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "The file must be in UTF-8.".to_owned())?;
    let file = yaml::values(text).ok_or_else(|| "The file is not valid YAML.".to_owned())?;
    let file = object(&file, "the file")?;
    only(file, "", &["$schema", "version", "site"])?;
    if file.get("version").is_some_and(|version| version.as_u64() != Some(1)) {
        return Err(wrong("version", "must be 1"));
    }
    let site = object(file.get("site").ok_or_else(|| wrong("site", "is required"))?, "site")?;
    only(site, "site", &["title", "structure"])?;
    let structure = items(site, "site", "structure")?;
    if structure.is_empty() {
        return Err(wrong("site.structure", "must not be empty"));
    }
    let mut reading = Reading { layout: SiteLayout::default(), root, spaces: 0 };
    for (index, node) in structure.iter().enumerate() {
        reading.top(node, &format!("site.structure[{index}]"), 0)?;
    }
    let layout = reading.layout;
    if !layout.spaces.is_empty() && !layout.sections.is_empty() {
        return Err(wrong("site.structure", "must have only spaces, or sections and groups of sections"));
    }
    check_unique(&layout)?;
    Ok(layout)
}

struct Reading<'r> {
    layout: SiteLayout,
    root: &'r str,
    spaces: usize,
}

impl Reading<'_> {
    /// Reads a part at the top level of the site, or of a group at a depth.
    fn top(&mut self, node: &Value, at: &str, depth: usize) -> Parsed<()> {
        let node = object(node, at)?;
        match kind(node, at)? {
            "section-group" if depth < 2 => self.group(node, at, depth),
            "section" => self.section(node, at, None),
            "space" if depth == 0 => {
                let space = self.space(node, at)?;
                self.layout.spaces.push(space);
                Ok(())
            }
            "external-link" => self.link(node, at),
            _ => Err(wrong(&format!("{at}.type"), "is not allowed here")),
        }
    }

    fn group(&mut self, node: &Map<String, Value>, at: &str, depth: usize) -> Parsed<()> {
        only(node, at, &GROUP)?;
        let title = required(node, at, "title")?;
        let update = values(node, at, &["title", "localizedTitle", "icon", "draft"])?;
        let group = self.layout.groups.len();
        self.layout.groups.push(LayoutGroup { title, update });
        for (index, child) in items(node, at, "children")?.iter().enumerate() {
            let at = format!("{at}.children[{index}]");
            let child_node = object(child, &at)?;
            match kind(child_node, &at)? {
                "section" => self.section(child_node, &at, Some(group))?,
                // A group inside another group becomes a group of the site.
                _ => self.top(child, &at, depth + 1)?,
            }
        }
        Ok(())
    }

    fn section(&mut self, node: &Map<String, Value>, at: &str, group: Option<usize>) -> Parsed<()> {
        only(node, at, &SECTION)?;
        let (title, path) = (required(node, at, "title")?, required(node, at, "path")?);
        let keys = [
            "title",
            "localizedTitle",
            "description",
            "localizedDescription",
            "icon",
            "draft",
            "path",
            "condition",
        ];
        check_condition(node, at)?;
        let update = values(node, at, &keys)?;
        let mut spaces = Vec::new();
        for (index, child) in items(node, at, "children")?.iter().enumerate() {
            let at = format!("{at}.children[{index}]");
            let child = object(child, &at)?;
            match kind(child, &at)? {
                "space" => spaces.push(self.space(child, &at)?),
                _ => return Err(wrong(&format!("{at}.type"), "must be `space`")),
            }
        }
        let is_default = flag(node, at, "default")?;
        self.layout.sections.push(LayoutSection { title, path, group, is_default, update, spaces });
        Ok(())
    }

    fn space(&mut self, node: &Map<String, Value>, at: &str) -> Parsed<LayoutSpace> {
        only(node, at, &SPACE)?;
        self.spaces += 1;
        if self.spaces > MAX_SPACES {
            return Err(wrong(at, &format!("exceeds the limit of {MAX_SPACES} spaces")));
        }
        let (title, path) = (required(node, at, "title")?, required(node, at, "path")?);
        let title: String = title.chars().take(TITLE_MAX).collect();
        SpaceTitle::new(title.as_str()).map_err(|error| wrong(&joined(at, "title"), &error.to_string()))?;
        check_condition(node, at)?;
        let update = values(node, at, &["localizedTitle", "path", "condition", "draft", "hidden"])?;
        let content_at = format!("{at}.content");
        let content = node.get("content").ok_or_else(|| wrong(&content_at, "is required"))?;
        let content = object(content, &content_at)?;
        only(content, &content_at, &["directory", "language"])?;
        let folder_at = format!("{content_at}.directory");
        let folder = match content.get("directory") {
            None => return Err(wrong(&folder_at, "is required: the path of a folder, or null")),
            Some(Value::Null) => None,
            Some(folder) => Some(self.folder(folder, &folder_at)?),
        };
        if content.get("language").is_some_and(|language| !language.is_null()) {
            let note = format!("The language of the space `{path}` can only be set in Quire.");
            self.layout.notes.push(note);
        }
        Ok(LayoutSpace {
            key: optional(node, at, "key")?,
            title,
            path,
            folder,
            is_default: flag(node, at, "default")?,
            draft: flag(node, at, "draft")?,
            update,
        })
    }

    fn folder(&self, value: &Value, at: &str) -> Parsed<String> {
        let must = || wrong(at, "must be the path of a folder in the repository");
        let text = value.as_str().ok_or_else(must)?;
        let mut folder = self.root.to_owned();
        for segment in text.split('/').filter(|segment| !matches!(*segment, "" | ".")) {
            if segment == ".." || segment.contains(['\\', '\0']) {
                return Err(must());
            }
            folder.push_str(segment);
            folder.push('/');
        }
        if folder.chars().count() > 1_025 {
            return Err(wrong(at, "must have at most 1024 characters"));
        }
        Ok(folder)
    }

    fn link(&mut self, node: &Map<String, Value>, at: &str) -> Parsed<()> {
        let title = required(node, at, "title")?;
        self.layout.notes.push(format!(
            "The link “{title}” was left out, because sites cannot have links among their sections."
        ));
        Ok(())
    }
}

/// Checks that paths, keys and folders are unique, and that at most one sibling is the default.
fn check_unique(layout: &SiteLayout) -> Parsed<()> {
    let taken = |what: &str, text: &str| Err(format!("The {what} `{text}` occurs twice in the site file."));
    let mut sections: Vec<&str> = Vec::new();
    for section in &layout.sections {
        if sections.contains(&section.path.as_str()) {
            return taken("section path", &section.path);
        }
        sections.push(&section.path);
    }
    if layout.sections.iter().filter(|section| section.is_default).count() > 1 {
        return Err(wrong("site.structure", "must have one default section"));
    }
    let lists = layout.sections.iter().map(|section| &section.spaces).chain([&layout.spaces]);
    let (mut keys, mut folders): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for list in lists {
        let mut paths: Vec<&str> = Vec::new();
        for space in list {
            if paths.contains(&space.path.as_str()) {
                return taken("space path", &space.path);
            }
            paths.push(&space.path);
            if let Some(key) = space.key.as_deref() {
                if keys.contains(&key) {
                    return taken("space key", key);
                }
                keys.push(key);
            }
            let Some(folder) = space.folder.as_deref() else { continue };
            if let Some(other) = folders.iter().find(|other| overlap(other, folder)) {
                return Err(format!(
                    "The folders `{other}` and `{folder}` of two spaces must not contain each other."
                ));
            }
            folders.push(folder);
        }
        if list.iter().filter(|space| space.is_default).count() > 1 {
            return Err(wrong("site.structure", "must have one default space in each section"));
        }
    }
    Ok(())
}

fn wrong(at: &str, sentence: &str) -> String {
    format!("`{at}` {sentence}.")
}

fn object<'v>(value: &'v Value, at: &str) -> Parsed<&'v Map<String, Value>> {
    value.as_object().ok_or_else(|| wrong(at, "must be an object"))
}

/// Rejects unknown keys.
fn only(node: &Map<String, Value>, at: &str, known: &[&str]) -> Parsed<()> {
    match node.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let key: String = key.chars().take(KEY_MAX).collect();
            Err(wrong(&joined(at, &key), "is not a key of a site file"))
        }
    }
}

fn joined(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

fn kind<'v>(node: &'v Map<String, Value>, at: &str) -> Parsed<&'v str> {
    let kind = node.get("type").and_then(Value::as_str);
    kind.ok_or_else(|| {
        wrong(&joined(at, "type"), "must be `section-group`, `section`, `space` or `external-link`")
    })
}

fn items<'v>(node: &'v Map<String, Value>, at: &str, key: &str) -> Parsed<&'v [Value]> {
    match node.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(wrong(&joined(at, key), "must be a list")),
    }
}

fn optional(node: &Map<String, Value>, at: &str, key: &str) -> Parsed<Option<String>> {
    match node.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text))
            if !text.is_empty() && !text.contains('\0') && text.chars().count() <= KEY_MAX =>
        {
            Ok(Some(text.clone()))
        }
        Some(_) => Err(wrong(&joined(at, key), &format!("must be a string with 1 to {KEY_MAX} characters"))),
    }
}

fn required(node: &Map<String, Value>, at: &str, key: &str) -> Parsed<String> {
    optional(node, at, key)?.ok_or_else(|| wrong(&joined(at, key), "is required"))
}

fn flag(node: &Map<String, Value>, at: &str, key: &str) -> Parsed<bool> {
    match node.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(wrong(&joined(at, key), "must be true or false")),
    }
}

/// Rejects a condition that cannot be evaluated: all visitors or none would see its part.
fn check_condition(node: &Map<String, Value>, at: &str) -> Parsed<()> {
    let problem = node.get("condition").and_then(Value::as_str).and_then(condition_problem);
    problem.map_or(Ok(()), |problem| Err(wrong(&joined(at, "condition"), &problem)))
}

/// Reads keys of a part like the body of a request, with its bounds. A missing condition is removed from the part.
fn values<T: DeserializeOwned + Validate>(node: &Map<String, Value>, at: &str, keys: &[&str]) -> Parsed<T> {
    let mut body: Map<String, Value> = Map::new();
    for &key in keys {
        match node.get(key) {
            Some(value) if !value.is_null() => drop(body.insert(key.to_owned(), value.clone())),
            _ if key == "condition" => drop(body.insert(key.to_owned(), Value::Null)),
            _ if matches!(key, "draft" | "hidden") => drop(body.insert(key.to_owned(), Value::Bool(false))),
            _ => {}
        }
    }
    for (key, value) in &body {
        // Each key is parsed alone to find the one with a wrong type.
        let one = Map::from_iter([(key.clone(), value.clone())]);
        if serde_json::from_value::<T>(Value::Object(one)).is_err() {
            return Err(wrong(&joined(at, key), "has a value of the wrong type"));
        }
    }
    let read: T = serde_json::from_value(Value::Object(body)).map_err(|_| wrong(at, "cannot be read"))?;
    match read.validate() {
        Ok(()) => Ok(read),
        Err(errors) => {
            let first = field_errors(&errors).into_iter().next();
            Err(first.map_or_else(
                || wrong(at, "is not valid"),
                |error| wrong(&joined(at, &error.field), &error.message),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
$schema: https://example.org/schema.json
version: 1
site:
  title: Acme
  structure:
    - type: section
      key: docs
      title: Docs
      path: docs
      default: true
      children:
        - {type: space, key: en, title: English, path: en, default: true, content: {directory: ./docs/en}}
        - {type: space, key: fr, title: French, path: fr, content: {directory: docs/fr, language: fr}}
    - type: section-group
      key: more
      title: More
      children:
        - type: section
          key: api
          title: API
          path: api
          icon: rocket
          condition: visitor.claims.beta === true
          children:
            - {type: space, key: api, title: API, path: v1, hidden: true, content: {directory: null}}
        - {type: external-link, key: status, title: Status, url: 'https://example.org'}
";

    #[test]
    fn sections_spaces_and_folders_are_read() {
        let layout = parse(FILE.as_bytes(), "site/").unwrap();
        let sections: Vec<_> =
            layout.sections.iter().map(|section| (&*section.path, section.group)).collect();
        assert_eq!(sections, [("docs", None), ("api", Some(0))]);
        let folders: Vec<_> = layout
            .sections
            .iter()
            .flat_map(|section| &section.spaces)
            .map(|space| space.folder.as_deref())
            .collect();
        assert_eq!(folders, [Some("site/docs/en/"), Some("site/docs/fr/"), None]);
        assert_eq!(layout.groups[0].title, "More");
        assert_eq!(layout.notes.len(), 2, "{:?}", layout.notes);
    }

    #[test]
    fn a_rule_that_is_broken_is_named_with_its_key() {
        let wrong = |from: &str, to: &str| parse(FILE.replace(from, to).as_bytes(), "").unwrap_err();
        let cases = [
            ("version: 1", "version: 2", "`version` must be 1."),
            ("  title: Acme", "  name: Acme", "`site.name` is not a key of a site file."),
            ("path: docs", "path: Docs Here", "`site.structure[0].path`"),
            ("default: true\n", "default: 1\n", "`site.structure[0].default` must be true or false."),
            ("./docs/en", "../en", "`site.structure[0].children[0].content.directory` must be the path"),
            ("docs/fr,", "docs/en/fr,", "The folders `docs/en/` and `docs/en/fr/`"),
            ("key: fr", "key: en", "The space key `en` occurs twice"),
            ("visitor.claims.beta === true", "user.beta", "`site.structure[1].children[0].condition`"),
            (
                "icon: rocket",
                "icon: [a]",
                "`site.structure[1].children[0].icon` has a value of the wrong type.",
            ),
            ("type: section-group", "type: menu", "`site.structure[1].type` is not allowed here."),
            ("site:\n", "site: &a [*a]\n", "The file is not valid YAML."),
        ];
        for (from, to, expected) in cases {
            let sentence = wrong(from, to);
            assert!(sentence.starts_with(expected), "{sentence}");
        }
        let space = "    - {type: space, title: A, path: a, content: {directory: a}}\n";
        let many = format!("site:\n  structure:\n{}", space.repeat(101));
        assert!(parse(many.as_bytes(), "").unwrap_err().contains("the limit of 100 spaces"));
        let deep = format!("site: {}1{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(parse(deep.as_bytes(), "").unwrap_err(), "The file is not valid YAML.");
        let large = format!("# {}\n{FILE}", "a".repeat(MAX_BYTES));
        assert!(
            parse(large.as_bytes(), "").unwrap_err().starts_with("The file must have at most 65536 bytes")
        );
    }
}
