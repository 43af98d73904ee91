//! Blocks that show parts of an OpenAPI specification. In a book, the content of the corresponding computed pages
//! replaces them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use quire_content::Result;
use quire_content::computed::{Computed, DocumentOf, Form, documents_of, titled};
use quire_domain::ids::OpenApiSpecVersionId;
use quire_markup::document::Children;
use quire_markup::openapi::{model_pointers, operation_pointer, webhook_pointers};
use quire_markup::{Block, BlockKind, ContentRef, Document};
use quire_revision::{BlobHash, PageNode, Tree};
use quire_storage::SystemReader;
use quire_storage::content::openapi_specs::{Outline, ReadableSpecs, SpecOf};
use serde_json::Value;

use super::documents::{Documents, size_of, size_of_blocks};

/// Documents computed per statement.
const BATCH: usize = 50;

/// Replaces blocks by the content of the organization's specifications that they refer to, as far as it fits. A block
/// with an unknown specification or part is kept. Without such blocks no statement is sent, otherwise at most three,
/// and one per [`BATCH`] parts.
pub(super) fn fill(
    reader: &mut SystemReader<'_>,
    specs: ReadableSpecs,
    tree: &Tree,
    computed: &Computed,
    pages: &[(&PageNode, usize)],
    documents: &mut Documents,
) -> Result<()> {
    let mut room = documents.room();
    let sources: BTreeSet<Source> = documents.all().flat_map(|document| sources(document, tree)).collect();
    if sources.is_empty() {
        return Ok(());
    }
    let shown = Specifications::read(reader, specs, sources)?;
    let mut wanted = BTreeSet::new();
    documents.all().for_each(|document| {
        visit(&document.nodes, &mut |block| {
            let Some((spec, outline)) = source(block, tree).and_then(|source| shown.get(&source)) else {
                return;
            };
            let found = items(block).into_iter().filter_map(|item| item.index_in(outline));
            wanted.extend(found.map(|index| (spec.version, index)));
        });
    });
    let made = shown.make(reader, specs, computed, wanted, room)?;
    let named = |document: &&mut Document| !self::sources(document, tree).is_empty();
    for document in documents.all_mut(pages).filter(named) {
        let mut filler = Filler { tree, shown: &shown, made: &made, room };
        let mut filled = document.clone();
        // The inserted blocks may exceed the maximum nesting of a document.
        if filler.fill(&mut filled.nodes)
            && Document::from_stored(filled.to_canonical_json().get().as_bytes()).is_ok()
        {
            room = filler.room;
            *document = filled;
        }
    }
    Ok(())
}

/// Reference of a block to a specification.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Source {
    /// Its slug or id.
    Name(String),
    /// The URL of its source.
    Url(String),
    /// The hash of its text.
    Text(BlobHash),
}

/// Returns the references to specifications in the blocks of a document.
fn sources(document: &Document, tree: &Tree) -> Vec<Source> {
    let mut sources = Vec::new();
    visit(&document.nodes, &mut |block| sources.extend(source(block, tree)));
    sources
}

/// Returns the URLs of specifications in the blocks of a document. They must not be fetched as pictures.
pub(super) fn addresses_of(document: &Document) -> BTreeSet<String> {
    let mut addresses = BTreeSet::new();
    visit(&document.nodes, &mut |block| {
        if let (BlockKind::Swagger, Some(ContentRef::Url { url })) = (block.kind, block.reference()) {
            addresses.insert(url);
        }
    });
    addresses
}

fn source(block: &Block, tree: &Tree) -> Option<Source> {
    match (block.kind, block.reference()?) {
        (
            BlockKind::OpenApiOperation | BlockKind::OpenApiSchemas | BlockKind::OpenApiWebhook,
            ContentRef::OpenApi { spec },
        ) => Some(Source::Name(spec)),
        (BlockKind::Swagger, ContentRef::Url { url }) => Some(Source::Url(url)),
        (BlockKind::Swagger, ContentRef::File { file, space: None }) => {
            Some(Source::Text(tree.file(file.parse().ok()?)?.blob))
        }
        _ => None,
    }
}

/// Part shown by a block: an operation, or one of its models.
struct Item<'b> {
    /// Name of a model, for a block with several.
    name: Option<&'b str>,
    /// Possible JSON pointers of the part in the specification.
    pointers: Vec<String>,
}

impl Item<'_> {
    fn index_in(&self, outline: &Outline) -> Option<usize> {
        self.pointers.iter().find_map(|pointer| outline.index_of(pointer))
    }
}

fn items(block: &Block) -> Vec<Item<'_>> {
    let text = |name: &str| block.str(name).unwrap_or_default();
    match block.kind {
        BlockKind::OpenApiSchemas => {
            let names = block.data.get("schemas").and_then(Value::as_array).into_iter().flatten();
            let names = names.filter_map(Value::as_str);
            names.map(|name| Item { name: Some(name), pointers: model_pointers(name).into() }).collect()
        }
        BlockKind::OpenApiWebhook => {
            vec![Item { name: None, pointers: webhook_pointers(text("name"), text("method")).into() }]
        }
        _ => vec![Item { name: None, pointers: vec![operation_pointer(text("path"), text("method"))] }],
    }
}

/// Visits blocks and their descendants.
fn visit<'b>(blocks: &'b [Block], see: &mut impl FnMut(&'b Block)) {
    for block in blocks {
        see(block);
        visit(block.child_blocks(), see);
        block.fragments.iter().for_each(|fragment| visit(&fragment.nodes, see));
    }
}

/// Specifications that blocks refer to, with their pages.
struct Specifications {
    specs: HashMap<Source, SpecOf>,
    outlines: HashMap<OpenApiSpecVersionId, Arc<Outline>>,
}

/// Replacements of blocks: the document of a page of a version.
type Made = HashMap<(OpenApiSpecVersionId, usize), Document>;

impl Specifications {
    fn read(reader: &mut SystemReader<'_>, of: ReadableSpecs, sources: BTreeSet<Source>) -> Result<Self> {
        let (mut names, mut urls, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for source in &sources {
            match source {
                Source::Name(name) => names.push(name.as_str()),
                Source::Url(url) => urls.push(url.as_str()),
                Source::Text(hash) => texts.push(*hash),
            }
        }
        let mut named = match names.is_empty() {
            true => HashMap::new(),
            false => reader.specs_named(of, &names)?,
        };
        let mut sourced = match urls.is_empty() && texts.is_empty() {
            true => Default::default(),
            false => reader.specs_by_source(of, &urls, &texts)?,
        };
        let mut specs = HashMap::with_capacity(sources.len());
        for source in sources {
            let spec = match &source {
                Source::Name(name) => named.remove(name),
                Source::Url(url) => sourced.urls.remove(url),
                Source::Text(hash) => sourced.texts.remove(hash),
            };
            specs.extend(spec.map(|spec| (source, spec)));
        }
        let versions: Vec<_> = specs.values().map(|spec| spec.version).collect();
        let outlines = reader.outlines(of, &versions)?;
        Ok(Self { specs, outlines })
    }

    fn get(&self, source: &Source) -> Option<(&SpecOf, &Outline)> {
        let spec = self.specs.get(source)?;
        Some((spec, self.outlines.get(&spec.version)?))
    }

    /// Returns the documents of pages, until one does not fit. Their links lead to computed pages of the same version.
    fn make(
        &self,
        reader: &mut SystemReader<'_>,
        of: ReadableSpecs,
        computed: &Computed,
        wanted: BTreeSet<(OpenApiSpecVersionId, usize)>,
        mut room: usize,
    ) -> Result<Made> {
        let wanted: Vec<DocumentOf<'_>> = wanted
            .into_iter()
            .filter_map(|(version, index)| {
                let outline = self.outlines.get(&version)?;
                let linked = computed.pages_of(version);
                Some(DocumentOf { outline, index, seed: "block", linked, form: Form::Tables })
            })
            .collect();
        let mut made = Made::with_capacity(wanted.len());
        for batch in wanted.chunks(BATCH) {
            for (of, document) in batch.iter().zip(documents_of(reader, of, batch)?) {
                let Some(left) = room.checked_sub(size_of(&document)) else { return Ok(made) };
                room = left;
                made.insert((of.outline.version, of.index), document);
            }
        }
        Ok(made)
    }
}

/// Replaces the blocks of one document.
struct Filler<'a> {
    tree: &'a Tree,
    shown: &'a Specifications,
    made: &'a Made,
    room: usize,
}

impl Filler<'_> {
    /// Replaces blocks and their descendants. Returns whether any block was replaced.
    fn fill(&mut self, blocks: &mut Vec<Block>) -> bool {
        let mut is_changed = false;
        for mut block in std::mem::take(blocks) {
            if let Some(content) = self.content(&block) {
                blocks.extend(content);
                is_changed = true;
                continue;
            }
            if let Children::Blocks(inner) = &mut block.children {
                is_changed |= self.fill(inner);
            }
            for fragment in &mut block.fragments {
                is_changed |= self.fill(&mut fragment.nodes);
            }
            blocks.push(block);
        }
        is_changed
    }

    /// Returns the replacement of a block, or `None` if the block is kept.
    fn content(&mut self, block: &Block) -> Option<Vec<Block>> {
        let (spec, outline) = self.shown.get(&source(block, self.tree)?)?;
        let mut content = Vec::new();
        let mut absent: Vec<Value> = Vec::new();
        for item in items(block) {
            let found = item.index_in(outline).and_then(|index| {
                let document = self.made.get(&(spec.version, index))?;
                Some((index, outline.pages.get(index)?.title.as_str(), document))
            });
            let filled = found.and_then(|(index, title, document)| {
                let own = block.str("title").filter(|own| item.name.is_none() && !own.is_empty());
                let id = format!("openapi.{}.{index}", spec.slug);
                let filled = match block.flag("headless") {
                    true => document.nodes.clone(),
                    false => titled(own.unwrap_or(title), &id, &document.nodes),
                };
                self.room = self.room.checked_sub(size_of_blocks(&filled))?;
                Some(filled)
            });
            match (filled, item.name) {
                (Some(filled), _) => content.extend(filled),
                (None, name) => absent.extend(name.map(Value::from)),
            }
        }
        if content.is_empty() {
            return None;
        }
        if !absent.is_empty() {
            content.push(block.clone().with("schemas", absent));
        }
        Some(content)
    }
}
