//! The schema as JSON, for the editor.

use serde_json::{Map, Value, json};

use super::schema::{AllowedContent, Below, Fragments, Schema, is_content, of_block, of_inline};
use super::{BlockKind, InlineKind};

/// Returns the part of the document schema that an editor needs. For each kind of block and inline, `below` is its
/// allowed content: `void`, `inlines`, `text` with the inlines in `kinds`, `content`, `only` the blocks in `kinds`, or
/// `one` of them. `fragments` are the roles of its fragments with their allowed content, or `cells`. `structural` are
/// the blocks that only appear in blocks that name them.
///
/// ```
/// let schema = quire_markup::editor_schema();
/// assert_eq!(schema["blocks"]["code"], serde_json::json!({"below": "only", "kinds": ["code-line"]}));
/// ```
#[must_use]
pub fn editor_schema() -> Value {
    let blocks: Map<String, Value> =
        BlockKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), shape(&of_block(*kind)))).collect();
    let inlines: Map<String, Value> =
        InlineKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), shape(&of_inline(*kind)))).collect();
    let structural: Vec<&str> =
        BlockKind::ALL.iter().filter(|kind| !is_content(**kind)).map(|kind| kind.as_str()).collect();
    json!({ "blocks": blocks, "inlines": inlines, "structural": structural })
}

fn shape(schema: &Schema) -> Value {
    let blocks = |kinds: &[BlockKind]| kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>();
    let mut shape = match schema.below {
        Below::Void => json!({"below": "void"}),
        Below::Inlines => json!({"below": "inlines"}),
        Below::Text(kinds) => {
            json!({"below": "text", "kinds": kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>()})
        }
        Below::Content => json!({"below": "content"}),
        Below::Only(kinds) => json!({"below": "only", "kinds": blocks(kinds)}),
        Below::One(kinds) => json!({"below": "one", "kinds": blocks(kinds)}),
    };
    let fragments = match schema.fragments {
        Fragments::None => return shape,
        Fragments::Cells => json!("cells"),
        Fragments::Roles(roles) => roles
            .iter()
            .map(|role| {
                let holds = match role.holds {
                    AllowedContent::Any => "any",
                    AllowedContent::Some => "some",
                    AllowedContent::Line => "line",
                };
                (role.name.to_owned(), Value::from(holds))
            })
            .collect::<Map<_, _>>()
            .into(),
    };
    if let Value::Object(shape) = &mut shape {
        shape.insert("fragments".to_owned(), fragments);
    }
    shape
}
