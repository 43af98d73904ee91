//! Select columns: the header cell contains `<select multiple><option value="…" label="…"
//! color="…"></option></select>`, and a cell names the chosen options, `<span data-option="…">words</span>`.

use super::{Element, Flow, Spanned, Token, decode};
use serde_json::{Value, json};

/// Options of a column.
pub(super) struct Choices {
    pub(super) multiple: bool,
    options: Vec<Choice>,
}

struct Choice {
    value: String,
    label: String,
    color: String,
}

impl Choices {
    /// Reads the options of a header cell; `None` if it has none.
    pub(super) fn of(cell: &[Spanned<'_>]) -> Option<Self> {
        let mut choices: Option<Self> = None;
        let mut within = false;
        for spanned in cell {
            match (&spanned.token, &mut choices) {
                (Token::Open(element), None) if element.name == "select" => {
                    choices = Some(Self { multiple: element.has("multiple"), options: Vec::new() });
                    within = true;
                }
                (Token::Open(element), Some(choices)) if within && element.name == "option" => {
                    choices.options.push(Choice::of(element));
                }
                (Token::Text(raw), Some(choices)) if within => {
                    // Text in the element is the label, unless there is another.
                    if let Some(choice) = choices.options.last_mut().filter(|choice| choice.label.is_empty())
                    {
                        choice.label = collapsed(&decode(raw));
                    }
                }
                (Token::Close(name), _) if name == "select" => within = false,
                _ => {}
            }
        }
        choices.map(Self::settled)
    }

    /// Fills in missing values of options from their labels, and missing labels from their values.
    fn settled(mut self) -> Self {
        for Choice { value, label, .. } in &mut self.options {
            if label.is_empty() {
                label.clone_from(value);
            } else if value.is_empty() {
                value.clone_from(label);
            }
        }
        self
    }

    /// Returns the options as the column's property.
    pub(super) fn options(&self) -> Value {
        let options = self.options.iter();
        options
            .map(|Choice { value, label, color }| json!({"value": value, "label": label, "color": color}))
            .collect()
    }

    /// Returns the values that a cell names, if it only contains labels of options.
    pub(super) fn chosen(&self, cell: &[Spanned<'_>]) -> Option<Vec<String>> {
        let named = named(cell)?;
        let is_called = |(value, words): &(String, String)| {
            let called = self.options.iter().find(|choice| choice.value == *value);
            called.is_some_and(|choice| trimmed(&choice.label) == trimmed(words))
        };
        let is_known = !named.is_empty() && named.iter().all(is_called);
        is_known.then(|| named.into_iter().map(|(value, _)| value).collect())
    }
}

impl Choice {
    fn of(element: &Element) -> Self {
        let part = |name: &str| element.get(name).unwrap_or_default().to_owned();
        let color = element.get("color").unwrap_or("default").to_owned();
        Self { value: part("value"), label: part("label"), color }
    }
}

/// Returns the values and labels of the choices in a cell; `None` if it contains other words.
fn named(cell: &[Spanned<'_>]) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    // Number of open `span` elements, counted from the one that names a choice.
    let mut depth = 0_usize;
    for spanned in cell {
        match &spanned.token {
            Token::Open(element) if depth == 0 && element.name == "span" => {
                if let Some(value) = element.get("data-option") {
                    found.push((value.to_owned(), String::new()));
                    depth = 1;
                }
            }
            Token::Open(element) if element.name == "img" => return None,
            Token::Open(element) => depth += usize::from(depth > 0 && element.name == "span"),
            Token::Close(name) => depth -= usize::from(depth > 0 && name == "span"),
            Token::Text(raw) => match found.last_mut().filter(|_| depth > 0) {
                Some((_, words)) => words.push_str(&decode(raw)),
                None if trimmed(raw).is_empty() => {}
                None => return None,
            },
            Token::Comment(_) | Token::Parsed(_) => {}
        }
    }
    Some(found)
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns words separated by single spaces, without the commas between choices.
fn trimmed(text: &str) -> String {
    collapsed(text.trim_matches(|c: char| c == ',' || c.is_whitespace()))
}

impl Flow<'_, '_> {
    /// Skips the options of a column, whose start tag was just read.
    pub(super) fn pass_choices(&mut self) {
        while let Some(token) = self.peek() {
            self.advance();
            if matches!(token, Token::Close(name) if name == "select") {
                break;
            }
        }
    }
}
