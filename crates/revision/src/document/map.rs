//! Three-way merge of JSON objects, member by member.

use serde_json::{Map, Value};

use super::{Context, Versions};

impl<'a> Versions<&'a Map<String, Value>> {
    /// The versions of one member, each absent where it is.
    pub(super) fn member(self, name: &str) -> Versions<Option<&'a Value>> {
        Versions { base: self.base.get(name), ours: self.ours.get(name), theirs: self.theirs.get(name) }
    }

    /// The names of the members of ours, then of those that only theirs has.
    pub(super) fn names(self) -> impl Iterator<Item = &'a String> {
        let added = self.theirs.keys().filter(move |name| !self.ours.contains_key(*name));
        self.ours.keys().chain(added)
    }
}

impl<T: PartialEq> Versions<T> {
    /// The version that both sides agree on, or the only changed one; nothing if both sides changed
    /// it differently.
    pub(super) fn agreed(self) -> Option<T> {
        if self.ours == self.theirs || self.theirs == self.base {
            Some(self.ours)
        } else if self.ours == self.base {
            Some(self.theirs)
        } else {
            None
        }
    }
}

/// Merges objects member by member, and objects in them likewise.
pub(super) fn merge_maps(
    context: &mut Context,
    versions: Versions<&Map<String, Value>>,
) -> Map<String, Value> {
    let merged = versions.names().filter_map(|name| {
        let value = merge_values(context, versions.member(name))?;
        Some((name.clone(), value))
    });
    merged.collect()
}

/// Merges values of any kind: objects member by member, all else as a whole.
pub(super) fn merge_values(context: &mut Context, versions: Versions<Option<&Value>>) -> Option<Value> {
    if let Some(agreed) = versions.agreed() {
        return agreed.cloned();
    }
    if let Versions {
        base: Some(Value::Object(base)),
        ours: Some(Value::Object(ours)),
        theirs: Some(Value::Object(theirs)),
    } = versions
    {
        let objects = Versions { base, ours, theirs };
        if !is_unit(objects) {
            return Some(Value::Object(merge_maps(context, objects)));
        }
    }
    context.settle(versions.ours, versions.theirs).cloned()
}

/// Returns `true` for objects that merge as a whole only: references, whose `kind` determines their members, and
/// objects whose `type` changed.
fn is_unit(versions: Versions<&Map<String, Value>>) -> bool {
    let kind = versions.member("kind");
    let types = versions.member("type");
    let has_kind = [kind.base, kind.ours, kind.theirs].iter().any(Option::is_some);
    has_kind || types.base != types.ours || types.base != types.theirs
}
