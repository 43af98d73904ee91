//! Wanted structure of a site file: its own, with the changes that the site has had since both were equal.

use std::collections::{HashMap, HashSet};

use quire_storage::content::git_sites::{SitePart, SitePartKind, SiteStructure};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Key with the nested parts.
pub(super) const CHILDREN: &str = "children";

/// Path of a part in the file: the index of each ancestor in its list, and the index of the part.
pub(super) type PartPath = Vec<usize>;

/// Wanted part of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    /// Path in the present file. `None` for a new part.
    pub(super) origin: Option<PartPath>,
    /// Keys of the part, without nested parts.
    pub(super) values: Map<String, Value>,
    pub(super) children: Vec<Wanted>,
}

/// Kind, path of the section, and path or title. Identifies a part.
type Handle = (SitePartKind, String, String);

/// Returns the wanted structure of a file. `None` if it has groups inside groups, which a site does not support.
/// `is_applied` is true if the file was just applied to the site.
pub(super) fn wanted(file: &[Value], structure: &SiteStructure, is_applied: bool) -> Option<Vec<Wanted>> {
    let mut places = HashMap::new();
    index_file(file, (&[], ""), &mut places)?;
    let (mut base, mut of_base) = (HashMap::new(), HashSet::new());
    for part in structure.base.iter().flatten() {
        index_parts(part, "", &mut |part, handle| {
            of_base.insert(handle.clone());
            base.insert(part.id, (part, handle));
        });
    }
    let mut claims = Claims { file, places, base, of_base, is_applied, claimed: HashMap::new() };
    claims.claim(&structure.now);
    let taken: HashSet<PartPath> = claims.claimed.values().cloned().collect();
    Some(claims.list(&structure.now, Some(&[]), &taken))
}

/// Returns the list of parts at a place of the file. An empty place is the top level.
pub(super) fn list_at<'f>(file: &'f [Value], place: &[usize]) -> &'f [Value] {
    let mut list = file;
    for index in place {
        let children = list.get(*index).and_then(|part| part.get(CHILDREN)).and_then(Value::as_array);
        list = children.map_or(&[], Vec::as_slice);
    }
    list
}

/// Returns the part at a place of the file, without nested parts.
pub(super) fn values_at(file: &[Value], place: &[usize]) -> Map<String, Value> {
    let Some((last, parents)) = place.split_last() else { return Map::new() };
    let mut values =
        list_at(file, parents).get(*last).and_then(Value::as_object).cloned().unwrap_or_default();
    values.remove(CHILDREN);
    values
}

struct Claims<'c> {
    file: &'c [Value],
    places: HashMap<Handle, PartPath>,
    /// Parts of the site when both were equal.
    base: HashMap<Uuid, (&'c SitePart, Handle)>,
    of_base: HashSet<Handle>,
    is_applied: bool,
    /// Places of the present parts of the site in the file.
    claimed: HashMap<Uuid, PartPath>,
}

impl Claims<'_> {
    /// Locates the present parts of the site in the file: first by their former handles, unless the file was just
    /// applied, and then by their present ones.
    fn claim(&mut self, now: &[SitePart]) {
        let mut parts = Vec::new();
        for part in now {
            index_parts(part, "", &mut |part, handle| parts.push((part.id, handle)));
        }
        let mut taken = HashSet::new();
        for by_base in [true, false] {
            for (id, present) in &parts {
                let former = self.base.get(id).map(|(_, handle)| handle);
                let handle = match by_base {
                    true if self.is_applied => continue,
                    true => former,
                    false => Some(present),
                };
                let place = handle.and_then(|handle| self.places.get(handle));
                let Some(place) = place.filter(|place| !taken.contains(*place)) else { continue };
                if !self.claimed.contains_key(id) {
                    taken.insert(place.clone());
                    self.claimed.insert(*id, place.clone());
                }
            }
        }
    }

    /// Returns the wanted list of parts for the list at a place of the file.
    fn list(&self, parts: &[SitePart], place: Option<&[usize]>, taken: &HashSet<PartPath>) -> Vec<Wanted> {
        let mut list: Vec<Wanted> = parts.iter().filter_map(|part| self.part(part, taken)).collect();
        let Some(place) = place else { return list };
        let mut previous: Option<PartPath> = None;
        for index in 0..list_at(self.file, place).len() {
            let own: PartPath = place.iter().copied().chain([index]).collect();
            if !taken.contains(&own) && self.stays(&own) {
                let after = list.iter().position(|part| previous.is_some() && part.origin == previous);
                list.insert(after.map_or(0, |after| after + 1), kept(self.file, &own));
            } else if !taken.contains(&own) {
                continue;
            }
            previous = Some(own);
        }
        list
    }

    fn part(&self, part: &SitePart, taken: &HashSet<PartPath>) -> Option<Wanted> {
        let base = self.base.get(&part.id).map(|(base, _)| *base);
        let Some(place) = self.claimed.get(&part.id) else {
            let children = self.list(&part.children, None, taken);
            // The file never contained this part, and it has no nested parts from the file.
            if base.is_some() && children.iter().all(|child| child.origin.is_none()) {
                return None;
            }
            return Some(Wanted { origin: None, values: new_values(part), children });
        };
        let mut values = values_at(self.file, place);
        // A part that both sides have since then is as the file has it.
        if let Some(base) = base {
            update(&mut values, (base, part), self.is_applied);
        }
        let children = self.list(&part.children, Some(place), taken);
        Some(Wanted { origin: Some(place.clone()), values, children })
    }

    /// Returns whether to keep a part of the file that the site does not have. It is kept if the site never had it.
    fn stays(&self, place: &PartPath) -> bool {
        let handle = self.places.iter().find(|(_, found)| *found == place).map(|(handle, _)| handle);
        self.is_applied || handle.is_none_or(|handle| !self.of_base.contains(handle))
    }
}

/// Returns the structure that a file has.
pub(super) fn unchanged(file: &[Value]) -> Vec<Wanted> {
    (0..file.len()).map(|index| kept(file, &[index])).collect()
}

/// Returns a part as the file has it.
fn kept(file: &[Value], place: &[usize]) -> Wanted {
    let inside = (0..list_at(file, place).len()).map(|index| {
        let inside: PartPath = place.iter().copied().chain([index]).collect();
        kept(file, &inside)
    });
    let children = inside.collect();
    Wanted { origin: Some(place.to_vec()), values: values_at(file, place), children }
}

/// Writes what was changed to the values of a part. Values of a file that was just applied stay: an import leaves only
/// those alone that the file does not have.
fn update(values: &mut Map<String, Value>, (base, now): (&SitePart, &SitePart), is_applied: bool) {
    let keys: HashSet<&String> = base.values.keys().chain(now.values.keys()).collect();
    for key in keys.into_iter().filter(|key| *key != "key") {
        match (base.values.get(key), now.values.get(key)) {
            (before, after) if before == after => {}
            (_, None) if is_applied || values.get(key) == Some(&Value::Bool(false)) => {}
            (_, Some(_)) if is_applied && values.contains_key(key) => {}
            (_, Some(after)) => drop(values.insert(key.clone(), after.clone())),
            (_, None) => drop(values.remove(key)),
        }
    }
}

/// Returns the values of a part that the file does not have. A new space has no folder in the repository until a user
/// names one.
fn new_values(part: &SitePart) -> Map<String, Value> {
    let kind = match part.kind {
        SitePartKind::SectionGroup => "section-group",
        SitePartKind::Section => "section",
        SitePartKind::Space => "space",
    };
    let mut values = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    values.extend(part.values.clone());
    if part.kind == SitePartKind::Space {
        values.insert("content".to_owned(), serde_json::json!({ "directory": null }));
    }
    values
}

/// Locates groups, sections and spaces. Returns `None` for groups inside groups.
fn index_file(
    list: &[Value],
    (parents, section): (&[usize], &str),
    places: &mut HashMap<Handle, PartPath>,
) -> Option<()> {
    for (index, node) in list.iter().enumerate() {
        let text = |key: &str| node.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let handle = match text("type").as_str() {
            "section-group" if parents.is_empty() => {
                (SitePartKind::SectionGroup, String::new(), text("title"))
            }
            "section-group" => return None,
            "section" => (SitePartKind::Section, String::new(), text("path")),
            "space" => (SitePartKind::Space, section.to_owned(), text("path")),
            _ => continue,
        };
        let place: PartPath = parents.iter().copied().chain([index]).collect();
        let children = node.get(CHILDREN).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        index_file(children, (&place, &text("path")), places)?;
        places.entry(handle).or_insert(place);
    }
    Some(())
}

/// Calls a function with a part of the site and each nested part, with their handles.
fn index_parts<'p>(part: &'p SitePart, section: &str, found: &mut impl FnMut(&'p SitePart, Handle)) {
    let text = |key: &str| part.values.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (path, handle) = match part.kind {
        SitePartKind::SectionGroup => (String::new(), (part.kind, String::new(), text("title"))),
        SitePartKind::Section => (text("path"), (part.kind, String::new(), text("path"))),
        SitePartKind::Space => (String::new(), (part.kind, section.to_owned(), text("path"))),
    };
    found(part, handle);
    for child in &part.children {
        index_parts(child, &path, found);
    }
}
