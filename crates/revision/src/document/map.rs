//! Three-way merge of JSON objects, member by member.

use serde_json::{Map, Value};

use super::{Context, Versions};

impl<'a> Versions<&'a Map<String, Value>> {
    /// Returns the versions of one member, each `None` if it is absent.
    pub(super) fn member(self, name: &str) -> Versions<Option<&'a Value>> {
        Versions { base: self.base.get(name), into: self.into.get(name), from: self.from.get(name) }
    }

    /// Returns the names of the members of `into`, then of the members that only `from` has.
    pub(super) fn names(self) -> impl Iterator<Item = &'a String> {
        let added = self.from.keys().filter(move |name| !self.into.contains_key(*name));
        self.into.keys().chain(added)
    }
}

impl<T: PartialEq> Versions<T> {
    /// Returns the version that both sides agree on, or the only changed one; `None` if both sides changed it
    /// differently.
    pub(super) fn agreed(self) -> Option<T> {
        if self.into == self.from || self.from == self.base {
            Some(self.into)
        } else if self.into == self.base {
            Some(self.from)
        } else {
            None
        }
    }
}

/// Merges objects member by member, recursively.
pub(super) fn merge_maps(
    context: &mut Context<'_>,
    versions: Versions<&Map<String, Value>>,
) -> Map<String, Value> {
    let merged = versions.names().filter_map(|name| {
        let value = merge_values(context, versions.member(name))?;
        Some((name.clone(), value))
    });
    merged.collect()
}

/// Merges values of any type: objects member by member, all others as a whole.
pub(super) fn merge_values(context: &mut Context<'_>, versions: Versions<Option<&Value>>) -> Option<Value> {
    if let Some(agreed) = versions.agreed() {
        return agreed.cloned();
    }
    if let Versions {
        base: Some(Value::Object(base)),
        into: Some(Value::Object(into)),
        from: Some(Value::Object(from)),
    } = versions
    {
        let objects = Versions { base, into, from };
        if !is_unit(objects) {
            return Some(Value::Object(merge_maps(context, objects)));
        }
    }
    context.settle(versions.into, versions.from).cloned()
}

/// Returns whether objects merge as a whole only: references, whose `kind` determines their members, and objects whose
/// `type` changed.
fn is_unit(versions: Versions<&Map<String, Value>>) -> bool {
    let kind = versions.member("kind");
    let types = versions.member("type");
    let has_kind = [kind.base, kind.into, kind.from].iter().any(Option::is_some);
    has_kind || types.base != types.into || types.base != types.from
}
