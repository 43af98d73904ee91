//! HTML tables: grids with widths, and cards.

use super::choices::Choices;
use super::flow::{is_close, stated};
use super::{BROKEN_LINK, Element, Flow, Token, is_broken};
use crate::document::{
    Alignment, Block, BlockKind, ContentRef, MAX_COLUMNS, OBJECT_FITS, TableBuilder, is_column_type,
};
use crate::grid;
use crate::markdown::HrefKind;
use crate::markdown_html::inlines::{image_ref, resolve};
use crate::text::inline_text;
use serde_json::{Map, Value};
use std::ops::Range;

/// Cell of the source.
struct RawCell {
    element: Element,
    blocks: Vec<Block>,
    /// Addresses of the links in the cell, as written.
    hrefs: Vec<String>,
    /// Address and alternative text of the first image.
    image: Option<(String, String)>,
    /// Options that the header cell of a column defines.
    choices: Option<Choices>,
    /// Range of the tokens.
    tokens: Range<usize>,
}

/// Vertical alignments of a column.
const VERTICAL: [&str; 3] = ["top", "middle", "bottom"];

impl Flow<'_, '_> {
    /// Reads a table after its start tag. Content outside cells follows the table.
    pub(super) fn table(&mut self, element: &Element, depth: usize) -> Vec<Block> {
        let mut rows: Vec<Vec<RawCell>> = Vec::new();
        let mut strays = Vec::new();
        while let Some(token) = self.peek() {
            match token {
                Token::Close(name) if name == "table" => break,
                Token::Open(cell) if matches!(cell.name.as_str(), "td" | "th") => {
                    self.advance();
                    let cell = self.cell(cell, depth);
                    match rows.last_mut() {
                        Some(row) => row.push(cell),
                        None => rows.push(vec![cell]),
                    }
                }
                Token::Open(part) if is_part(&part.name) => {
                    if part.name == "tr" {
                        rows.push(Vec::new());
                    }
                    self.advance();
                }
                Token::Close(name) if is_part(name) || matches!(name.as_str(), "td" | "th") => self.advance(),
                Token::Text(text) if text.trim().is_empty() => self.advance(),
                _ => {
                    let before = self.position();
                    strays.extend(self.blocks(&is_table_token, depth + 1));
                    if self.position() == before {
                        self.advance();
                    }
                }
            }
        }
        self.close("table");
        rows.retain(|row| !row.is_empty());
        let tables = if rows.is_empty() { Vec::new() } else { build(self, element, rows) };
        tables.into_iter().map(|table| stated(element, table)).chain(strays).collect()
    }

    fn cell(&mut self, element: &Element, depth: usize) -> RawCell {
        let start = self.position();
        let mut blocks = self.blocks(&is_table_token, depth + 2);
        // An empty cell has an empty paragraph as content.
        if matches!(blocks.as_slice(), [only] if *only == Block::paragraph(Vec::new())) {
            blocks.clear();
        }
        let tokens = start..self.position();
        let (mut hrefs, mut image) = (Vec::new(), None);
        for spanned in self.tokens.get(tokens.clone()).unwrap_or_default() {
            let Token::Open(inner) = &spanned.token else { continue };
            hrefs.extend(inner.get("href").map(str::to_owned));
            if inner.name == "img" && image.is_none() {
                let word = |name| inner.get(name).unwrap_or_default().to_owned();
                image = Some((word("src"), word("alt")));
            }
        }
        let choices = Choices::of(self.tokens.get(tokens.clone()).unwrap_or_default());
        self.close(&element.name);
        RawCell { element: element.clone(), blocks, hrefs, image, choices, tokens }
    }
}

fn is_part(name: &str) -> bool {
    matches!(name, "thead" | "tbody" | "tfoot" | "tr" | "colgroup" | "col")
}

fn is_table_token(token: &Token<'_>) -> bool {
    match token {
        Token::Open(element) => is_part(&element.name) || matches!(element.name.as_str(), "td" | "th"),
        token => is_close(token, &["td", "th", "tr", "thead", "tbody", "tfoot", "table"]),
    }
}

/// Returns the table, split into several if it exceeds the limits.
fn build(flow: &Flow<'_, '_>, element: &Element, rows: Vec<Vec<RawCell>>) -> Vec<Block> {
    let has_header = rows.first().is_some_and(|row| row.iter().all(|cell| cell.element.name == "th"));
    let mut rows = rows.into_iter().map(bounded);
    let header = if has_header { rows.next().unwrap_or_default() } else { Vec::new() };
    let hidden = element.has("data-header-hidden") || !has_header;
    let tables = grid::cut(header.len(), rows.collect(), |row| row.len());
    tables.map(|(least, rows)| part(flow, element, &header, hidden, least, rows)).collect()
}

/// Limits a row to the maximum number of cells. Further ones are merged into the last.
fn bounded(mut row: Vec<RawCell>) -> Vec<RawCell> {
    let rest = row.split_off(row.len().min(MAX_COLUMNS));
    if let Some(last) = row.last_mut() {
        for mut cell in rest {
            last.blocks.append(&mut cell.blocks);
            last.hrefs.append(&mut cell.hrefs);
        }
    }
    row
}

/// Returns a table of some rows with at least `least` columns.
fn part(
    flow: &Flow<'_, '_>,
    element: &Element,
    header: &[RawCell],
    hidden: bool,
    least: usize,
    rows: Vec<Vec<RawCell>>,
) -> Block {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(least);
    let mut table = view(element, hidden);
    let mut columns = Vec::new();
    let mut widths = Map::new();
    for index in 0..width {
        let cell = header.get(index);
        let below = rows.iter().filter_map(|row| row.get(index));
        let column = column(flow, &mut table, cell, below);
        let pixels = cell.and_then(|cell| cell.element.get("width")).and_then(number).filter(is_width);
        if let Some(pixels) = pixels {
            widths.insert(column.id.clone(), pixels);
        }
        columns.push(column);
    }
    if !widths.is_empty() {
        table.set_view("columnWidths", Value::Object(widths));
    }
    for row in rows {
        for (cell, column) in row.into_iter().zip(&columns) {
            fill(flow, &mut table, cell, column);
        }
        table.end_record();
    }
    let mut block = table.build();
    if let Some(value) = element.get("data-full-width") {
        block.data.insert("fullWidth".to_owned(), (value != "false").into());
    }
    if let Some(value) = element.get("data-search") {
        block.data.insert("search".to_owned(), (value != "false").into());
    }
    block
}

fn view(element: &Element, header_hidden: bool) -> TableBuilder {
    if element.get("data-view") != Some("cards") {
        let mut table = TableBuilder::grid();
        table.set_view("hideHeader", header_hidden);
        return table;
    }
    let mut table = TableBuilder::new(Map::new());
    let size = element.get("data-card-size").filter(|size| *size == "large").unwrap_or("medium");
    table.set_view("type", "cards");
    table.set_view("cardSize", size);
    if header_hidden {
        table.set_view("hideColumnTitle", true);
    }
    if let Some(value) = element.get("data-card-wrap") {
        table.set_view("wrap", value != "false");
    }
    table
}

/// Column with the type that its cells allow.
struct Column<'c> {
    id: String,
    kind: &'c str,
    hidden: bool,
    choices: Option<&'c Choices>,
}

/// Adds the column of a header cell with the cells below it.
fn column<'c, 'b>(
    flow: &Flow<'_, '_>,
    table: &mut TableBuilder,
    cell: Option<&'c RawCell>,
    below: impl Iterator<Item = &'b RawCell>,
) -> Column<'c> {
    let mut below = below.peekable();
    let first = below.peek().and_then(|cell| cell.element.get("valign")).map(str::to_owned);
    let element = cell.map(|cell| &cell.element);
    let attribute = |name: &str| element.and_then(|element| element.get(name));
    let title = cell.map(|cell| words(&cell.blocks)).unwrap_or_default();
    let choices = cell.and_then(|cell| cell.choices.as_ref());
    let unsaid = if choices.is_some() { "select" } else { "text" };
    let kind = attribute("data-type").filter(|kind| is_column_type(kind)).unwrap_or(unsaid);
    let hidden = attribute("data-hidden").is_some();
    let mut column = Column { id: String::new(), kind, hidden, choices };
    // A reference column only contains references. If a cell has other content, the column becomes text, which keeps
    // the words and links of all cells.
    let is_reference = |cell: &RawCell| cell.blocks.is_empty() || value_of(flow, cell, &column).is_some();
    if matches!(kind, "content-ref" | "image") && !below.all(is_reference) {
        column.kind = "text";
    }
    let kind = column.kind;
    let mut properties = Map::new();
    if let Some(alignment) = attribute("align").and_then(Alignment::from_wire).filter(|_| kind == "text") {
        properties.insert("textAlignment".to_owned(), alignment.as_str().into());
    }
    let vertical = attribute("valign").or(first.as_deref()).filter(|alignment| VERTICAL.contains(alignment));
    if let Some(alignment) = vertical.filter(|_| kind == "text") {
        properties.insert("verticalAlignment".to_owned(), alignment.into());
    }
    if let Some(max) = attribute("data-max").and_then(number).filter(|_| kind == "rating") {
        properties.insert("max".to_owned(), max);
    }
    if let Some(choices) = choices.filter(|_| kind == "select") {
        properties.insert("multiple".to_owned(), choices.multiple.into());
        properties.insert("options".to_owned(), choices.options());
    }
    if attribute("data-multiple").is_some() && matches!(kind, "select" | "users") {
        properties.insert("multiple".to_owned(), true.into());
    }
    if let Some(Value::Object(more)) =
        attribute("data-properties").and_then(|json| serde_json::from_str(json).ok())
    {
        properties.extend(more);
    }
    // Exact title, for titles that a header cell cannot express.
    let exact = properties.get("title").and_then(Value::as_str).map(str::to_owned);
    let id = table.column(&exact.unwrap_or(title), kind, properties, hidden);
    let roles = [
        ("data-card-target", "targetDefinition"),
        ("data-card-cover", "coverDefinition"),
        ("data-card-cover-dark", "coverDefinitionDark"),
    ];
    for (role, name) in roles {
        if attribute(role).is_some() {
            table.set_view(name, id.as_str());
        }
    }
    Column { id, ..column }
}

/// Adds a cell: as a value of the column's type if its content matches, otherwise as blocks.
fn fill(flow: &Flow<'_, '_>, table: &mut TableBuilder, cell: RawCell, column: &Column<'_>) {
    match value_of(flow, &cell, column) {
        Some(value) => table.value(&column.id, value),
        None => table.cell(&column.id, cell.blocks),
    }
}

/// Returns the value of a cell, if its content matches the column's type.
fn value_of(flow: &Flow<'_, '_>, cell: &RawCell, column: &Column<'_>) -> Option<Value> {
    let text = words(&cell.blocks);
    // Link text that only repeats the address, or its end, is dropped; other text is content.
    let repeats = |href: &String| {
        *href == text
            || href.trim_end_matches('/').rsplit('/').next() == Some(text.as_str())
            || is_broken(href) && text == BROKEN_LINK
    };
    let is_bare = column.hidden || text.is_empty() || cell.hrefs.iter().any(repeats);
    let references = |href_kind| {
        let hrefs = cell.hrefs.iter();
        hrefs.filter_map(|href| resolve(flow.refs, href, href_kind)).collect::<Vec<ContentRef>>()
    };
    match column.kind {
        "checkbox" => text.parse::<bool>().ok().map(Value::from),
        "number" | "rating" => number(&text),
        "content-ref" => {
            references(HrefKind::ContentRef).first().filter(|_| is_bare).map(ContentRef::to_value)
        }
        "image" => image(flow, cell, &text, is_bare),
        "files" => files(&references(HrefKind::File)),
        "users" => ids(&references(HrefKind::User)),
        "select" => {
            let names: Option<Vec<String>> =
                cell.element.get("data-values").and_then(|json| serde_json::from_str(json).ok());
            let tokens = flow.tokens.get(cell.tokens.clone()).unwrap_or_default();
            let chosen = || column.choices.and_then(|choices| choices.chosen(tokens));
            names.or_else(chosen).map(Value::from)
        }
        _ => None,
    }
}

/// Returns the reference of an image cell, with its display properties.
fn image(flow: &Flow<'_, '_>, cell: &RawCell, text: &str, is_bare: bool) -> Option<Value> {
    let (src, own) = match (cell.hrefs.first(), &cell.image) {
        (Some(href), _) if is_bare => (href, ""),
        (None, Some((src, alt))) if is_bare || alt == text => (src, alt.as_str()),
        _ => return None,
    };
    let reference = image_ref(flow.refs, src)?.to_value();
    let alt = cell.element.get("data-alt").or(Some(own).filter(|alt| !alt.is_empty()));
    let fit = cell.element.get("data-object-fit").filter(|fit| OBJECT_FITS.contains(fit));
    if alt.is_none() && fit.is_none() {
        return Some(reference);
    }
    let mut image = Map::from_iter([("ref".to_owned(), reference)]);
    image.extend(fit.map(|fit| ("objectFit".to_owned(), fit.into())));
    image.extend(alt.map(|alt| ("alt".to_owned(), alt.into())));
    Some(image.into())
}

/// Returns whether a number is a width in pixels.
fn is_width(number: &Value) -> bool {
    number.as_f64().is_some_and(|width| (0.0..=f64::from(u32::MAX)).contains(&width))
}

fn number(text: &str) -> Option<Value> {
    let whole = text.parse::<i64>().ok().map(Value::from);
    whole.or_else(|| text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from))
}

/// Returns a list of file ids; an address that is not a file is kept as a reference.
fn files(references: &[ContentRef]) -> Option<Value> {
    let id = |reference: &ContentRef| match reference {
        ContentRef::File { file, .. } => Some(Value::from(file.as_str())),
        _ => None,
    };
    match references.iter().map(id).collect::<Option<Vec<Value>>>() {
        Some(ids) if !ids.is_empty() => Some(ids.into()),
        _ => references.first().map(ContentRef::to_value),
    }
}

fn ids(references: &[ContentRef]) -> Option<Value> {
    let id = |reference: &ContentRef| match reference {
        ContentRef::User { user } => Some(Value::from(user.as_str())),
        _ => None,
    };
    references.iter().map(id).collect::<Option<Vec<Value>>>().filter(|ids| !ids.is_empty()).map(Value::from)
}

fn words(blocks: &[Block]) -> String {
    let texts: Vec<String> = blocks
        .iter()
        .map(|block| match block.kind {
            BlockKind::Paragraph => inline_text(block.child_inlines()),
            _ => crate::text::block_text(block),
        })
        .collect();
    texts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}
