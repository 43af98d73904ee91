//! Tables shown as cards.

use quire_markup::document::{Cell, TableView};
use serde_json::{Value, json};

use super::Converter;
use super::block::DEEPEST;

impl Converter<'_> {
    /// Returns the records of a table as cards: each with its cover, its column values and its target.
    pub(super) fn cards(
        &mut self,
        view: &TableView<'_>,
        columns: &[(&str, &Value)],
        depth: usize,
        out: &mut Vec<Value>,
    ) {
        let inner = depth.saturating_add(1).min(DEEPEST);
        let definition = |name: &str| view.view(name).and_then(Value::as_str);
        let (cover, target) = (definition("coverDefinition"), definition("targetDefinition"));
        let mut cards = Vec::new();
        for record in view.records() {
            if self.budget == 0 {
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            let mut card: Vec<Value> =
                cover.and_then(|column| self.cover(view.cell(record, column))).into_iter().collect();
            for (column, definition) in columns {
                // The target of a card is shown once, at its end.
                if Some(*column) != cover && Some(*column) != target {
                    card.extend(self.cell(view.cell(record, column), definition, inner));
                }
            }
            if let Some(Cell::Reference(reference)) = target.map(|column| view.cell(record, column)) {
                card.push(self.reference(&reference));
            }
            cards.push(card);
        }
        let is_large = definition("cardSize") == Some("large");
        out.push(json!({"k": "cards", "columns": if is_large { 2 } else { 3 }, "cards": cards}));
    }

    /// Returns the cover image of a card.
    fn cover(&self, cell: Cell<'_>) -> Option<Value> {
        let image = match cell {
            Cell::Reference(reference) | Cell::Image { reference, .. } => self.image_of(Some(&reference))?,
            Cell::Names(names) => {
                let image = self.book.files.get(*names.first()?)?.image.as_deref()?;
                self.images.contains_key(image).then_some(image)?
            }
            _ => return None,
        };
        Some(json!({"k": "image", "src": image, "alt": "", "width": 100.0, "align": "center", "caption": []}))
    }
}
