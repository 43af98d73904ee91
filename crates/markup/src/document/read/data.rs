//! Reading of the properties of nodes.

use super::super::rules::check;
use super::super::schema::{Field, Need, Schema};
use super::{Object, Reader};
use serde_json::Value;

impl Reader {
    /// Reads the properties of a node.
    pub(super) fn data(&mut self, object: &Object, schema: &Schema) -> Object {
        self.at(".data", |r| match object.get("data") {
            None | Some(Value::Null) => {
                if schema.has_data {
                    r.fail("is missing");
                }
                Object::new()
            }
            Some(Value::Object(data)) => {
                r.rules(data, schema);
                data.clone()
            }
            Some(_) => {
                r.fail("must be an object");
                Object::new()
            }
        })
    }

    /// Checks properties.
    pub(super) fn rules(&mut self, data: &Object, schema: &Schema) {
        self.fields(data, schema.data);
        for (name, value) in data {
            let known = schema.data.iter().any(|field| field.name == name);
            self.at(&format!(".{name}"), |r| {
                if schema.closed && !known {
                    r.fail("is not a property of this node");
                }
                r.text_without_nul(name);
                r.no_nul(value, 0);
            });
        }
    }

    /// Checks the named members of an object; other members may have any value.
    pub(in super::super) fn fields(&mut self, data: &Object, fields: &[Field]) {
        for field in fields {
            self.at(&format!(".{}", field.name), |r| match data.get(field.name) {
                None if is_needed(field, data) => r.fail("is missing"),
                None => {}
                Some(value) => {
                    if let Err(message) = check(value, field.rule) {
                        r.fail(message);
                    }
                }
            });
        }
    }

    /// Reads the metadata that an editor or a client keeps with a node.
    pub(super) fn meta(&mut self, object: &Object) -> Option<Object> {
        match object.get("meta")? {
            Value::Object(meta) => {
                self.at(".meta", |r| r.no_nul(&Value::Object(meta.clone()), 0));
                Some(meta.clone())
            }
            _ => {
                self.at(".meta", |r| r.fail("must be an object"));
                None
            }
        }
    }
}

fn is_needed(field: &Field, data: &Object) -> bool {
    match field.need {
        Need::Always => true,
        Need::Unless(other) => !data.contains_key(other),
        Need::Never => false,
    }
}
