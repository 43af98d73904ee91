//! Reading of members that all kinds of nodes have.

use super::{MAX_DEPTH, Object, Reader};
use serde_json::Value;

impl Reader {
    /// Returns the object if its `object` member has the expected value.
    pub(super) fn object<'v>(&mut self, value: &'v Value, kind: &str) -> Option<&'v Object> {
        let Value::Object(object) = value else {
            self.fail("must be an object");
            return None;
        };
        if object.get("object").and_then(Value::as_str) != Some(kind) {
            self.at(".object", |r| r.fail(format!("must be `{kind}`")));
            return None;
        }
        Some(object)
    }

    /// Reads the members of an array with their paths.
    pub(super) fn array<T>(
        &mut self,
        object: &Object,
        name: &str,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Vec<T> {
        self.at(&format!(".{name}"), |r| {
            let Some(Value::Array(values)) = object.get(name) else {
                r.fail("must be an array");
                return Vec::new();
            };
            let items = values.iter().enumerate();
            items.filter_map(|(index, value)| r.at(&format!("[{index}]"), |r| read(r, value))).collect()
        })
    }

    /// Like [`Self::array`], and reports a missing array as one error.
    pub(super) fn expected_array<T>(
        &mut self,
        object: &Object,
        name: &str,
        read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Vec<T> {
        if object.contains_key(name) {
            return self.array(object, name, read);
        }
        self.missing(name);
        Vec::new()
    }

    /// Reports a missing member.
    pub(super) fn missing(&mut self, name: &str) {
        self.at(&format!(".{name}"), |r| r.fail("is missing"));
    }

    /// Reads the name of a node's type.
    pub(super) fn kind<'v>(&mut self, object: &'v Object) -> Option<&'v str> {
        let kind = object.get("type").and_then(Value::as_str);
        if kind.is_none() {
            self.at(".type", |r| r.fail("must be a string"));
        }
        kind
    }

    pub(super) fn required_text(&mut self, object: &Object, name: &str) -> String {
        match object.get(name) {
            Some(Value::String(text)) => {
                self.at(&format!(".{name}"), |r| r.text_without_nul(text));
                text.clone()
            }
            _ => {
                self.at(&format!(".{name}"), |r| r.fail("must be a string"));
                String::new()
            }
        }
    }

    /// Reads the key of a node.
    pub(super) fn key(&mut self, object: &Object) -> Option<Box<str>> {
        self.optional_text(object, "key").map(String::into_boxed_str)
    }

    pub(super) fn optional_text(&mut self, object: &Object, name: &str) -> Option<String> {
        object.contains_key(name).then(|| self.required_text(object, name))
    }

    pub(super) fn text_without_nul(&mut self, text: &str) {
        if text.contains('\0') {
            self.fail("must not contain NUL");
        }
    }

    /// Checks free-form JSON for NUL and limits its nesting to that of nodes.
    pub(super) fn no_nul(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            self.fail(format!("nested more than {MAX_DEPTH} levels deep"));
            return;
        }
        match value {
            Value::String(text) => self.text_without_nul(text),
            Value::Array(values) => values.iter().for_each(|value| self.no_nul(value, depth + 1)),
            Value::Object(object) => {
                for (name, value) in object {
                    self.text_without_nul(name);
                    self.no_nul(value, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
