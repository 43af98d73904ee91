//! Reading of text nodes, their leaves and marks.

use super::super::rules::{Rule, check};
use super::super::{Leaf, Mark, Text};
use super::Reader;
use serde_json::Value;

impl Reader {
    pub(super) fn text(&mut self, value: &Value) -> Option<Text> {
        let object = self.object(value, "text")?;
        let key = self.key(object);
        Some(Text { key, leaves: self.array(object, "leaves", Self::leaf) })
    }

    fn leaf(&mut self, value: &Value) -> Option<Leaf> {
        let object = self.object(value, "leaf")?;
        let text = self.required_text(object, "text");
        let mut marks: Vec<Mark> = Vec::new();
        self.expected_array(object, "marks", |r, value| {
            let mark = r.mark(value)?;
            // There is one color mark and one of each other kind, so a leaf has at most as many marks as there are
            // kinds.
            if marks.iter().any(|known| known.name() == mark.name()) {
                r.fail(format!("`{}` must occur once on a text", mark.name()));
            } else {
                marks.push(mark);
            }
            Some(())
        });
        Some(Leaf { text, marks })
    }

    fn mark(&mut self, value: &Value) -> Option<Mark> {
        let object = self.object(value, "mark")?;
        let mark = match self.kind(object)? {
            "bold" => Mark::Bold,
            "italic" => Mark::Italic,
            "code" => Mark::Code,
            "keyboard" => Mark::Keyboard,
            "strikethrough" => Mark::Strikethrough,
            "superscript" => Mark::Superscript,
            "subscript" => Mark::Subscript,
            "color" => return self.at(".data", |r| r.colors(object.get("data"))),
            name => {
                self.at(".type", |r| r.fail(format!("`{name}` is not a type of mark")));
                return None;
            }
        };
        Some(mark)
    }

    fn colors(&mut self, data: Option<&Value>) -> Option<Mark> {
        let Some(Value::Object(data)) = data else {
            self.fail("must be an object");
            return None;
        };
        let (text, background) = (self.required_text(data, "text"), self.required_text(data, "background"));
        for name in ["text", "background"] {
            if let Some(Err(message)) = data.get(name).map(|color| check(color, Rule::Color)) {
                self.at(&format!(".{name}"), |r| r.fail(message));
            }
        }
        Some(Mark::Color { text, background })
    }
}
