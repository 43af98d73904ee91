//! What files say: front matter, heading and document, with links resolved and pictures taken out.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use quire_domain::bounds::{EMOJI_MAX, ICON_MAX, PAGE_DESCRIPTION_MAX};
use quire_domain::direction::is_direction_control;
use quire_domain::ids::ReusableContentId;
use quire_domain::imports::ImportReportEntry;
use quire_markup::exported::broken_address;
use quire_markup::html::{self, HtmlOptions};
use quire_markup::{
    Block, BlockKind, ContentRef, Document, Excess, FrontMatter, PageSource, docx, inline_text, parse,
    rewrite_refs, try_parse_page,
};

use super::document::PlannedDocument;
use super::files;
use super::locate::Locator;
use super::names;
use super::resolve::{FileRefs, Targets};
use super::types::{Ids, PlannedFile, PlannedReusableContent};
use crate::dialect::csv_table::{self, CellBudget};
use crate::encoding;
use crate::include::{Budget, Expansion};
use crate::path;
use crate::report::{changed, failed};
use crate::spool::{Content, Spool};

/// Time limit for parsing one file. The largest page takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(20);

/// What a file says.
#[derive(Default)]
pub(super) struct Read {
    /// What stands before the text, or what an HTML page's head says.
    pub(super) front_matter: FrontMatter,
    /// The words of the leading heading of the first rank, which isn't part of the document then.
    pub(super) title: Option<String>,
    /// That heading itself.
    pub(super) heading: Option<Block>,
    /// The title in the head of an HTML page.
    pub(super) head_title: Option<String>,
    /// The text.
    pub(super) document: Document,
    /// Places of an HTML page that links may name, and the anchors that they lead to.
    pub(super) places: BTreeMap<String, String>,
}

/// Reads files of the import and reports what it had to change.
pub(super) struct ContentReader<'a, 'i> {
    pub(super) targets: &'a Targets<'a>,
    pub(super) report: &'a mut Vec<ImportReportEntry>,
    pub(super) includes: Budget,
    pub(super) cells: CellBudget,
    pub(super) ids: &'i mut dyn Ids,
    /// Files that stood inside of others: the pictures of Word documents, and pictures written into their own addresses.
    pub(super) extracted: Vec<PlannedFile>,
    /// What files are called in the product, where their names in the export don't tell.
    pub(super) names: BTreeMap<String, String>,
    /// True if any file gave words or pictures. The title in the head of an HTML page doesn't count: a page that scripts draw has one.
    pub(super) said: bool,
    /// Keeps documents, and files that stood inside of others.
    pub(super) spool: Spool,
}

impl ContentReader<'_, '_> {
    /// The page that the file at `source` states.
    pub(super) fn read(&mut self, source: &str) -> Read {
        let mut read = if path::is_docx(source) {
            self.read_docx(source)
        } else if path::is_html(source) {
            self.read_html(source)
        } else if let Some(data) = self.targets.locator.dialect.database(source) {
            self.read_database(source, data)
        } else {
            self.read_markdown(source)
        };
        if let Some(excess) = read.document.excess() {
            return self.left_empty(source, excess);
        }
        // Once for each address, as the address itself may be of that form.
        rewrite_refs(&mut read.document, &mut |reference| match reference {
            ContentRef::Url { url } => broken_address(url).map(ContentRef::url),
            _ => None,
        });
        self.extract_pictures(&mut read.document, source);
        self.said |= read.title.is_some() || read.front_matter.title.is_some() || !read.document.is_empty();
        read
    }

    /// Reports a file that exceeds a bound of documents.
    fn left_empty(&mut self, source: &str, excess: Excess) -> Read {
        self.report.push(failed(source, format!("{excess}; its page is empty")));
        Read::default()
    }

    fn read_markdown(&mut self, source: &str) -> Read {
        let Locator { tree, dialect, .. } = self.targets.locator;
        let text = self.text(source);
        let expansion = Expansion { tree, source, budget: &mut self.includes, report: self.report };
        let text = dialect.expand(text, expansion);
        let mut notes = Vec::new();
        let text = dialect.text(source, &text, &mut notes);
        self.report.extend(notes.into_iter().map(|note| changed(source, note)));
        let deadline = Instant::now() + READING_TIME;
        let refs = FileRefs { targets: self.targets, source };
        match try_parse_page(&text, &refs, &|| Instant::now() > deadline) {
            Ok(PageSource { front_matter, title, heading, document }) => {
                Read { front_matter, title, heading, document, ..Read::default() }
            }
            Err(excess) => self.left_empty(source, excess),
        }
    }

    /// The page of a database: its table. What a table can't hold stays in a file below it.
    fn read_database(&mut self, source: &str, data: &str) -> Read {
        let Locator { tree, dialect, .. } = self.targets.locator;
        let content = tree.files.get(data).cloned().unwrap_or_else(|| Bytes::new().into());
        let (beginning, is_long) = match csv_table::beginning(&content) {
            Ok(beginning) => beginning,
            Err(error) => {
                self.report.push(failed(data, format!("it can't be read ({error}); its page is empty")));
                return Read::default();
            }
        };
        let text = self.decoded(data, &beginning);
        let table = dialect.table(source, &text, &mut self.cells);
        let mut document = parse(&table.markdown, &FileRefs { targets: self.targets, source });
        if is_long || table.is_cut {
            self.report.push(changed(
                source,
                format!(
                    "its table holds the first {} rows and {} columns; the file with all of it is below the table",
                    table.rows, table.columns
                ),
            ));
            let name = format!("{}.csv", dialect.name(path::stem(data)));
            let file = self.keep(source, &name, content);
            document.nodes.push(Block::void(BlockKind::File).with("ref", file.to_value()));
        }
        Read { document, ..Read::default() }
    }

    fn read_html(&mut self, source: &str) -> Read {
        let dialect = self.targets.locator.dialect;
        let text = self.text(source);
        let refs = FileRefs { targets: self.targets, source };
        let options = HtmlOptions { refs: &refs, extract: dialect.extract() };
        let mut notes = Vec::new();
        let deadline = Instant::now() + READING_TIME;
        let text = dialect.text(source, &text, &mut notes);
        let page = html::try_parse(&text, &options, &|| Instant::now() > deadline);
        self.report.extend(notes.into_iter().map(|note| changed(source, note)));
        let page = match page {
            Ok(page) => page,
            Err(excess) => return self.left_empty(source, excess),
        };
        for link in page.links.iter().filter(|link| !path::extension(&link.text).is_empty()) {
            // An export may call attachments by number, and tell their names in links to them.
            let located = self.targets.locator.locate(source, &link.href).map(|found| found.path);
            if let Some(file) = located.filter(|file| path::extension(file) == path::extension(&link.text)) {
                self.names.entry(file).or_insert_with(|| link.text.clone());
            }
        }
        let title = dialect.sure_title(page.head_title.as_deref());
        Read {
            front_matter: FrontMatter { title, description: page.description, ..FrontMatter::default() },
            title: page.title,
            heading: page.heading,
            head_title: page.head_title.as_deref().map(|title| dialect.head_title(title)),
            document: page.document,
            places: page.anchors,
        }
    }

    fn read_docx(&mut self, source: &str) -> Read {
        let bytes = self.bytes(source);
        let refs = FileRefs { targets: self.targets, source };
        let deadline = Instant::now() + READING_TIME;
        let read = match docx::try_parse(&bytes, &refs, &|| Instant::now() > deadline) {
            Ok(read) => read,
            Err(error) => {
                self.report.push(failed(source, format!("{error}; its page is empty")));
                return Read::default();
            }
        };
        self.report.extend(read.notices.into_iter().map(|notice| changed(source, notice)));
        let mut document = read.document;
        let mut references = BTreeMap::new();
        for image in read.images {
            let reference = self.keep(source, &image.name, image.bytes.into());
            references.insert(image.name, reference);
        }
        rewrite_refs(&mut document, &mut |reference| match reference {
            ContentRef::Url { url } => references.get(url).cloned(),
            _ => None,
        });
        Read { title: read.title, heading: read.heading, document, ..Read::default() }
    }

    /// Makes files of pictures that are written into their own addresses.
    fn extract_pictures(&mut self, document: &mut Document, source: &str) {
        rewrite_refs(document, &mut |reference| {
            let ContentRef::Url { url } = reference else { return None };
            let (kind, data) = url.strip_prefix("data:image/")?.split_once(";base64,")?;
            let bytes = STANDARD.decode(data.replace(char::is_whitespace, "")).ok()?;
            let extension = match kind {
                "jpeg" => "jpg",
                "svg+xml" => "svg",
                kind => kind,
            };
            let name = format!("image{}.{extension}", self.extracted.len() + 1);
            Some(self.keep(source, &name, bytes.into()))
        });
    }

    /// Keeps a file that stood inside of the one at `source`; the reference to it.
    fn keep(&mut self, source: &str, name: &str, content: Content) -> ContentRef {
        let id = self.ids.file();
        let content = self.spool.copy(&content).unwrap_or(content);
        let called = path::name(name).to_owned();
        let file = files::planned(id, format!("{source}/{name}"), &called, content, self.report);
        self.extracted.push(file);
        ContentRef::File { file: id.to_string(), space: None }
    }

    fn bytes(&self, source: &str) -> Bytes {
        self.targets.locator.tree.bytes(source).unwrap_or_default()
    }

    /// The text of a file; the report tells when it was not UTF-8.
    fn text(&mut self, source: &str) -> String {
        self.decoded(source, &self.bytes(source))
    }

    fn decoded(&mut self, source: &str, bytes: &[u8]) -> String {
        let decoded = encoding::decode(bytes);
        if let Some(note) = decoded.note {
            self.report.push(changed(source, note));
        }
        decoded.text
    }

    /// The reusable content that the file at `source` states. Its title is not shown where it is included, so
    /// a heading that gives the title stays in the content.
    pub(super) fn reusable_content(&mut self, id: ReusableContentId, source: &str) -> PlannedReusableContent {
        let Read { front_matter, title, heading, mut document, .. } = self.read(source);
        let title = front_matter.title.or(title).filter(|title| !title.trim().is_empty());
        let title = self.title(&title.unwrap_or_else(|| names::from_name(path::stem(source))), source);
        keep_heading(&mut document, heading, "");
        let document = PlannedDocument::keep(&document, &mut self.spool);
        PlannedReusableContent { id, title, document, source_path: source.to_owned() }
    }

    /// A title on one line, within its bound.
    pub(super) fn title(&mut self, text: &str, source: &str) -> String {
        if text.contains(is_direction_control) {
            self.report.push(changed(source, "characters that turn the direction of text left its title"));
        }
        names::title(text)
    }

    /// A description within its bound.
    pub(super) fn description(&mut self, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let kept = names::cut(&text, PAGE_DESCRIPTION_MAX);
        if kept != text {
            self.report.push(changed(
                source,
                format!("its description was cut to {PAGE_DESCRIPTION_MAX} characters"),
            ));
        }
        Some(kept)
    }

    /// An icon's name or an emoji; what is too long to be one is left out.
    pub(super) fn short(&mut self, property: &str, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        if names::cut(&text, ICON_MAX.min(EMOJI_MAX)) != text {
            self.report.push(changed(source, format!("its {property} was left out: it is too long")));
            return None;
        }
        Some(text)
    }

    /// Tells which properties of a front matter have no place in a page.
    pub(super) fn report_unknown(&mut self, properties: &[(String, String)], source: &str) {
        let dialect = self.targets.locator.dialect;
        let names: Vec<&str> =
            properties.iter().map(|(name, _)| name.as_str()).filter(|name| !dialect.uses(name)).collect();
        if names.is_empty() {
            return;
        }
        let (known, others): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| FrontMatter::is_known(name));
        for (names, reason) in [
            (known, "properties whose values can't be read were left out"),
            (others, "properties that pages don't have were left out"),
        ] {
            if !names.is_empty() {
                self.report.push(changed(source, format!("{reason}: {}", names.join(", "))));
            }
        }
    }
}

/// The words of a heading that `document` begins with. It stays there.
pub(super) fn leading_heading(document: &Document) -> Option<String> {
    let first = document.nodes.first()?;
    let is_heading = matches!(first.kind, BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3);
    is_heading.then(|| inline_text(first.child_inlines()))
}

/// Puts the heading that was taken off `document` back, unless its words stand in the title.
pub(super) fn keep_heading(document: &mut Document, heading: Option<Block>, title: &str) {
    let words = |heading: &Block| {
        inline_text(heading.child_inlines()).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    if let Some(heading) = heading.filter(|heading| words(heading) != title) {
        document.nodes.insert(0, heading);
    }
}
