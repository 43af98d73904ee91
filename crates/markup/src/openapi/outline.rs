//! Splits a specification into pages: an overview, a page per tag with its operations below, and the models.

use crate::limits::openapi::{MAX_DESCRIPTION_CHARS, MAX_PAGES, MAX_TITLE_CHARS};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::json::{Json, escape};
use super::notation::{Notation, to_json};
use super::parts::{Part, Parts, collect_references, local};
use super::raw::{RawObject, read as read_raw};
use super::{SpecError, swagger2};
use crate::slug::slugify;

/// Methods of a path, in the order of the OpenAPI specification.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
/// The title of the page of the operations without a tag.
const WITHOUT_TAG: &str = "Default";
/// The title of the page of the webhooks.
const WEBHOOKS: &str = "Webhooks";

/// The kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// The overview of the specification.
    Info,
    /// A tag, the parent of its operations.
    Tag,
    /// An operation.
    Operation,
    /// The parent page of the models.
    Models,
    /// A model.
    Model,
}

/// A page, with its piece of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The index of its parent page, which comes before it.
    pub parent: Option<usize>,
    /// Its kind.
    pub kind: PageKind,
    /// Its JSON pointer in the specification; unique.
    pub pointer: String,
    /// Its title.
    pub title: String,
    /// Its part of a path, unique among its siblings.
    pub slug: String,
    /// A short description: the method and path of an operation.
    pub description: Option<String>,
    /// The piece, in JSON: the input of [`render`](super::render()).
    pub body: String,
    /// The indexes of the parts that the piece refers to, directly or through others.
    pub parts: Vec<i32>,
}

/// A specification split into pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// Its notation.
    pub notation: Notation,
    /// Its pages, each after its parent.
    pub pages: Vec<Page>,
    /// The parts that pages refer to.
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
        taken: HashSet::new(),
        wished: HashMap::new(),
        security: root.json("security")?,
    };
    outline.info()?;
    outline.operations()?;
    outline.models()?;
    Ok(Specification { notation, pages: outline.pages, parts: outline.parts.into_found() })
}

/// The two families of specifications.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    OpenApi3,
    Swagger2,
}

impl Dialect {
    fn of(root: &RawObject<'_>) -> Result<Self, SpecError> {
        let dialect = match (root.json("openapi")?, root.json("swagger")?) {
            (Json::Text(version), _) if version.starts_with("3.") => Self::OpenApi3,
            (_, Json::Text(version)) if version == "2.0" => Self::Swagger2,
            // YAML reads an unquoted 2.0 as a number.
            (_, Json::Number(number)) if number.as_f64() == Some(2.0) => Self::Swagger2,
            _ => return Err(SpecError::Version),
        };
        let says_something = ["paths", "webhooks", "components", "definitions"];
        if says_something.iter().all(|key| root.get(key).is_none()) {
            return Err(SpecError::Malformed {
                pointer: String::new(),
                message: "has no `paths`".to_owned(),
            });
        }
        Ok(dialect)
    }

    fn models(self) -> &'static str {
        match self {
            Self::OpenApi3 => "/components/schemas",
            Self::Swagger2 => "/definitions",
        }
    }

    fn security_schemes(self) -> &'static str {
        match self {
            Self::OpenApi3 => "/components/securitySchemes",
            Self::Swagger2 => "/securityDefinitions",
        }
    }
}

/// An operation before its page is made.
struct Operation {
    tag: Option<String>,
    page: Page,
}

struct Outline<'a> {
    dialect: Dialect,
    root: &'a RawObject<'a>,
    parts: Parts<'a>,
    pages: Vec<Page>,
    /// The slugs used below each page.
    taken: HashSet<(Option<usize>, String)>,
    /// Number of requests for a used slug.
    wished: HashMap<(Option<usize>, String), usize>,
    /// Default security of operations without their own.
    security: Json,
}

impl Outline<'_> {
    fn info(&mut self) -> Result<(), SpecError> {
        let info = self.root.json("info")?;
        let title =
            line(info.str("title").unwrap_or_default(), MAX_TITLE_CHARS).unwrap_or_else(|| "API".to_owned());
        let servers = match self.dialect {
            Dialect::OpenApi3 => self.root.json("servers")?,
            Dialect::Swagger2 => swagger2::servers(self.root)?,
        };
        let description = info.str("summary").and_then(|summary| line(summary, MAX_DESCRIPTION_CHARS));
        let body = Json::object([
            ("info", info),
            ("servers", servers),
            ("security", self.security.clone()),
            ("externalDocs", self.root.json("externalDocs")?),
        ]);
        let page = Page { description, ..page(PageKind::Info, "/info".to_owned(), title) };
        self.add(None, page, &body)
    }

    fn operations(&mut self) -> Result<(), SpecError> {
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
                self.operations_of(holder, path, &pointer, &item, &mut operations)?;
                if operations.len() > MAX_PAGES {
                    return Err(SpecError::TooManyPages);
                }
            }
        }
        self.by_tag(operations)
    }

    fn operations_of(
        &mut self,
        holder: &str,
        path: &str,
        pointer: &str,
        item: &Json,
        found: &mut Vec<Operation>,
    ) -> Result<(), SpecError> {
        for (method, operation) in item.entries().iter().filter(|(key, _)| METHODS.contains(&key.as_str())) {
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
            let tag = if is_webhook {
                Some(WEBHOOKS.to_owned())
            } else {
                operation.items_of("tags").first().and_then(Json::as_str).map(str::to_owned)
            };
            let body = self.body_of(method, path, item, operation, is_webhook)?.to_line();
            self.parts.spend(body.len())?;
            let page = Page {
                description: line(&signature, MAX_DESCRIPTION_CHARS),
                body,
                ..page(PageKind::Operation, format!("{pointer}/{method}"), title.unwrap_or_default())
            };
            found.push(Operation { tag, page });
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

    /// Puts operations below the pages of their tags: first the tags listed in the specification, in its order, then
    /// the others in order of occurrence.
    fn by_tag(&mut self, operations: Vec<Operation>) -> Result<(), SpecError> {
        let listed = self.root.json("tags")?;
        let mut order: Vec<Option<String>> = Vec::new();
        let mut said_of: HashMap<&str, &Json> = HashMap::new();
        let mut groups: HashMap<Option<String>, Vec<Page>> = HashMap::new();
        for (tag, said) in listed.items().iter().filter_map(|said| Some((said.str("name")?, said))) {
            // Of two tags with the same name, the first one wins.
            if let Entry::Vacant(free) = said_of.entry(tag) {
                free.insert(said);
                order.push(Some(tag.to_owned()));
            }
        }
        for Operation { tag, page } in operations {
            let is_listed = tag.as_deref().is_some_and(|tag| said_of.contains_key(tag));
            if !is_listed && !groups.contains_key(&tag) {
                order.push(tag.clone());
            }
            groups.entry(tag).or_default().push(page);
        }
        for tag in order {
            let Some(pages) = groups.remove(&tag) else { continue };
            let said =
                tag.as_deref().and_then(|tag| said_of.get(tag).copied()).cloned().unwrap_or(Json::Null);
            let name = tag.as_deref().unwrap_or(WITHOUT_TAG);
            let shown = said.str("x-displayName").unwrap_or(name);
            let title = line(shown, MAX_TITLE_CHARS).unwrap_or_else(|| WITHOUT_TAG.to_owned());
            // The page of untagged operations must not collide with that of a tag with this name.
            let pointer =
                tag.as_deref().map_or_else(|| "/tags".to_owned(), |name| format!("/tags/{}", escape(name)));
            self.add(None, page(PageKind::Tag, pointer, title), &Json::object([("tag", said)]))?;
            let parent = self.pages.len().checked_sub(1);
            for page in pages {
                let body = Json::parse(&page.body).unwrap_or(Json::Null);
                self.add(parent, page, &body)?;
            }
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
        for (name, _) in &models.0 {
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
        page.slug = self.free_slug(parent, slugify(&page.title));
        page.pointer = page.pointer.replace('\0', "\u{fffd}");
        page.body = body.to_line();
        self.pages.push(page);
        Ok(())
    }

    /// Returns the wanted slug, with a number if a sibling has it.
    fn free_slug(&mut self, parent: Option<usize>, wanted: String) -> String {
        let mut slug = wanted.clone();
        loop {
            if self.taken.insert((parent, slug.clone())) {
                return slug;
            }
            let number = self.wished.entry((parent, wanted.clone())).or_default();
            *number = number.saturating_add(1);
            slug = format!("{wanted}-{number}");
        }
    }
}

fn page(kind: PageKind, pointer: String, title: String) -> Page {
    Page {
        parent: None,
        kind,
        pointer,
        title,
        slug: String::new(),
        description: None,
        body: String::new(),
        parts: Vec::new(),
    }
}

/// Returns a text in one line without control characters, cut; `None` if it is empty.
fn line(text: &str, longest: usize) -> Option<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let line: String = words.join(" ").chars().take(longest).collect();
    (!line.is_empty()).then_some(line)
}
