//! Splitting of a specification into pages: an overview, sections of its description, a page per tag with its
//! operations below, and the models.

use crate::limits::openapi::{MAX_DESCRIPTION_CHARS, MAX_ICON_BYTES, MAX_PAGES, MAX_TITLE_CHARS};
use std::collections::{BTreeSet, HashMap};

use super::dialect::Dialect;
use super::json::{Json, escape};
use super::notation::{Notation, to_json};
use super::parts::{Part, Parts, collect_references, local};
use super::raw::{RawObject, read as read_raw};
use super::slugs::Slugs;
use super::tags::{DEFAULT, Placed, Tags, is_ignored};
use super::{SpecError, description, swagger2};
use crate::slug::slugify;

/// Methods of a path, in the order in which a page shows them.
const METHODS: [&str; 9] = ["get", "post", "put", "delete", "options", "head", "patch", "trace", "query"];
/// Title of the page of the operations without a tag.
const WITHOUT_TAG: &str = "Default";
/// Title of the page of the webhooks.
const WEBHOOKS: &str = "Webhooks";
/// Title of a section whose heading has no text.
const UNTITLED: &str = "Untitled";

/// Kind of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// The overview of the specification, or a section of its description.
    Info,
    /// A tag, the parent of its operations and of the tags below it.
    Tag,
    /// An operation.
    Operation,
    /// The parent page of the models.
    Models,
    /// A model.
    Model,
}

/// Page with its piece of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Index of the parent page, which comes before this page. An operation or model without a parent is left out of
    /// the tree.
    pub parent: Option<usize>,
    /// Kind.
    pub kind: PageKind,
    /// JSON pointer in the specification; unique.
    pub pointer: String,
    /// Title.
    pub title: String,
    /// Last segment of the path, unique among siblings.
    pub slug: String,
    /// Short description: the method and path of an operation.
    pub description: Option<String>,
    /// Name of the icon.
    pub icon: Option<String>,
    /// Piece of the specification in JSON: the input of [`render`](super::render()).
    pub body: String,
    /// Indexes of the parts that the piece refers to, directly or indirectly.
    pub parts: Vec<i32>,
}

/// A specification split into pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// Notation.
    pub notation: Notation,
    /// Pages, each after its parent.
    pub pages: Vec<Page>,
    /// Parts that pages refer to.
    pub parts: Vec<Part>,
}

/// Splits a specification into pages.
///
/// # Errors
/// [`SpecError`] if the text is not a valid specification.
pub fn read(text: &str) -> Result<Specification, SpecError> {
    let (notation, json) = to_json(text)?;
    let root = RawObject::read("", &json)?;
    let dialect = Dialect::of(&root)?;
    let mut outline = Outline {
        dialect,
        root: &root,
        parts: Parts::new(&root),
        pages: Vec::new(),
        security: root.json("security")?,
    };
    outline.info()?;
    outline.operations()?;
    outline.models()?;
    give_slugs(&mut outline.pages);
    Ok(Specification { notation, pages: outline.pages, parts: outline.parts.into_found() })
}

/// Operation before its page is created.
struct Operation {
    tag: String,
    page: Page,
    is_ignored: bool,
}

struct Outline<'a> {
    dialect: Dialect,
    root: &'a RawObject<'a>,
    parts: Parts<'a>,
    pages: Vec<Page>,
    /// Default security of operations without their own.
    security: Json,
}

impl Outline<'_> {
    fn info(&mut self) -> Result<(), SpecError> {
        let written = self.root.object("info")?;
        let mut info = self.root.json("info")?;
        if let Json::Object(entries) = &mut info {
            for (key, value) in
                entries.iter_mut().filter(|(key, _)| matches!(key.as_str(), "title" | "version"))
            {
                *value = written.text(key).map_or(Json::Null, Json::Text);
            }
        }
        let title =
            line(info.str("title").unwrap_or_default(), MAX_TITLE_CHARS).unwrap_or_else(|| "API".to_owned());
        let servers = match self.dialect {
            Dialect::OpenApi3 => self.root.json("servers")?,
            Dialect::Swagger2 => swagger2::servers(self.root)?,
        };
        let description = info.str("summary").and_then(|summary| line(summary, MAX_DESCRIPTION_CHARS));
        let split = description::split(info.str("description").unwrap_or_default());
        let body = Json::object([
            ("info", with_description(&info, split.lead)),
            ("servers", servers),
            ("security", self.security.clone()),
            ("externalDocs", self.root.json("externalDocs")?),
        ]);
        let page = Page { description, ..page(PageKind::Info, "/info".to_owned(), title) };
        self.add(None, page, &body)?;
        self.sections(&split.sections)
    }

    /// Adds a page for each section of the description. A section of rank 2 is below the preceding section of rank 1.
    fn sections(&mut self, sections: &[description::Section<'_>]) -> Result<(), SpecError> {
        let mut above = None;
        for (number, section) in sections.iter().enumerate() {
            let title = line(&section.title, MAX_TITLE_CHARS).unwrap_or_else(|| UNTITLED.to_owned());
            let page = page(PageKind::Info, format!("/info/description/{number}"), title);
            let body = Json::object([("info", with_description(&Json::Null, section.text))]);
            let parent = if section.rank == 1 { None } else { above };
            if section.rank == 1 {
                above = Some(self.pages.len());
            }
            self.add(parent, page, &body)?;
        }
        Ok(())
    }

    fn operations(&mut self) -> Result<(), SpecError> {
        let declared = self.root.json("tags")?;
        let tags = Tags::read(&declared);
        let mut operations = Vec::new();
        for holder in ["paths", "webhooks", "x-webhooks"] {
            let items = self.root.object(holder)?;
            if items.0.len() > MAX_PAGES {
                return Err(SpecError::TooManyPages);
            }
            for (path, item) in &items.0 {
                if holder == "paths" && !path.starts_with('/') {
                    continue;
                }
                let pointer = format!("/{holder}/{}", escape(path));
                let mut item = read_raw(&pointer, item)?;
                if let Some(pointer) = item.str("$ref").and_then(local) {
                    item = self.parts.resolve(&pointer)?.unwrap_or(Json::Null);
                }
                self.operations_of((holder, path, &pointer), &item, &tags, &mut operations)?;
                if operations.len() > MAX_PAGES {
                    return Err(SpecError::TooManyPages);
                }
            }
        }
        self.by_tag(&tags, operations)
    }

    fn operations_of(
        &mut self,
        (holder, path, pointer): (&str, &str, &str),
        item: &Json,
        tags: &Tags<'_>,
        found: &mut Vec<Operation>,
    ) -> Result<(), SpecError> {
        for (method, operation) in METHODS.iter().filter_map(|method| Some((*method, item.get(method)?))) {
            if !matches!(operation, Json::Object(_)) {
                return Err(SpecError::Malformed {
                    pointer: format!("{pointer}/{method}"),
                    message: "is not an object".to_owned(),
                });
            }
            let is_webhook = holder != "paths";
            let signature = format!("{} {path}", method.to_uppercase());
            let named = ["summary", "operationId"].into_iter().find_map(|key| operation.str(key));
            let title = named
                .and_then(|name| line(name, MAX_TITLE_CHARS))
                .or_else(|| line(&signature, MAX_TITLE_CHARS));
            let tag = if is_webhook { WEBHOOKS } else { tags.of_operation(operation) };
            let body = self.body_of(method, path, item, operation, is_webhook)?.to_line();
            self.parts.spend(body.len())?;
            let page = Page {
                description: line(&signature, MAX_DESCRIPTION_CHARS),
                body,
                ..page(PageKind::Operation, format!("{pointer}/{method}"), title.unwrap_or_default())
            };
            found.push(Operation { tag: tag.to_owned(), page, is_ignored: is_ignored(operation) });
        }
        Ok(())
    }

    /// Returns the piece of an operation, converted to OpenAPI 3.
    fn body_of(
        &mut self,
        method: &str,
        path: &str,
        item: &Json,
        operation: &Json,
        is_webhook: bool,
    ) -> Result<Json, SpecError> {
        let shared = item.get("parameters").cloned().unwrap_or(Json::Null);
        let (operation, shared) = match self.dialect {
            Dialect::OpenApi3 => (operation.clone(), shared),
            Dialect::Swagger2 => swagger2::operation(operation, &shared, self.root, &mut self.parts)?,
        };
        let security = operation.get("security").cloned().unwrap_or_else(|| self.security.clone());
        Ok(Json::object([
            ("method", Json::text(method)),
            ("path", Json::text(path)),
            ("webhook", Json::Bool(is_webhook)),
            ("parameters", shared),
            ("servers", item.get("servers").cloned().unwrap_or(Json::Null)),
            ("security", security),
            ("operation", operation),
        ]))
    }

    /// Puts operations below the pages of their tags. Operations that are hidden from the documentation come last and
    /// have no parent, so that blocks can still name them.
    fn by_tag(&mut self, tags: &Tags<'_>, operations: Vec<Operation>) -> Result<(), SpecError> {
        let mut used: Vec<String> = Vec::new();
        let mut groups: HashMap<String, Vec<Page>> = HashMap::new();
        let mut left_out: Vec<Page> = Vec::new();
        for Operation { tag, page, is_ignored: ignored } in operations {
            if ignored || tags.get(&tag).is_some_and(is_ignored) {
                left_out.push(page);
                continue;
            }
            groups
                .entry(tag)
                .or_insert_with_key(|tag| {
                    used.push(tag.clone());
                    Vec::new()
                })
                .push(page);
        }
        let mut indexes: Vec<usize> = Vec::new();
        for Placed { name, parent } in tags.placed(&used) {
            let parent = parent.and_then(|parent| indexes.get(parent).copied());
            let index = self.pages.len();
            indexes.push(index);
            let declared = tags.get(&name);
            let body = Json::object([("tag", declared.cloned().unwrap_or(Json::Null))]);
            self.add(parent, tag_page(&name, declared), &body)?;
            for page in groups.remove(&name).unwrap_or_default() {
                let body = Json::parse(&page.body).unwrap_or(Json::Null);
                self.add(Some(index), page, &body)?;
            }
        }
        for page in left_out {
            let body = Json::parse(&page.body).unwrap_or(Json::Null);
            self.add(None, page, &body)?;
        }
        Ok(())
    }

    fn models(&mut self) -> Result<(), SpecError> {
        let holder = self.dialect.models();
        let root = self.root;
        let models = match self.dialect {
            Dialect::OpenApi3 => root.object("components")?.object("schemas")?,
            Dialect::Swagger2 => root.object("definitions")?,
        };
        if models.0.is_empty() {
            return Ok(());
        }
        self.add(None, page(PageKind::Models, holder.to_owned(), "Models".to_owned()), &Json::object([]))?;
        let parent = self.pages.len().checked_sub(1);
        for (name, model) in &models.0 {
            let parent = parent.filter(|_| !read_raw(holder, model).is_ok_and(|model| is_ignored(&model)));
            let pointer = format!("{holder}/{}", escape(name));
            let schema = Json::object([("$ref", Json::text(format!("#{pointer}")))]);
            let title = line(name, MAX_TITLE_CHARS).unwrap_or_else(|| "Model".to_owned());
            let body = Json::object([("name", Json::text(title.as_str())), ("schema", schema)]);
            self.add(parent, page(PageKind::Model, pointer, title), &body)?;
        }
        Ok(())
    }

    fn add(&mut self, parent: Option<usize>, mut page: Page, body: &Json) -> Result<(), SpecError> {
        if self.pages.len() >= MAX_PAGES {
            return Err(SpecError::TooManyPages);
        }
        let mut references = BTreeSet::new();
        collect_references(body, &mut references);
        for (scheme, _) in body.items_of("security").iter().flat_map(Json::entries) {
            references.insert(format!("{}/{}", self.dialect.security_schemes(), escape(scheme)));
        }
        page.parts = self.parts.reached_from(references)?;
        page.parent = parent;
        page.pointer = page.pointer.replace('\0', "\u{fffd}");
        page.body = body.to_line();
        self.pages.push(page);
        Ok(())
    }
}

/// Assigns slugs to pages, unique among siblings. Pages of tags and models come first, so that their addresses do not
/// depend on the title and the description of the specification.
fn give_slugs(pages: &mut [Page]) {
    let mut slugs = Slugs::default();
    let kinds = [PageKind::Tag, PageKind::Models, PageKind::Operation, PageKind::Model, PageKind::Info];
    for kind in kinds {
        for page in pages.iter_mut().filter(|page| page.kind == kind) {
            page.slug = slugs.free(page.parent, slugify(&page.title));
        }
    }
}

/// Returns the page of a tag. `declared` is absent for a tag that only operations name.
fn tag_page(name: &str, declared: Option<&Json>) -> Page {
    let said = |key: &str| declared.and_then(|tag| tag.str(key)).filter(|text| !text.trim().is_empty());
    let otherwise = if name == DEFAULT && declared.is_none() { WITHOUT_TAG } else { name };
    let shown = said("x-page-title").or_else(|| said("x-displayName")).unwrap_or(otherwise);
    // The id of the page is derived from its pointer. The page of the operations without a tag keeps its original
    // pointer.
    let pointer = match declared {
        None if name == DEFAULT => "/tags".to_owned(),
        _ => format!("/tags/{}", escape(name)),
    };
    let title = line(shown, MAX_TITLE_CHARS).unwrap_or_else(|| WITHOUT_TAG.to_owned());
    Page {
        description: said("x-page-description").and_then(|text| line(text, MAX_DESCRIPTION_CHARS)),
        icon: said("x-page-icon").filter(|icon| is_icon(icon)).map(str::to_owned),
        ..page(PageKind::Tag, pointer, title)
    }
}

/// Returns whether this is a valid name of an icon for pages.
fn is_icon(name: &str) -> bool {
    name.len() <= MAX_ICON_BYTES
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Returns the general information with another description.
fn with_description(info: &Json, description: &str) -> Json {
    let kept = info.entries().iter().filter(|(key, _)| key != "description").cloned();
    let description = ("description".to_owned(), Json::text(description));
    Json::Object(kept.chain([description]).collect())
}

fn page(kind: PageKind, pointer: String, title: String) -> Page {
    Page {
        parent: None,
        kind,
        pointer,
        title,
        slug: String::new(),
        description: None,
        icon: None,
        body: String::new(),
        parts: Vec::new(),
    }
}

/// Returns a text on one line without control characters, truncated; `None` if it is empty.
fn line(text: &str, longest: usize) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let line: String = words.join(" ").chars().take(longest).collect();
    (!line.is_empty()).then_some(line)
}
