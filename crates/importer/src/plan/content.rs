//! Reading of files: front matter, heading and document, with links resolved and pictures extracted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use quire_domain::bounds::{EMOJI_MAX, ICON_MAX, PAGE_DESCRIPTION_MAX, PAGE_LINK_TITLE_MAX};
use quire_domain::direction::is_direction_control;
use quire_domain::ids::ReusableContentId;
use quire_domain::imports::ImportReportEntry;
use quire_markup::exported::broken_address;
use quire_markup::html::{self, Extract, HtmlOptions};
use quire_markup::{
    Block, BlockKind, ContentRef, Document, Excess, FrontMatter, PageSource, anchors, docx, inline_text,
    parse, raw_syntax, rewrite_refs, try_parse_page,
};
use serde_json::Value;

use super::document::PlannedDocument;
use super::files;
use super::locate::Locator;
use super::names;
use super::resolve::{FileRefs, Targets};
use super::types::{DroppedProperties, Ids, PlannedFile, PlannedReusableContent};
use crate::blocking::yield_to_requests;
use crate::conditions::condition_problems;
use crate::dialect::csv_table::{self, CellBudget};
use crate::encoding;
use crate::include::{Budget, Expansion};
use crate::page_layout;
use crate::path;
use crate::report::{changed, failed};
use crate::spool::{Content, Spool};

/// Time limit for parsing one file. The largest page takes a fraction of it.
const READING_TIME: Duration = Duration::from_secs(20);

/// The contents of a file.
#[derive(Default)]
pub(super) struct Read {
    /// Front matter, or the metadata in an HTML page's head.
    pub(super) front_matter: FrontMatter,
    /// Text of the leading first-rank heading, which is not part of the document.
    pub(super) title: Option<String>,
    /// Leading first-rank heading itself.
    pub(super) heading: Option<Block>,
    /// The title in the head of an HTML page.
    pub(super) head_title: Option<String>,
    /// The document.
    pub(super) document: Document,
    /// The front matter could not be read.
    pub(super) is_unreadable: bool,
    /// Link targets of an HTML page, and the anchors that they lead to.
    pub(super) spellings: BTreeMap<String, String>,
}

/// Reads files of the import and reports changes.
pub(super) struct ContentReader<'a, 'i> {
    pub(super) targets: &'a Targets<'a>,
    pub(super) report: &'a mut Vec<ImportReportEntry>,
    pub(super) includes: Budget,
    pub(super) cells: CellBudget,
    pub(super) ids: &'i mut dyn Ids,
    /// Files extracted from others: the pictures of Word documents and of `data:` addresses.
    pub(super) extracted: Vec<PlannedFile>,
    /// Original names of files that the export renamed.
    pub(super) names: BTreeMap<String, String>,
    /// Files whose pages show markup as text.
    pub(super) shows: BTreeSet<String>,
    /// Properties of front matter that neither pages nor reusable contents have.
    pub(super) properties: DroppedProperties,
    /// A file had text or pictures. The title in the head of an HTML page does not count, since a page rendered by
    /// scripts has one.
    pub(super) said: bool,
    /// Stores documents and extracted files.
    pub(super) spool: Spool,
}

impl ContentReader<'_, '_> {
    /// Reads the page in the file at `source`.
    pub(super) fn read(&mut self, source: &str) -> Read {
        yield_to_requests();
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
        let problems = condition_problems(&read.document);
        self.report.extend(
            problems
                .into_iter()
                .map(|problem| changed(source, format!("{problem}; visitors don't see its block"))),
        );
        // Checked for each reference, because the original address may itself have this form.
        rewrite_refs(&mut read.document, &mut |reference| match reference {
            ContentRef::Url { url } => broken_address(url).map(ContentRef::url),
            _ => None,
        });
        self.extract_pictures(&mut read.document, source);
        self.said |= read.title.is_some() || read.front_matter.title.is_some() || !read.document.is_empty();
        read
    }

    /// Reports a file that exceeds a bound of documents. Its page stays empty.
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
        let deadline = Instant::now() + READING_TIME;
        let refs = FileRefs::of(self.targets, source);
        self.targets.take_positions();
        let read = try_parse_page(&text, &refs, &|| Instant::now() > deadline);
        let positions = self.targets.take_positions();
        let [left, mut shown] = self.targets.take_elements();
        if let Ok(page) = &read {
            // The first heading is kept if the front matter has another title.
            let heading = page.heading.clone().filter(|_| page.front_matter.title.is_some());
            let heading = Document::new(heading.into_iter().collect());
            shown.extend(raw_syntax(&page.document, Some(&text)));
            shown.extend(raw_syntax(&heading, Some(&text)));
        }
        self.report_markup(source, notes.into_iter().chain(left), shown);
        match read {
            Ok(PageSource { front_matter, title, heading, document, unreadable }) => {
                let is_unreadable = unreadable.is_some();
                let front_matter = described(front_matter);
                if let Some(reason) = unreadable {
                    let message = "its front matter cannot be read and was kept as text; the page is hidden";
                    self.report.push(changed(source, format!("{message}: {reason}")));
                }
                let spellings = spellings(positions, &document, usize::from(title.is_some()));
                Read { front_matter, title, heading, document, is_unreadable, spellings, ..Read::default() }
            }
            Err(excess) => self.left_empty(source, excess),
        }
    }

    /// Reports the markup that a part of a page shows as text.
    pub(super) fn report_shown(&mut self, source: &str, document: &Document) {
        let [left, mut shown] = self.targets.take_elements();
        shown.extend(raw_syntax(document, None));
        self.report_markup(source, left.into_iter(), shown);
    }

    /// Reports markup without an equivalent. `shown` is shown as text; some of `notes` may be shown, too.
    fn report_markup(
        &mut self,
        source: &str,
        notes: impl Iterator<Item = String>,
        mut shown: BTreeSet<String>,
    ) {
        let product = self.targets.locator.dialect.product();
        if !shown.is_empty() {
            self.shows.insert(source.to_owned());
        }
        // A dialect names markup with its values, while the document shows it without.
        let plain = |syntax: &str| syntax.replace(' ', "").to_lowercase();
        let dropped: BTreeSet<String> = notes
            .filter(|note| {
                let is_it = |raw: &String| {
                    plain(note).starts_with(&plain(raw.trim_end_matches(['%', '}', '>', '*', ' '])))
                };
                let Some(raw) = shown.iter().find(|raw| is_it(raw)).cloned() else { return true };
                shown.remove(&raw);
                shown.insert(note.clone());
                false
            })
            .collect();
        let lines = |forms: &BTreeSet<String>, fate: &str| -> Vec<ImportReportEntry> {
            let line = |form| changed(source, format!("markup of {product} {fate}: `{form}`"));
            forms.iter().map(line).collect()
        };
        self.report.extend(lines(&shown, "is shown as text"));
        self.report.extend(lines(&dropped, "was dropped"));
    }

    /// Reads a database as a table. Rows beyond the limits of a table are kept in a file below it.
    fn read_database(&mut self, source: &str, data: &str) -> Read {
        let Locator { tree, dialect, .. } = self.targets.locator;
        let content = tree.files.get(data).cloned().unwrap_or_else(|| Bytes::new().into());
        let (beginning, is_long) = match csv_table::beginning(&content) {
            Ok(beginning) => beginning,
            Err(error) => {
                self.report.push(failed(data, format!("it cannot be read ({error}); its page is empty")));
                return Read::default();
            }
        };
        let text = self.decoded(data, &beginning);
        let table = dialect.table(source, &text, &mut self.cells);
        let mut document = parse(&table.markdown, &FileRefs::of(self.targets, source));
        if is_long || table.is_cut {
            self.report.push(changed(
                source,
                format!(
                    "its table has the first {} rows and {} columns; the complete file is below the table",
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
        // The addresses of a crawled page are already resolved.
        let base = html::base_address(&text).filter(|_| dialect.extract() == Extract::Everything);
        let refs = FileRefs::of(self.targets, source).with_base(base.as_deref());
        let options = HtmlOptions { refs: &refs, extract: dialect.extract() };
        let mut notes = Vec::new();
        let deadline = Instant::now() + READING_TIME;
        let text = dialect.text(source, &text, &mut notes);
        let page = html::try_parse(&text, &options, &|| Instant::now() > deadline);
        let [left, _] = self.targets.take_elements();
        self.report_markup(source, notes.into_iter().chain(left), BTreeSet::new());
        let page = match page {
            Ok(page) => page,
            Err(excess) => return self.left_empty(source, excess),
        };
        for link in page.links.iter().filter(|link| !path::extension(&link.text).is_empty()) {
            // An export may rename attachments and only keep their original names in links.
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
            is_unreadable: false,
            spellings: page.anchors,
        }
    }

    fn read_docx(&mut self, source: &str) -> Read {
        let bytes = self.bytes(source);
        let refs = FileRefs::of(self.targets, source);
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

    /// Extracts pictures from `data:` addresses into files.
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

    /// Stores a file extracted from the one at `source`, and returns a reference to it.
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

    /// Returns the text of a file; reports an encoding other than UTF-8.
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

    /// Reads the reusable content in the file at `source`. Pages that include it do not show its title, so a heading
    /// that provides the title stays in the content.
    pub(super) fn reusable_content(&mut self, id: ReusableContentId, source: &str) -> PlannedReusableContent {
        let Read { mut front_matter, title, heading, mut document, .. } = self.read(source);
        let stated = front_matter.title.take();
        let others = front_matter.names();
        if !others.is_empty() {
            let message = "properties that reusable contents do not have were dropped";
            self.report.push(changed(source, format!("{message}: {}", others.join(", "))));
            others.iter().for_each(|name| self.properties.add(name, source));
        }
        let title = stated.or(title).filter(|title| !names::title(title).is_empty());
        let title = self.title(&title.unwrap_or_else(|| names::from_name(path::stem(source))), source);
        keep_heading(&mut document, heading, "");
        let document = PlannedDocument::keep(&document, &mut self.spool);
        PlannedReusableContent { id, title, document, source_path: source.to_owned() }
    }

    /// Returns a title on one line, within its limit. It is never empty.
    pub(super) fn title(&mut self, text: &str, source: &str) -> String {
        let title = self.one_line("title", text, source);
        if title.is_empty() { names::UNTITLED.to_owned() } else { title }
    }

    fn one_line(&mut self, property: &str, text: &str, source: &str) -> String {
        if text.contains(is_direction_control) {
            let message = "characters that change the text direction were removed from its";
            self.report.push(changed(source, format!("{message} {property}")));
        }
        names::title(text)
    }

    /// Returns a title in navigation within its limit; `None` if it has no visible text.
    pub(super) fn link_title(&mut self, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        let title = self.one_line("title in navigation", &text, source);
        let kept = names::cut(&title, PAGE_LINK_TITLE_MAX);
        if kept != title {
            self.report.push(changed(
                source,
                format!("its title in navigation was cut to {PAGE_LINK_TITLE_MAX} characters"),
            ));
        }
        (!kept.is_empty()).then_some(kept)
    }

    /// Returns a description within its limit.
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

    /// Returns an icon's name or an emoji; `None` if it is too long.
    pub(super) fn short(&mut self, property: &str, text: Option<String>, source: &str) -> Option<String> {
        let text = text.filter(|text| !text.trim().is_empty())?;
        if names::cut(&text, ICON_MAX.min(EMOJI_MAX)) != text {
            self.report.push(changed(source, format!("its {property} was dropped: it is too long")));
            return None;
        }
        Some(text)
    }

    /// Reports unknown properties of a front matter and unknown options of its layout.
    pub(super) fn report_unknown(
        &mut self,
        properties: &[(String, Value)],
        layout: Option<&Value>,
        source: &str,
    ) {
        let dialect = self.targets.locator.dialect;
        let names = properties.iter().map(|(name, _)| name.as_str()).filter(|name| !dialect.uses(name));
        let (known, mut others): (Vec<&str>, Vec<&str>) = names.partition(|name| FrontMatter::is_known(name));
        let options =
            layout.filter(|_| !dialect.uses("layout")).map(page_layout::unknown).unwrap_or_default();
        others.extend(options.iter().map(String::as_str));
        for name in &others {
            self.properties.add(name, source);
        }
        for (names, reason) in [
            (known, "properties with invalid values were dropped"),
            (others, "properties that pages do not have were dropped"),
        ] {
            if !names.is_empty() {
                self.report.push(changed(source, format!("{reason}: {}", names.join(", "))));
            }
        }
    }
}

/// Sets the description of a front matter to its summary, if it has none.
fn described(mut front_matter: FrontMatter) -> FrontMatter {
    if front_matter.description.is_none() {
        let at = front_matter.extra.iter().position(|(name, value)| name == "summary" && value.is_string());
        let summary = at.map(|at| front_matter.extra.remove(at));
        front_matter.description = summary.and_then(|(_, value)| value.as_str().map(str::to_owned));
    }
    front_matter
}

/// Returns the anchors of headings for the ids of elements below them; an empty anchor for elements above the first
/// heading. `removed` is the number of headings that precede those of the document.
fn spellings(
    positions: Vec<(String, usize)>,
    document: &Document,
    removed: usize,
) -> BTreeMap<String, String> {
    if positions.is_empty() {
        return BTreeMap::new();
    }
    let known = anchors(document);
    let mut found = BTreeMap::new();
    for (id, headings) in positions {
        let anchor = headings.checked_sub(removed + 1).and_then(|heading| known.get(heading));
        // The first of equal ids is used, as in browsers.
        found.entry(id).or_insert_with(|| anchor.cloned().unwrap_or_default());
    }
    found
}

/// Returns the text of a heading at the start of `document`, without removing it.
pub(super) fn leading_heading(document: &Document) -> Option<String> {
    let first = document.nodes.first()?;
    let is_heading = matches!(first.kind, BlockKind::Heading1 | BlockKind::Heading2 | BlockKind::Heading3);
    is_heading.then(|| inline_text(first.child_inlines()))
}

/// Restores the removed heading of `document`, unless the title repeats it.
pub(super) fn keep_heading(document: &mut Document, heading: Option<Block>, title: &str) {
    let words = |heading: &Block| {
        inline_text(heading.child_inlines()).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    if let Some(heading) = heading.filter(|heading| words(heading) != title) {
        document.nodes.insert(0, heading);
    }
}
