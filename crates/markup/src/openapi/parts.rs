//! Parts that pages refer to. Each referenced part is stored once, unparsed, with its own references.

use crate::limits::openapi::{MAX_PAGE_BYTES, MAX_PAGE_PARTS, MAX_REFERENCE_HOPS};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use serde_json::value::RawValue;

use super::SpecError;
use super::json::{Json, unescape};
use super::raw::{RawObject, malformed, read};

/// Size of a reference between parts, in bytes.
const HOP: usize = 4;

/// Part of a specification that pages refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// JSON pointer in references to the part.
    pub pointer: String,
    /// Content in JSON.
    pub body: String,
}

/// Lookup of parts by pointer. Referenced parts are numbered.
pub(super) struct Parts<'a> {
    root: &'a RawObject<'a>,
    /// Objects that contain parts, by pointer, cached on first use, and the objects that contain these.
    holders: HashMap<String, HashMap<String, &'a RawValue>>,
    numbers: HashMap<String, Option<i32>>,
    found: Vec<Part>,
    /// Direct references of each part: by name until they are resolved.
    references: Vec<References>,
    /// Parsed parts.
    read: HashMap<String, Rc<Json>>,
    /// Total size of pages so far, in bytes.
    spent: usize,
}

/// References of a part.
enum References {
    Named(BTreeSet<String>),
    /// Existing parts in the order of their names, at most as many as a page can have.
    Found(Rc<[(String, i32)]>),
}

impl<'a> Parts<'a> {
    pub(super) fn new(root: &'a RawObject<'a>) -> Self {
        Self {
            root,
            holders: HashMap::new(),
            numbers: HashMap::new(),
            found: Vec::new(),
            references: Vec::new(),
            read: HashMap::new(),
            spent: 0,
        }
    }

    /// Adds to the total size of pages.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), SpecError> {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > MAX_PAGE_BYTES { Err(SpecError::TooMuchText) } else { Ok(()) }
    }

    /// Returns the numbers of the parts that are reachable from these references, the nearest first.
    pub(super) fn reached_from(&mut self, wanted: BTreeSet<String>) -> Result<Vec<i32>, SpecError> {
        let mut reached = Vec::new();
        let mut seen = HashSet::new();
        let mut wanted: BTreeMap<String, i32> = self.numbered(wanted)?.into_iter().collect();
        for hop in 1..=MAX_REFERENCE_HOPS {
            let mut next = BTreeMap::new();
            for (_, number) in wanted {
                if reached.len() >= MAX_PAGE_PARTS {
                    return Ok(reached);
                }
                if !seen.insert(number) {
                    continue;
                }
                reached.push(number);
                if hop == MAX_REFERENCE_HOPS {
                    continue;
                }
                let references = self.references_of(number)?;
                self.spend(references.len().saturating_mul(HOP))?;
                next.extend(references.iter().filter(|(_, number)| !seen.contains(number)).cloned());
            }
            if next.is_empty() {
                break;
            }
            wanted = next;
        }
        Ok(reached)
    }

    /// Returns the existing parts with these names, at most as many as a page can have.
    fn numbered(&mut self, names: BTreeSet<String>) -> Result<Vec<(String, i32)>, SpecError> {
        let mut numbered = Vec::new();
        for pointer in names {
            if numbered.len() >= MAX_PAGE_PARTS {
                break;
            }
            if let Some(number) = self.number(&pointer)? {
                numbered.push((pointer, number));
            }
        }
        Ok(numbered)
    }

    /// Returns the direct references of a part.
    fn references_of(&mut self, number: i32) -> Result<Rc<[(String, i32)]>, SpecError> {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let names = match self.references.get_mut(index) {
            None => return Ok(Rc::default()),
            Some(References::Found(found)) => return Ok(Rc::clone(found)),
            Some(References::Named(names)) => std::mem::take(names),
        };
        let found: Rc<[(String, i32)]> = self.numbered(names)?.into();
        if let Some(references) = self.references.get_mut(index) {
            *references = References::Found(Rc::clone(&found));
        }
        Ok(found)
    }

    /// Returns the parsed value at a pointer. It becomes part of a page and counts for its size.
    pub(super) fn resolve(&mut self, pointer: &str) -> Result<Option<Json>, SpecError> {
        let Some(holder) = holder_of(pointer) else { return Ok(None) };
        let json = match self.read.get(holder) {
            Some(json) => Rc::clone(json),
            None => {
                let Some(raw) = self.find(holder)? else { return Ok(None) };
                let json = Rc::new(read(holder, raw)?);
                self.read.insert(holder.to_owned(), Rc::clone(&json));
                json
            }
        };
        let Some(value) = json.pointer(pointer.get(holder.len()..).unwrap_or_default()) else {
            return Ok(None);
        };
        self.spend(value.weight(MAX_PAGE_BYTES))?;
        Ok(Some(value.clone()))
    }

    pub(super) fn into_found(self) -> Vec<Part> {
        self.found
    }

    /// Returns the number of a part, assigned at its first reference; `None` if the part does not exist.
    fn number(&mut self, pointer: &str) -> Result<Option<i32>, SpecError> {
        if let Some(known) = self.numbers.get(pointer) {
            return Ok(*known);
        }
        let found = self.find(pointer)?;
        let number = match found {
            None => None,
            Some(raw) => {
                let mut references = BTreeSet::new();
                collect_references(&read(pointer, raw)?, &mut references);
                self.references.push(References::Named(references));
                self.found
                    .push(Part { pointer: pointer.replace('\0', "\u{fffd}"), body: raw.get().to_owned() });
                i32::try_from(self.found.len().saturating_sub(1)).ok()
            }
        };
        self.numbers.insert(pointer.to_owned(), number);
        Ok(number)
    }

    fn find(&mut self, pointer: &str) -> Result<Option<&'a RawValue>, SpecError> {
        let Some((holder, name)) = pointer.rsplit_once('/') else { return Ok(None) };
        if !self.holders.contains_key(holder) {
            let entries = self.holder(holder)?;
            self.holders.insert(holder.to_owned(), entries);
        }
        Ok(self.holders.get(holder).and_then(|entries| entries.get(&unescape(name)).copied()))
    }

    /// Returns the entries of the root, or of an object one or two levels below it; empty if there is no such object.
    fn holder(&mut self, holder: &str) -> Result<HashMap<String, &'a RawValue>, SpecError> {
        if holder.is_empty() {
            return Ok(self.root.0.iter().cloned().collect());
        }
        self.find(holder)?.map_or_else(|| Ok(HashMap::new()), |raw| Ok(object(holder, raw)?.into_map()))
    }
}

fn object<'a>(pointer: &str, raw: &'a RawValue) -> Result<RawObject<'a>, SpecError> {
    serde_json::from_str(raw.get()).map_err(|error| malformed(pointer, &error))
}

/// Collects the pointers of the parts that a piece refers to.
pub(super) fn collect_references(json: &Json, found: &mut BTreeSet<String>) {
    let mut rest = vec![json];
    while let Some(json) = rest.pop() {
        if let Some(pointer) = json.str("$ref").and_then(local).as_deref().and_then(holder_of) {
            found.insert(pointer.to_owned());
        }
        rest.extend(json.items());
        rest.extend(json.entries().iter().map(|(_, value)| value));
    }
}

/// Returns the pointer of a reference into the same file. Its fragment may be percent-encoded (RFC 6901, 6).
pub(super) fn local(reference: &str) -> Option<String> {
    let pointer = reference.strip_prefix('#')?;
    if !pointer.contains('%') {
        return Some(pointer.to_owned());
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let escaped = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns the pointer of the part that contains a pointer: `/components/schemas/Pet` for all pointers within it.
pub(super) fn holder_of(pointer: &str) -> Option<&str> {
    let levels = if pointer.starts_with("/components/") { 3 } else { 2 };
    let mut slashes = pointer.match_indices('/').map(|(index, _)| index);
    let starts_right = slashes.next() == Some(0);
    let inner = slashes.by_ref().take(levels - 1).count();
    if !starts_right || inner + 1 < levels {
        return None;
    }
    let end = pointer.match_indices('/').nth(levels).map_or(pointer.len(), |(index, _)| index);
    pointer.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_lead_into_parts() {
        for (pointer, holder) in [
            ("/components/schemas/Pet", Some("/components/schemas/Pet")),
            ("/components/schemas/Pet/properties/name", Some("/components/schemas/Pet")),
            ("/definitions/Pet", Some("/definitions/Pet")),
            ("/paths/~1pets/get", Some("/paths/~1pets")),
            ("/components/schemas", None),
            ("/info", None),
            ("", None),
            ("x/y/z", None),
        ] {
            assert_eq!(holder_of(pointer), holder, "{pointer}");
        }
        assert_eq!(local("#/components/schemas/A%20b%7E1").as_deref(), Some("/components/schemas/A b~1"));
        assert_eq!(local("#/a%zz%").as_deref(), Some("/a%zz%"));
        assert_eq!(local("other.yaml#/A"), None);
    }

    #[test]
    fn cycles_end_and_near_things_come_first() {
        let text = r##"{"components": {"schemas": {
            "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
            "B": {"items": {"$ref": "#/components/schemas/A"}, "x": {"$ref": "#/components/schemas/None"}}
        }}}"##;
        let root = RawObject::read("", text).unwrap();
        let mut parts = Parts::new(&root);
        let reached = parts.reached_from(BTreeSet::from(["/components/schemas/B".to_owned()])).unwrap();
        assert_eq!(reached, [0, 1]);
        let pointers: Vec<String> = parts.into_found().into_iter().map(|part| part.pointer).collect();
        assert_eq!(pointers, ["/components/schemas/B", "/components/schemas/A"]);
    }
}
