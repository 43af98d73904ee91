//! Footnotes: marks in the text, and notes elsewhere on the page that link back to them.

use super::dom::{Dom, Element, Id};
use crate::limits::html::{MAX_NOTE_NODES, MAX_NOTES};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Elements that can contain a note.
const BODIES: [&str; 5] = ["li", "div", "aside", "dd", "p"];

/// Classes of marks whose notes do not need a link back.
const MARKS: [&str; 4] = ["footnote-ref", "footnote-reference", "footnoteref", "sdfootnoteanc"];

/// Maximum number of levels of elements that contain only notes.
const MAX_CONTAINERS: usize = 4;

/// Footnotes of a page.
#[derive(Default)]
pub(super) struct Notes {
    /// Notes by the links that mark them. Each note is shown at its first mark.
    bodies: HashMap<Id, Id>,
    /// Nodes to skip: notes, their numbers, and elements that contain nothing else.
    silent: BTreeSet<Id>,
}

impl Notes {
    /// Finds the footnotes of a page.
    pub(super) fn of(dom: &Dom) -> Self {
        let names = Names::of(dom);
        let mut notes = Self::default();
        let mut found: BTreeMap<Id, Id> = BTreeMap::new();
        for (mark, target) in
            names.links.iter().copied().filter(|(mark, _)| is_label(&dom.text(*mark))).take(MAX_NOTES)
        {
            let Some(note) = names.note(dom, mark, target) else { continue };
            found.entry(note).or_insert(mark);
        }
        let firsts: BTreeSet<Id> = found.keys().copied().collect();
        for (note, mark) in found {
            let body = widened(dom, note, &firsts).filter(|body| !dom.is_below(mark, *body)).unwrap_or(note);
            notes.silent.extend(names.labels(dom, mark, body));
            notes.silent.insert(body);
            notes.bodies.insert(mark, body);
        }
        notes.find_containers(dom);
        notes
    }

    /// Removes the note of a mark and returns it.
    pub(super) fn take(&mut self, mark: Id) -> Option<Id> {
        self.bodies.remove(&mark)
    }

    /// Returns whether a node is skipped at its place in the page.
    pub(super) fn is_silent(&self, id: Id) -> bool {
        self.silent.contains(&id)
    }

    /// Marks the elements that contain only notes, and the rules above them, to be skipped.
    fn find_containers(&mut self, dom: &Dom) {
        let mut inside: BTreeSet<Id> = self.bodies.values().copied().collect();
        for _ in 0..MAX_CONTAINERS {
            let parents: BTreeSet<Id> = inside.iter().filter_map(|id| dom.parent(*id)).collect();
            let is_rule =
                |id: Id| dom.element(id).is_some_and(|element| matches!(element.name(), "hr" | "br"));
            let holds_notes = |id: &Id| {
                let is_part = |child: &Id| {
                    self.silent.contains(child) || is_rule(*child) || dom.text(*child).trim().is_empty()
                };
                dom.element(*id).is_some_and(|element| BODIES.contains(&element.name()) || is_list(element))
                    && dom.children(*id).iter().all(is_part)
            };
            let containers: BTreeSet<Id> = parents.into_iter().filter(holds_notes).collect();
            let outer = if containers.is_empty() { &inside } else { &containers };
            let rules: Vec<Id> =
                outer.iter().filter_map(|id| before(dom, *id)).filter(|id| is_rule(*id)).collect();
            self.silent.extend(rules);
            if containers.is_empty() {
                return;
            }
            self.silent.extend(containers.iter().copied());
            inside = containers;
        }
    }
}

fn is_list(element: &Element) -> bool {
    matches!(element.name(), "ol" | "ul" | "dl" | "section")
}

/// Returns the previous sibling element of a node.
fn before(dom: &Dom, id: Id) -> Option<Id> {
    let siblings = dom.children(dom.parent(id)?);
    let at = siblings.iter().position(|sibling| *sibling == id)?;
    siblings.get(..at)?.iter().rev().copied().find(|id| dom.element(*id).is_some())
}

/// Returns the parent of a paragraph if it contains one note and nothing else.
fn widened(dom: &Dom, note: Id, notes: &BTreeSet<Id>) -> Option<Id> {
    let parent = dom.parent(note).filter(|parent| {
        dom.element(*parent).is_some_and(|element| matches!(element.name(), "li" | "div" | "aside"))
    })?;
    let mut inside = dom.child_elements(parent).map(|(child, _)| child);
    let is_first = inside.next() == Some(note);
    (is_first && !inside.any(|child| notes.contains(&child)) && !has_heading(dom, parent)).then_some(parent)
}

fn has_heading(dom: &Dom, id: Id) -> bool {
    dom.find(id, |element| matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")).is_some()
}

/// Returns whether a text is a number or a sign of a footnote: `1`, `[2]`, `*`.
fn is_label(text: &str) -> bool {
    let label = text.trim().trim_matches(['[', ']', '(', ')']);
    let is_sign = |c: char| c.is_ascii_digit() || "ivx*†‡§¶#".contains(c);
    (1..=4).contains(&label.chars().count()) && label.chars().all(is_sign)
}

/// Link targets of a page by name, and the links to them.
struct Names<'d> {
    /// Elements with their positions in the page.
    targets: HashMap<&'d str, (usize, Id)>,
    links: Vec<(Id, &'d str)>,
    positions: HashMap<Id, usize>,
}

impl<'d> Names<'d> {
    fn of(dom: &'d Dom) -> Self {
        let mut names = Self { targets: HashMap::new(), links: Vec::new(), positions: HashMap::new() };
        for (position, id) in dom.descendants(Dom::ROOT).enumerate() {
            let Some(element) = dom.element(id) else { continue };
            for name in own_names(element) {
                names.targets.entry(name).or_insert((position, id));
            }
            let href = element.get("href").and_then(|href| href.strip_prefix('#'));
            if let Some(target) = href.filter(|_| element.name() == "a") {
                names.links.push((id, target));
                names.positions.insert(id, position);
            }
        }
        names
    }

    /// Returns the element with the note of a mark. The note comes after its mark and contains no headings.
    fn note(&self, dom: &Dom, mark: Id, target: &str) -> Option<Id> {
        let (position, at) = *self.targets.get(target)?;
        let is_after = self.positions.get(&mark).is_some_and(|mark| *mark < position);
        let around = std::iter::successors(Some(at), |id| dom.parent(*id));
        let mut bodies =
            around.filter(|id| dom.element(*id).is_some_and(|element| BODIES.contains(&element.name())));
        let body = bodies.next().filter(|body| is_after && !dom.is_below(mark, *body))?;
        if dom.descendants(body).nth(MAX_NOTE_NODES).is_some() {
            return None;
        }
        let is_named = || {
            let around = dom.parent(mark).and_then(|parent| dom.element(parent));
            let marks = dom.element(mark).into_iter().chain(around);
            marks.into_iter().any(|element| {
                element.get("role") == Some("doc-noteref")
                    || element.has("data-footnote-ref")
                    || element.has_class(&MARKS)
            })
        };
        ((is_named() || self.back(dom, mark, body).is_some()) && !has_heading(dom, body)).then_some(body)
    }

    /// Returns the link from a note to its mark.
    fn back(&self, dom: &Dom, mark: Id, body: Id) -> Option<Id> {
        let around = dom.parent(mark).and_then(|parent| dom.element(parent));
        let around = around.filter(|element| matches!(element.name(), "sup" | "span"));
        let names: Vec<&str> = dom.element(mark).into_iter().chain(around).flat_map(own_names).collect();
        dom.find(body, |element| {
            let href = element.get("href").and_then(|href| href.strip_prefix('#'));
            href.is_some_and(|href| names.contains(&href))
        })
    }

    /// Returns the numbers of a note, which the mark repeats.
    fn labels(&self, dom: &Dom, mark: Id, body: Id) -> Vec<Id> {
        let back = self.back(dom, mark, body).map(|back| {
            let around = std::iter::successors(Some(back), |id| dom.parent(*id));
            let labels = around.take_while(|id| *id != body && (*id == back || is_label(&dom.text(*id))));
            labels.last().unwrap_or(back)
        });
        let by_class = dom.find(body, |element| element.has_class(&["footnote-definition-label"]));
        back.into_iter().chain(by_class).collect()
    }
}

/// Returns the names by which links can target an element.
fn own_names(element: &Element) -> impl Iterator<Item = &str> {
    let name = element.get("name").filter(|_| element.name() == "a");
    element.get("id").into_iter().chain(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_label;

    #[test]
    fn labels_are_numbers_and_signs() {
        for (text, expected) in [
            ("1", true),
            ("[12]", true),
            (" * ", true),
            ("iv", true),
            ("", false),
            ("Top", false),
            ("2026a", false),
        ] {
            assert_eq!(is_label(text), expected, "{text}");
        }
    }
}
