//! Three-way merge of a site file: the last one, the same with what was changed on the site, and the new one.

use std::collections::HashSet;

use quire_importer::yaml;
use quire_storage::content::git_sites::{SiteLayout, SiteStructure};
use serde_json::Value;

use super::super::gather::listed;
use super::super::merge::{Merged, merge};
use super::updated::{structure_of, updated};
use super::wanted::unchanged;
use super::{parse, text};

/// Characters of a line in a sentence.
const LINE_SHOWN: usize = 100;

/// Returns the structure of a new file with what was changed on the site since the last one; `None` if the last one has
/// that already. Where both changed the same, the new file wins, and a sentence for people has what the site had.
/// Without the last file, the changes of the site win.
pub(in super::super) fn merged(
    (former, new): (Option<&[u8]>, &[u8]),
    root: &str,
    structure: &SiteStructure,
) -> Option<SiteLayout> {
    let update = |bytes| updated(bytes, root, structure, false).ok().flatten();
    let Some(former) = former else { return update(new).map(|(_, layout)| layout) };
    let (own, _) = update(former)?;
    // All three are printed alike, so that only changed values differ.
    let (former, own, printed) = (print(former)?, print(own.as_bytes())?, print(new)?);
    let Merged { text, has_conflicts } = merge(&own, &former, &printed);
    if let Ok(layout) = parse(text.as_bytes(), root) {
        let note = has_conflicts.then(|| kept(&own, [&former, &text]));
        return Some(with_note(layout, note));
    }
    let layout = parse(new, root).ok()?;
    Some(with_note(layout, Some(kept(&own, [&former, &printed]))))
}

fn with_note(mut layout: SiteLayout, note: Option<String>) -> SiteLayout {
    layout.notes.extend(note);
    layout
}

/// Prints a file with one key in each line, and without comments.
fn print(bytes: &[u8]) -> Option<String> {
    let file = yaml::values(std::str::from_utf8(bytes).ok()?)?;
    let file = file.as_object()?;
    let parts: &[Value] = structure_of(file)?;
    Some(text::print(file, &unchanged(parts)))
}

/// Returns a sentence about a conflict, with the lines of the site that neither the last file nor the result has.
fn kept(own: &str, others: [&str; 2]) -> String {
    let line = |line: &'_ str| line.trim().trim_start_matches("- ").to_owned();
    let known: HashSet<String> = others.into_iter().flat_map(str::lines).map(line).collect();
    let lost = own.lines().map(line).filter(|line| !known.contains(line));
    let lost = lost.map(|line| format!("`{}`", line.chars().take(LINE_SHOWN).collect::<String>()));
    let lost: Vec<String> = lost.collect();
    let lost: Vec<&str> = lost.iter().map(String::as_str).collect();
    let sentence = "The file and the site changed the same parts, which are now as the file has them.";
    match lost.is_empty() {
        true => sentence.to_owned(),
        false => format!("{sentence} The site had {}.", listed(&lost)),
    }
}

#[cfg(test)]
mod tests {
    use quire_storage::content::git_sites::{LayoutSection, SitePart, SitePartKind};
    use uuid::Uuid;

    use super::*;

    const FILE: &str = "\
site:
  structure:
    - {type: section, title: Docs, path: docs, children: [{type: space, title: A, path: a, content: {directory: a}}]}
    - type: section # news
      title: Blog
      path: blog
      children:
        - {type: space, title: B, path: b, content: {directory: b}}
";

    fn section(id: u128, title: &str, path: &str, space: &str) -> SitePart {
        let part = |kind, id, title: &str, path: &str, children| SitePart {
            kind,
            id: Uuid::from_u128(id),
            values: [("title", title), ("path", path)]
                .map(|(key, text)| (key.to_owned(), text.into()))
                .into(),
            children,
        };
        let space = part(SitePartKind::Space, id + 100, space, &space.to_lowercase(), Vec::new());
        part(SitePartKind::Section, id, title, path, vec![space])
    }

    /// Returns path and title of the sections after a change of the file and titles of the sections on the site.
    fn merge_titles(from: &str, to: &str, titles: [&str; 2]) -> (Vec<(String, String)>, Vec<String>) {
        let site =
            |[docs, blog]: [&str; 2]| vec![section(1, docs, "docs", "A"), section(2, blog, "blog", "B")];
        let structure = SiteStructure { base: Some(site(["Docs", "Blog"])), now: site(titles) };
        assert!(FILE.contains(from));
        let new = FILE.replace(from, to);
        let layout = merged((Some(FILE.as_bytes()), new.as_bytes()), "", &structure).unwrap();
        let named = |section: LayoutSection| (section.path, section.title);
        (layout.sections.into_iter().map(named).collect(), layout.notes)
    }

    fn named(sections: [(&str, &str); 2]) -> Vec<(String, String)> {
        sections.map(|(path, title)| (path.to_owned(), title.to_owned())).into()
    }

    #[test]
    fn changes_of_both_sides_are_kept() {
        let (sections, notes) = merge_titles("title: Docs", "title: Manuals", ["Docs", "Stories"]);
        assert_eq!(sections, named([("docs", "Manuals"), ("blog", "Stories")]));
        assert!(notes.is_empty(), "{notes:?}");
        // Other keys of the same part.
        let (sections, notes) = merge_titles("path: blog", "path: news", ["Docs", "Stories"]);
        assert_eq!(sections, named([("docs", "Docs"), ("news", "Stories")]));
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn the_file_wins_a_conflict_and_a_sentence_has_the_other_side() {
        let (sections, notes) = merge_titles("title: Blog", "title: News", ["Manuals", "Stories"]);
        assert_eq!(sections, named([("docs", "Manuals"), ("blog", "News")]));
        let [note] = notes.as_slice() else { panic!("{notes:?}") };
        assert!(note.ends_with("as the file has them. The site had `title: Stories`."), "{note}");
    }

    #[test]
    fn without_the_last_file_changes_of_the_site_win() {
        let site = |title| vec![section(1, "Docs", "docs", "A"), section(2, title, "blog", "B")];
        let structure = SiteStructure { base: Some(site("Blog")), now: site("Stories") };
        let new = FILE.replace("title: Blog", "title: News");
        let layout = merged((None, new.as_bytes()), "", &structure).unwrap();
        assert_eq!(layout.sections[1].title, "Stories");
        let same = SiteStructure { now: site("Blog"), ..structure };
        assert!(merged((Some(FILE.as_bytes()), new.as_bytes()), "", &same).is_none());
    }
}
