//! Reading of fragments: cells, captions, titles and bodies.

use super::super::schema::{AllowedContent, Fragments, Role, Schema};
use super::super::{Block, BlockKind, Fragment};
use super::{Object, Reader};
use serde_json::Value;

impl Reader {
    /// Reads the fragments of a node.
    pub(super) fn fragments(&mut self, object: &Object, schema: &Schema) -> Vec<Fragment> {
        if !schema.has_fragments() {
            let has_any =
                object.get("fragments").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
            if has_any {
                self.at(".fragments", |r| r.fail("this node has no fragments"));
            }
            return Vec::new();
        }
        let fragments = self.expected_array(object, "fragments", Self::fragment);
        if let Fragments::Roles(roles) = schema.fragments {
            // An absent member was reported already.
            if object.contains_key("fragments") {
                self.at(".fragments", |r| r.roles(&fragments, roles));
            }
        }
        fragments
    }

    /// Checks that each role has one fragment with valid content.
    pub(super) fn roles(&mut self, fragments: &[Fragment], roles: &[Role]) {
        for (index, fragment) in fragments.iter().enumerate() {
            let role = roles.iter().find(|role| fragment.role.as_deref() == Some(role.name));
            let Some(role) = role else {
                let names: Vec<&str> = roles.iter().map(|role| role.name).collect();
                self.at(&format!("[{index}].type"), |r| {
                    r.fail(format!("must be {}", names.join(" or ")));
                });
                continue;
            };
            if let Some(message) = wrong_content(role.holds, &fragment.nodes) {
                self.at(&format!("[{index}].nodes"), |r| r.fail(message));
            }
        }
        for role in roles {
            let found = fragments.iter().filter(|fragment| fragment.role.as_deref() == Some(role.name));
            let count = found.count();
            if count > 1 || (role.required && count == 0) {
                self.fail(format!("must hold one `{}`", role.name));
            }
        }
    }

    fn fragment(&mut self, value: &Value) -> Option<Fragment> {
        let object = self.object(value, "fragment")?;
        Some(Fragment {
            key: self.key(object),
            fragment: self.optional_text(object, "fragment"),
            role: self.optional_text(object, "type"),
            nodes: self.content(object, "nodes"),
        })
    }
}

/// Returns the error in the content of a fragment, if any.
fn wrong_content(held: AllowedContent, nodes: &[Block]) -> Option<&'static str> {
    match (held, nodes) {
        (AllowedContent::Some, []) => Some("must hold at least one block"),
        (AllowedContent::Line, [only]) if only.kind == BlockKind::Paragraph => None,
        (AllowedContent::Line, _) => Some("must hold exactly one paragraph"),
        (AllowedContent::Any | AllowedContent::Some, _) => None,
    }
}
