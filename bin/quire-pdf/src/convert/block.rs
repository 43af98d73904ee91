//! Conversion of blocks.

use quire_markup::document::Fragment;
use quire_markup::{Block, BlockKind, ContentRef, Inline, inline_text};
use serde_json::{Value, json};

use super::inline::plain;
use super::{Converter, Target, anchor_label, math};

/// Maximum nesting of boxes; the content of deeper boxes is placed at this level. A line has no room for more, and the
/// typesetter has a depth limit.
pub(super) const DEEPEST: usize = 6;

/// Maximum number of columns side by side.
const COLUMNS: usize = 4;

impl Converter<'_> {
    /// Converts blocks within `depth` boxes.
    pub(super) fn blocks(&mut self, blocks: &[Block], depth: usize) -> Vec<Value> {
        let mut converted = Vec::with_capacity(blocks.len());
        for block in blocks {
            if self.budget == 0 {
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            self.block(block, depth, &mut converted);
        }
        converted
    }

    fn block(&mut self, block: &Block, depth: usize, out: &mut Vec<Value>) {
        let inner = depth.saturating_add(1);
        match block.kind {
            BlockKind::Paragraph => out.push(self.paragraph(block)),
            BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3 => out.push(self.heading(block)),
            BlockKind::ListOrdered | BlockKind::ListUnordered | BlockKind::ListTasks => {
                self.list(block, depth, out);
            }
            BlockKind::Divider => out.push(json!({"k": "divider"})),
            BlockKind::Code => out.push(code(block)),
            BlockKind::Math => {
                let tex = block.str("formula").unwrap_or_default();
                out.push(json!({"k": "math", "tex": tex, "tree": math::tree(tex)}));
            }
            BlockKind::Table => self.table(block, depth, out),
            BlockKind::Image => out.push(self.image(block, None)),
            BlockKind::Images => {
                let align = block.str("align");
                out.extend(block.child_blocks().iter().map(|image| self.image(image, align)));
            }
            BlockKind::File | BlockKind::Drawing => out.push(self.file(block)),
            BlockKind::ContentRef => {
                out.extend(block.reference().map(|reference| self.reference(&reference)));
            }
            BlockKind::Embed | BlockKind::Integration => out.extend(self.embed(block)),
            BlockKind::ReusableContent => self.include(block, depth, out),
            BlockKind::Swagger
            | BlockKind::OpenApiOperation
            | BlockKind::OpenApiSchemas
            | BlockKind::OpenApiWebhook => out.push(self.operation(block)),
            // The remaining kinds are boxes.
            _ if depth >= DEEPEST => {
                out.extend(title_of(block).map(|title| paragraph(plain(&title))));
                self.spliced(block, depth, out);
            }
            BlockKind::Blockquote => {
                let content = self.blocks(block.child_blocks(), inner);
                out.push(json!({"k": "quote", "c": content}));
            }
            BlockKind::Hint => {
                let content = self.blocks(block.child_blocks(), inner);
                out.push(json!({"k": "hint", "style": block.str("style").unwrap_or("info"), "c": content}));
            }
            BlockKind::Expandable | BlockKind::TabsItem | BlockKind::Update | BlockKind::Prompt => {
                let title = match block.fragment("expandable-title") {
                    [line, ..] => self.inlines(line.child_inlines()),
                    [] => plain(&title_of(block).unwrap_or_default()),
                };
                let mut content = self.blocks(block.fragment("expandable-body"), inner);
                content.extend(self.blocks(block.child_blocks(), inner));
                out.push(json!({"k": "titled", "title": title, "c": content}));
            }
            BlockKind::Stepper => {
                for (number, step) in (1_usize..).zip(block.child_blocks()) {
                    let content = self.blocks(step.child_blocks(), inner);
                    out.push(json!({"k": "titled", "title": plain(&format!("Step {number}")), "c": content}));
                }
            }
            BlockKind::Columns if (2..=COLUMNS).contains(&block.child_blocks().len()) => {
                let columns = block.child_blocks();
                let widths: Vec<f64> =
                    columns.iter().map(|column| percent(column.data.get("width")).unwrap_or(50.0)).collect();
                let content: Vec<Vec<Value>> =
                    columns.iter().map(|column| self.blocks(column.child_blocks(), inner)).collect();
                out.push(json!({"k": "columns", "widths": widths, "items": content}));
            }
            // A printed page has room for few columns, and shows the content of all conditions.
            BlockKind::Tabs
            | BlockKind::Columns
            | BlockKind::Column
            | BlockKind::If
            | BlockKind::Updates
            | BlockKind::StepperStep
            | BlockKind::ListItem
            | BlockKind::CodeLine => self.spliced(block, depth, out),
        }
    }

    /// Adds the content of a box without the box.
    fn spliced(&mut self, block: &Block, depth: usize, out: &mut Vec<Value>) {
        for Fragment { nodes, .. } in &block.fragments {
            out.extend(self.blocks(nodes, depth));
        }
        out.extend(self.blocks(block.child_blocks(), depth));
    }

    fn paragraph(&mut self, block: &Block) -> Value {
        json!({
            "k": "paragraph",
            "align": block.str("align").unwrap_or("start"),
            "rtl": Self::is_right_to_left(block.child_inlines()),
            "c": self.inlines(block.child_inlines()),
        })
    }

    fn heading(&mut self, block: &Block) -> Value {
        let label = self.anchors.next().map(|anchor| anchor_label(self.page, &anchor));
        json!({
            "k": "heading",
            "rank": block.heading_rank().unwrap_or(3),
            "label": label.filter(|label| self.labels.insert(label.clone())),
            "align": block.str("align").unwrap_or("start"),
            "rtl": Self::is_right_to_left(block.child_inlines()),
            "c": self.inlines(block.child_inlines()),
        })
    }

    fn list(&mut self, block: &Block, depth: usize, out: &mut Vec<Value>) {
        let inner = depth.saturating_add(1);
        let items = block.child_blocks();
        if depth >= DEEPEST {
            for item in items {
                self.spliced(item, depth, out);
            }
            return;
        }
        let checked: Vec<bool> = items.iter().map(|item| item.flag("checked")).collect();
        let content: Vec<Vec<Value>> =
            items.iter().map(|item| self.blocks(item.child_blocks(), inner)).collect();
        out.push(match block.kind {
            BlockKind::ListOrdered => {
                let start = block.data.get("start").and_then(Value::as_u64).unwrap_or(1);
                json!({"k": "enum", "start": start.min(1 << 31), "items": content})
            }
            BlockKind::ListTasks => {
                let items = checked.into_iter().zip(content);
                let items: Vec<Value> =
                    items.map(|(checked, content)| json!({"checked": checked, "c": content})).collect();
                json!({"k": "tasks", "items": items})
            }
            _ => json!({"k": "list", "items": content}),
        });
    }

    fn image(&mut self, block: &Block, align: Option<&str>) -> Value {
        let reference = block.reference();
        let caption = block.fragment("caption").first().map_or(&[][..], Block::child_inlines);
        let alt = block.str("alt").unwrap_or_default();
        let Some(image) = self.image_of(reference.as_ref()) else {
            return self.missing(reference.as_ref(), caption, alt);
        };
        json!({
            "k": "image",
            "src": image,
            "alt": alt,
            "width": percent(block.data.get("width")),
            "align": align.unwrap_or("center"),
            "caption": self.inlines(caption),
        })
    }

    /// Returns the replacement of an image that cannot be shown: its text and its URL.
    fn missing(&mut self, reference: Option<&ContentRef>, caption: &[Inline], alt: &str) -> Value {
        let target = reference.map(|reference| self.target(reference)).unwrap_or_default();
        let words = match (inline_text(caption), alt) {
            (caption, _) if !caption.trim().is_empty() => caption,
            (_, alt) if !alt.is_empty() => alt.to_owned(),
            _ => target.title.clone(),
        };
        target.around("missing", plain(&format!("Image: {words}")))
    }

    fn file(&mut self, block: &Block) -> Value {
        let Some(reference) = block.reference() else { return paragraph(Vec::new()) };
        match self.image_of(Some(&reference)).filter(|_| block.kind == BlockKind::Drawing) {
            Some(image) => {
                json!({"k": "image", "src": image, "alt": "", "width": null, "align": "center", "caption": []})
            }
            None => self.reference(&reference),
        }
    }

    /// Returns a reference as a link with the title of its target.
    pub(super) fn reference(&self, reference: &ContentRef) -> Value {
        let target = self.target(reference);
        let title = plain(&target.title);
        target.around("reference", title)
    }

    fn embed(&self, block: &Block) -> Option<Value> {
        let url = block.str("url")?;
        Some(self.reference(&ContentRef::url(url)))
    }

    /// Returns the name of an operation or schema of an API, with a link.
    fn operation(&self, block: &Block) -> Value {
        let target = block.reference().map(|reference| self.target(&reference)).unwrap_or_default();
        let schemas = block.data.get("schemas").and_then(Value::as_array);
        let schemas: Vec<&str> = schemas.into_iter().flatten().filter_map(Value::as_str).collect();
        let words = [block.str("method"), block.str("path"), block.str("name")];
        let mut words: Vec<&str> = words.into_iter().flatten().chain(schemas).collect();
        words.push(&target.title);
        let title = words.join(" ");
        target.clone().around("reference", plain(title.trim()))
    }

    /// Adds the blocks of a reusable content instead of its reference.
    fn include(&mut self, block: &Block, depth: usize, out: &mut Vec<Value>) {
        let Some(ContentRef::ReusableContent { reusable_content: id, .. }) = block.reference() else {
            return;
        };
        let Some(document) = self.reusable.get(id.as_str()).cloned() else {
            let target = Target::titled("a missing reusable content");
            let title = plain(&target.title);
            return out.push(target.around("missing", title));
        };
        if self.including.contains(&id) {
            return;
        }
        let own = quire_markup::anchors(&document).into_iter();
        let outer = std::mem::replace(&mut self.anchors, own);
        self.including.push(id);
        out.extend(self.blocks(&document.nodes, depth));
        self.including.pop();
        self.anchors = outer;
    }
}

/// Returns a paragraph of these runs.
pub(super) fn paragraph(runs: Vec<Value>) -> Value {
    json!({"k": "paragraph", "align": "start", "rtl": false, "c": runs})
}

/// Returns the title of a box.
fn title_of(block: &Block) -> Option<String> {
    let title = ["title", "date", "description"].into_iter().find_map(|name| block.str(name));
    title.map(str::to_owned)
}

fn code(block: &Block) -> Value {
    let lines: Vec<String> =
        block.child_blocks().iter().map(|line| inline_text(line.child_inlines())).collect();
    let marked = (1_usize..).zip(block.child_blocks()).filter(|(_, line)| line.flag("highlighted"));
    let marked: Vec<usize> = marked.map(|(number, _)| number).collect();
    json!({
        "k": "code",
        "lang": block.str("syntax").map(str::to_lowercase),
        "title": block.str("title").filter(|title| !title.is_empty()),
        "numbers": block.flag("lineNumbers"),
        "marked": marked,
        "s": lines.join("\n"),
    })
}

/// Returns a width in percent of the column; `None` for the image's own width.
fn percent(width: Option<&Value>) -> Option<f64> {
    let width = width?;
    let is_percent = width.get("unit").and_then(Value::as_str).is_some_and(|unit| unit == "%");
    let value = width.get("value").and_then(Value::as_f64).filter(|_| is_percent)?;
    (value > 0.0).then(|| value.min(100.0))
}
