//! Order and nesting of the tags of a specification.

use std::collections::{HashMap, HashSet};

use super::json::Json;

/// Maximum number of ancestors of a tag. Deeper tags become siblings of their parent. A tree of pages may nest twice as
/// deep.
const MAX_DEPTH: usize = 8;

/// Tag of the operations without a tag.
pub(super) const DEFAULT: &str = "default";

/// Tags declared by a specification, by name. The first of equal names is used.
pub(super) struct Tags<'j> {
    order: Vec<&'j str>,
    declared: HashMap<&'j str, &'j Json>,
}

/// Tag with a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Name.
    pub(super) name: String,
    /// Index of the parent among the placed tags.
    pub(super) parent: Option<usize>,
}

impl<'j> Tags<'j> {
    /// Reads the `tags` of a specification.
    pub(super) fn read(tags: &'j Json) -> Self {
        let mut declared = HashMap::new();
        let mut order = Vec::new();
        for (name, tag) in tags.items().iter().filter_map(|tag| Some((tag.str("name")?, tag))) {
            if !declared.contains_key(name) {
                declared.insert(name, tag);
                order.push(name);
            }
        }
        Self { order, declared }
    }

    /// Returns the declaration of a tag.
    pub(super) fn get(&self, name: &str) -> Option<&'j Json> {
        self.declared.get(name).copied()
    }

    /// Returns the tag whose page contains an operation: its first declared tag, otherwise its first tag, otherwise
    /// `default`.
    pub(super) fn of_operation<'o>(&self, operation: &'o Json) -> &'o str {
        let mut names = operation.items_of("tags").iter().filter_map(Json::as_str);
        let declared = names.clone().find(|name| self.declared.contains_key(name));
        declared.or_else(|| names.next()).unwrap_or(DEFAULT)
    }

    /// Returns the tags that have a page, each after its parent: the tags that operations use, in the given order of
    /// occurrence, and the tags that others name as their parent. Declared tags come first, in their order. Tags in a
    /// cycle of parents are at the top.
    pub(super) fn placed(&self, used: &[String]) -> Vec<Placed> {
        let in_use: HashSet<&str> = used.iter().map(String::as_str).collect();
        let parents: HashSet<&str> = self.order.iter().filter_map(|name| self.parent_of(name)).collect();
        let shown = |name: &str| {
            (in_use.contains(name) || parents.contains(name)) && !self.get(name).is_some_and(is_ignored)
        };
        let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut roots: Vec<&str> = Vec::new();
        let undeclared = used.iter().map(String::as_str).filter(|name| !self.declared.contains_key(name));
        let names: Vec<&str> =
            self.order.iter().copied().chain(undeclared).filter(|name| shown(name)).collect();
        for name in &names {
            match self.parent_of(name).filter(|parent| shown(parent)) {
                Some(parent) => children.entry(parent).or_default().push(name),
                None => roots.push(name),
            }
        }
        let mut placed: Vec<Placed> = Vec::with_capacity(names.len());
        let mut seen = HashSet::new();
        // Tags in a cycle of parents are not reachable from a root.
        for root in roots.into_iter().chain(names.iter().copied()) {
            let mut waiting: Vec<(&str, Vec<usize>)> = vec![(root, Vec::new())];
            while let Some((name, above)) = waiting.pop() {
                if !seen.insert(name) {
                    continue;
                }
                let mut below = above.clone();
                if below.len() < MAX_DEPTH {
                    below.push(placed.len());
                }
                placed.push(Placed { name: name.to_owned(), parent: above.last().copied() });
                let inner = children.get(name).into_iter().flatten().rev();
                waiting.extend(inner.map(|child| (*child, below.clone())));
            }
        }
        placed
    }

    /// Returns the declared parent of a tag.
    fn parent_of(&self, name: &str) -> Option<&'j str> {
        let tag = self.get(name)?;
        let parent = ["parent", "x-parent"].into_iter().find_map(|key| tag.str(key))?;
        self.declared.contains_key(parent).then_some(parent)
    }
}

/// Returns whether the author hides an object from the documentation.
pub(super) fn is_ignored(json: &Json) -> bool {
    json.flag("x-internal") || json.flag("x-gitbook-ignore")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(tags: &str, used: &[&str]) -> Vec<(String, Option<usize>)> {
        let tags = Json::parse(tags).unwrap();
        let used: Vec<String> = used.iter().map(|name| (*name).to_owned()).collect();
        Tags::read(&tags).placed(&used).into_iter().map(|tag| (tag.name, tag.parent)).collect()
    }

    fn named(name: &str, parent: Option<usize>) -> (String, Option<usize>) {
        (name.to_owned(), parent)
    }

    #[test]
    fn tags_are_below_their_parents() {
        let tags = r#"[{"name": "root"}, {"name": "store", "x-parent": "pet"}, {"name": "pet", "parent": "root"},
            {"name": "unused"}, {"name": "hidden", "x-internal": true}, {"name": "lost", "parent": "nowhere"}]"#;
        assert_eq!(
            placed(tags, &["free", "store", "pet", "hidden", "lost"]),
            [
                named("root", None),
                named("pet", Some(0)),
                named("store", Some(1)),
                named("lost", None),
                named("free", None),
            ]
        );
    }

    #[test]
    fn circles_and_deep_nesting_end() {
        let circle =
            r#"[{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}, {"name": "c", "parent": "c"}]"#;
        assert_eq!(placed(circle, &["a"]), [named("a", None), named("b", Some(0)), named("c", None)]);
        let chain: Vec<String> = (0..40)
            .map(|number| format!(r#"{{"name": "t{number}", "parent": "t{}"}}"#, number.max(1) - 1))
            .collect();
        let deep = placed(&format!("[{}]", chain.join(",")), &["t39"]);
        assert_eq!(deep.len(), 40);
        assert!(deep.iter().filter_map(|(_, parent)| *parent).all(|parent| parent < MAX_DEPTH));
    }
}
