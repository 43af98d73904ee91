//! Site file with the changes of the site.

use quire_importer::yaml;
use quire_storage::content::git_sites::{SiteLayout, SiteStructure};
use serde_json::{Map, Value};

use super::wanted::{CHILDREN, Wanted, wanted};
use super::{parse, text};

/// Returns the text and the structure of a site file after applying the changes that the site has had since both were
/// equal. Returns `None` if the file is up to date. `is_applied` is true if the file was just applied to the site.
///
/// # Errors
/// A sentence with the reason why the file cannot have that structure.
pub(in super::super) fn updated(
    bytes: &[u8],
    root: &str,
    structure: &SiteStructure,
    is_applied: bool,
) -> Result<Option<(String, SiteLayout)>, String> {
    parse(bytes, root)?;
    let source = std::str::from_utf8(bytes).map_err(|_| "The file must be in UTF-8.".to_owned())?;
    let file = yaml::values(source);
    let file = file.as_ref().and_then(Value::as_object);
    let parts = file.and_then(structure_of).unwrap_or_default();
    let Some(wanted) = wanted(parts, structure, is_applied) else {
        return Err("It has groups inside groups, which sites do not support.".to_owned());
    };
    if says(parts, &wanted) {
        return Ok(None);
    }
    let is_wanted = |text: &String| {
        let read = yaml::values(text);
        let read = read.as_ref().and_then(Value::as_object).and_then(structure_of);
        read.is_some_and(|parts| says(parts, &wanted))
    };
    let edited = text::edit(source, parts, &wanted).filter(is_wanted);
    let new = edited.or_else(|| file.map(|file| text::print(file, &wanted)).filter(is_wanted));
    let new = new.ok_or_else(|| "Its structure cannot be written.".to_owned())?;
    let layout = parse(new.as_bytes(), root)?;
    Ok(Some((new, layout)))
}

pub(super) fn structure_of(file: &Map<String, Value>) -> Option<&[Value]> {
    Some(file.get("site")?.get("structure")?.as_array()?)
}

/// Returns whether the parts of a file have the wanted structure.
fn says(parts: &[Value], wanted: &[Wanted]) -> bool {
    parts.len() == wanted.len()
        && parts.iter().zip(wanted).all(|(part, wanted)| {
            let mut values = part.as_object().cloned().unwrap_or_default();
            let children = values.remove(CHILDREN);
            let children = children.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            values == wanted.values && says(children, &wanted.children)
        })
}

#[cfg(test)]
mod tests {
    use quire_storage::content::git_sites::{SitePart, SitePartKind};
    use uuid::Uuid;

    use super::*;

    const FILE: &str = "\
# The site of Acme.
site:
  title: Acme # its name
  structure:
    # Readers begin here.
    - type: section
      key: docs
      title: Docs # of the product
      path: docs
      children:
        # In English.
        - {type: space, key: en, title: English, path: en, content: {directory: en}} # first
        - type: space
          title: French
          path: fr
          content:
            directory: fr # below the top

    # For news.
    - type: section
      title: Blog
      path: blog
      children:
        - {type: space, title: News, path: news, content: {directory: news}}
  # The end.
";

    fn part(kind: SitePartKind, title: &str, children: &[SitePart]) -> SitePart {
        let path = title.to_lowercase();
        // The ids are derived from the titles.
        let id = Uuid::from_u128(title.bytes().fold(0, |id, byte| id * 256 + u128::from(byte)));
        let mut values = std::collections::BTreeMap::from([("title".to_owned(), title.into())]);
        if kind != SitePartKind::SectionGroup {
            values.insert("path".to_owned(), path.into());
        }
        SitePart { kind, id, values, children: children.to_vec() }
    }

    fn space(title: &str) -> SitePart {
        part(SitePartKind::Space, title, &[])
    }

    fn section(title: &str, children: &[SitePart]) -> SitePart {
        part(SitePartKind::Section, title, children)
    }

    /// Returns the site as in the file, and a space that the file does not name.
    fn base() -> Vec<SitePart> {
        let [mut en, mut fr] = ["English", "French"].map(space);
        en.values.insert("path".to_owned(), "en".into());
        fr.values.insert("path".to_owned(), "fr".into());
        vec![section("Docs", &[en, fr, space("Own")]), section("Blog", &[space("News")])]
    }

    fn changed(change: impl FnOnce(&mut Vec<SitePart>)) -> Option<String> {
        let mut now = base();
        change(&mut now);
        let structure = SiteStructure { base: Some(base()), now };
        updated(FILE.as_bytes(), "", &structure, false).unwrap().map(|(text, _)| text)
    }

    fn set(part: &mut SitePart, key: &str, value: Value) {
        part.values.insert(key.to_owned(), value);
    }

    #[test]
    fn a_file_that_says_the_same_is_not_written() {
        assert_eq!(changed(|_| {}), None);
        // Changes of parts that the file does not name also change nothing.
        assert_eq!(changed(|now| set(&mut now[0].children[2], "title", "Ours".into())), None);
        assert_eq!(changed(|now| drop(now[0].children.remove(2))), None);
    }

    #[test]
    fn only_the_lines_of_a_change_are_written() {
        let replaced = |from: &str, to: &str| Some(FILE.replace(from, to));
        let renamed = changed(|now| set(&mut now[0], "title", "The \"Docs\"".into()));
        assert_eq!(renamed, replaced("title: Docs # of the product", "title: \"The \\\"Docs\\\"\""));
        let moved = changed(|now| set(&mut now[0].children[1], "path", "francais".into()));
        assert_eq!(moved, replaced("          path: fr\n", "          path: francais\n"));
        let hidden = changed(|now| set(&mut now[0].children[0], "hidden", true.into()));
        let line =
            "- {type: space, key: en, title: English, path: en, hidden: true, content: {directory: en}}";
        let old = "- {type: space, key: en, title: English, path: en, content: {directory: en}} # first";
        assert_eq!(hidden, replaced(old, line));
        let described = changed(|now| set(&mut now[0], "description", "For users".into()));
        assert_eq!(
            described,
            replaced("      path: docs\n", "      path: docs\n      description: For users\n")
        );
    }

    #[test]
    fn parts_are_moved_with_their_comments_added_and_removed() {
        let turned = changed(|now| now.reverse()).unwrap();
        let (begin, rest) = FILE.split_once("    # Readers").unwrap();
        let (docs, blog) = rest.split_once("\n    # For news.").unwrap();
        let (blog, end) = blog.split_once("  # The end.").unwrap();
        assert_eq!(turned, format!("{begin}\n    # For news.{blog}    # Readers{docs}  # The end.{end}"));

        let removed = changed(|now| drop(now[0].children.remove(1))).unwrap();
        assert!(!removed.contains("French") && removed.contains("# first") && removed.contains("# The end."));
        let removed = changed(|now| drop(now.remove(1))).unwrap();
        assert!(!removed.contains("Blog") && removed.contains("# below the top"), "{removed}");

        let added = changed(|now| now[0].children.insert(1, space("API"))).unwrap();
        let line = "        - {type: space, title: API, path: api, content: {directory: null}}\n";
        assert_eq!(added, FILE.replace("# first\n", &format!("# first\n{line}")));
        let group = part(SitePartKind::SectionGroup, "More", &[section("Extra", &[space("Tools")])]);
        let grouped = changed(|now| now.push(group)).unwrap();
        let lines = "    - type: section-group
      title: More
      children:
        - type: section
          title: Extra
          path: extra
          children:
            - type: space
              title: Tools
              path: tools
              content: {directory: null}
";
        assert_eq!(grouped, FILE.replace("  # The end.", &format!("{lines}  # The end.")));
    }

    #[test]
    fn lines_that_cannot_be_edited_are_printed() {
        let file = "{site: {structure: [{type: space, title: A, path: a, content: {directory: a}}, \
                    {type: external-link, title: Help, url: 'https://example.org'}]}, version: 1}";
        let mut now = vec![space("A")];
        let base = Some(now.clone());
        set(&mut now[0], "draft", true.into());
        let structure = SiteStructure { base, now };
        let (text, layout) = updated(file.as_bytes(), "", &structure, false).unwrap().unwrap();
        assert!(layout.spaces[0].draft);
        assert!(text.contains("https://example.org") && text.contains("version: 1\n"), "{text}");
        // A file that was just applied to the site keeps its values.
        let mut now = structure.now.clone();
        now.push(space("New"));
        let structure = SiteStructure { now, ..structure };
        let (text, _) = updated(file.as_bytes(), "", &structure, true).unwrap().unwrap();
        assert!(text.contains("path: new\n") && text.contains("draft: true"), "{text}");
    }

    #[test]
    fn a_structure_that_no_file_can_have_is_refused() {
        let structure = SiteStructure { base: Some(base()), now: Vec::new() };
        let reason = updated(FILE.as_bytes(), "", &structure, false).unwrap_err();
        assert!(reason.contains("cannot be written"), "{reason}");
        let nested = "site:\n  structure:\n    - type: section-group\n      title: A\n      children:\n        \
                      - {type: section-group, title: B, children: []}\n";
        let structure = SiteStructure { base: Some(Vec::new()), now: vec![space("A")] };
        let reason = updated(nested.as_bytes(), "", &structure, false).unwrap_err();
        assert!(reason.contains("groups inside groups"), "{reason}");
    }
}
