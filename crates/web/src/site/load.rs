//! Loading of a page: its document as the visitor sees it, and the targets of its references.

use std::collections::{BTreeSet, HashMap, HashSet};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quire_conditions::Visitor;
use quire_content::computed::{Computed, Expansions, document_at, expand, written_out};
use quire_content::page_body::{cover, layout};
use quire_content::reading::{Evaluation, Expressions, ReaderForm};
use quire_content::redirects::{Followed, RedirectTarget, follow};
use quire_content::rendering::{Apis, apis};
use quire_content::visible::is_bounded;
use quire_domain::documents::DocumentJson;
use quire_domain::ids::{PageId, SiteSpaceId, UserId};
use quire_domain::revisions::PageLayout;
use quire_domain::sites::customization::Customization;
use quire_markup::{Block, BlockKind, ContentRef, Document, Inline};
use quire_render::{ApiPiece, References, Resolved, Target, references};
use quire_revision::{PageNode, PageType, Tree};
use quire_server::{ApiError, ApiResult, UrlSigner};
use quire_storage::Reader;
use quire_storage::lookup::Authorized;
use quire_storage::sites::published::{PublishedContent, PublishedSpace};

use super::frame::{alternates, frame, references_of, variants};
use super::links::{Links, SpaceTree, page_by_ids, site_path_of, space_named};
use super::nav::Navigation;
use super::visit::Visit;
use crate::reader::cover::pictures;
use crate::reader::{Cover, Link, Node, Site};

/// Maximum number of variants in which the same page is looked up.
const MOST_VARIANTS: usize = 50;
/// Maximum number of pages in the list on a page without content.
const MAX_LISTED: usize = 500;
/// Maximum number of users whose names a page shows.
const MOST_PEOPLE: usize = 500;

/// Result of loading a path.
pub(crate) enum Loaded {
    /// A page.
    Page(Box<PageParts>),
    /// Another path on the site.
    Moved(String),
    /// Redirect of the site to another address.
    Redirected { target: RedirectTarget, permanent: bool },
    /// No page at this path. Contains the frame for the error page.
    Missing(Box<Site>, Vec<Node>),
}

/// Data of a page.
pub(crate) struct PageParts {
    /// Appearance settings of the page.
    pub(crate) settings: Customization,
    pub(crate) site: Site,
    pub(crate) page: PageNode,
    pub(crate) layout: PageLayout,
    pub(crate) document: Document,
    /// Part of a specification that a computed page shows instead of a document.
    pub(crate) piece: Option<ApiPiece>,
    pub(crate) resolved: Resolved,
    pub(crate) cover: Option<Cover>,
    pub(crate) site_path: String,
    pub(crate) tree: Vec<Node>,
    pub(crate) crumbs: Vec<Link>,
    pub(crate) previous: Option<Link>,
    pub(crate) next: Option<Link>,
    /// Tag and URL of the page in other languages.
    pub(crate) alternates: Vec<(String, String)>,
}

/// Evaluator of expressions over a visitor's claims.
pub(crate) struct Claims(Visitor);

impl Claims {
    pub(crate) fn of(visit: &Visit) -> Self {
        Self(Visitor::new(&visit.claims))
    }
}

impl Expressions for Claims {
    fn holds(&self, condition: &str) -> bool {
        is_bounded(condition) && self.0.meets(condition)
    }

    fn text(&self, expression: &str) -> Option<String> {
        is_bounded(expression).then(|| self.0.text(expression)).flatten()
    }
}

/// Context of loading.
pub(crate) struct Loader<'a, 'r> {
    pub(crate) reader: &'a mut Reader<'r>,
    pub(crate) visit: &'a Visit,
    pub(crate) expansions: &'a Expansions,
    pub(crate) signer: &'a UrlSigner,
}

/// Tree of a space with its computed pages.
type Expanded = (Authorized<PublishedContent>, SpaceTree, std::sync::Arc<Computed>);

impl Loader<'_, '_> {
    /// Returns the tree of a space.
    pub(crate) fn tree(&mut self, space: &PublishedSpace) -> ApiResult<Expanded> {
        let content = self.visit.site.content(space)?;
        let tree = self.reader.tree(&content)?;
        let (tree, computed) = expand(self.reader, content.specs(), tree, Some(self.expansions))?;
        Ok((content, SpaceTree::new(tree), computed))
    }

    /// Loads the page at a path. Returns `None` for a site without spaces. In HTML, a computed page about a single
    /// operation, webhook or model consists of its block.
    pub(crate) fn page(mut self, path: &[String], is_html: bool) -> ApiResult<Option<Loaded>> {
        let visit = self.visit;
        let (by_ids, located) = (page_by_ids(visit, path), visit.locate(path));
        let Some(space) = by_ids.map(|(space, _)| space).or(located.map(|located| located.space)) else {
            return Ok(None);
        };
        let rest = located.map(|located| located.rest).unwrap_or_default();
        let (content, tree, computed) = self.tree(space)?;
        let page = match by_ids {
            Some((_, id)) => tree.page(id),
            None => find(&tree, rest),
        };
        let Some(page) = page else {
            if let Some(Followed { redirect, target }) = self.redirect(path, rest)? {
                return Ok(Some(Loaded::Redirected { target, permanent: redirect.permanent }));
            }
            let former = match computed.formerly_at(&tree, rest) {
                Some(id) => Some(id),
                None => self.reader.page_formerly_at(&content, &tree, rest)?,
            };
            let former = former.and_then(|id| site_path_of(visit, space, &tree, tree.page(id)?));
            if let Some(site_path) = former {
                return Ok(Some(Loaded::Redirected {
                    target: RedirectTarget::SitePath(site_path),
                    permanent: false,
                }));
            }
            let trees = HashMap::from([(space.id.to_string(), tree.clone())]);
            let links = Links { visit, signer: self.signer, space, trees: &trees };
            let navigation = Navigation { visit, space, tree: &tree, links: &links, page: None };
            let site = frame(visit, space, &visit.settings_in(space)?, &links);
            return Ok(Some(Loaded::Missing(Box::new(site), navigation.nodes())));
        };
        let site_path = site_path_of(visit, space, &tree, page).ok_or_else(ApiError::not_found)?;
        if page.page_type() != PageType::Document || !is_at(&site_path, path) {
            return Ok(Some(Loaded::Moved(site_path)));
        }
        let block = computed.page(page.id).filter(|_| is_html).and_then(|(pages, index)| pages.block(index));
        let is_piece = block.is_some();
        let document = match block {
            Some(block) => Document { nodes: vec![block], ..Document::default() },
            None => self.document(&content, &tree, &computed, page, is_html)?,
        };
        let document = if is_blank(&document) { listed(&tree, page) } else { document };
        let stored_cover = page.cover.as_deref().and_then(cover);
        let covers = stored_cover.iter().flat_map(pictures).flatten();
        let References { targets, apis: shown, .. } = references(&document);
        let apis = match is_html {
            true => apis(self.reader, content.specs(), &computed, &shown)?,
            false => Apis::new(),
        };
        let pieces = || apis.values().flat_map(HashMap::values);
        let piece = if is_piece { pieces().next().cloned() } else { None };
        let models = pieces().flat_map(|piece| piece.pages.values());
        let models: BTreeSet<ContentRef> =
            models.map(|page| ContentRef::Page { page: page.clone(), space: None }).collect();
        let settings = visit.settings_in(space)?;
        let mut named = references_of(&settings);
        named.extend(targets.iter().cloned().chain(covers));
        let trees = self.trees(space, &tree, &named)?;
        let same = if is_html { self.same_page(space, &tree, page)? } else { HashMap::new() };
        let people = if is_html { self.people(&targets)? } else { HashMap::new() };
        let links = Links { visit, signer: self.signer, space, trees: &trees };
        let navigation = Navigation { visit, space, tree: &tree, links: &links, page: Some(page.id) };
        let found = targets
            .into_iter()
            .chain(models)
            .filter_map(|reference| Some((links.target(&reference)?, reference)));
        let mut targets: HashMap<ContentRef, Target> =
            found.map(|(target, reference)| (reference, target)).collect();
        targets.extend(people);
        let (previous, next) = navigation.neighbors();
        let layout = page.layout.as_deref().map(layout).unwrap_or_default();
        let cover = stored_cover.and_then(|cover| Cover::of(&cover, &layout, |to| links.target(to)));
        Ok(Some(Loaded::Page(Box::new(PageParts {
            site: Site { variants: variants(visit, space, &same), ..frame(visit, space, &settings, &links) },
            settings,
            alternates: alternates(visit, space, &same),
            layout,
            cover,
            tree: navigation.nodes(),
            crumbs: navigation.crumbs(),
            resolved: Resolved { targets, apis, ..Resolved::default() },
            page: page.clone(),
            document,
            piece,
            site_path,
            previous,
            next,
        }))))
    }

    /// Returns the path on the site of a page in any of its spaces.
    pub(crate) fn site_path_of_page(mut self, page: PageId) -> ApiResult<Option<String>> {
        let visit = self.visit;
        for (space, tree) in self.all_trees()? {
            if let Some(page) = tree.page(page) {
                return Ok(site_path_of(visit, space, &tree, page));
            }
        }
        Ok(None)
    }

    /// Returns the path on the site of the page at a path in a space, or of a page that was formerly there.
    pub(crate) fn site_path_at(
        mut self,
        space: &PublishedSpace,
        path: &[String],
    ) -> ApiResult<Option<String>> {
        let (content, tree, computed) = self.tree(space)?;
        let page = match find(&tree, path) {
            Some(page) => Some(page),
            None => {
                let former = match computed.formerly_at(&tree, path) {
                    Some(id) => Some(id),
                    None => self.reader.page_formerly_at(&content, &tree, path)?,
                };
                former.and_then(|id| tree.page(id))
            }
        };
        Ok(page.and_then(|page| site_path_of(self.visit, space, &tree, page)))
    }

    /// Returns the paths on the site of the page in all variants of a section, found by its path in the space.
    fn same_page(
        &mut self,
        space: &PublishedSpace,
        tree: &SpaceTree,
        page: &PageNode,
    ) -> ApiResult<HashMap<SiteSpaceId, String>> {
        let visit = self.visit;
        let path = if tree.is_home(page.id) { None } else { tree.path_of(page.id) };
        let mut same = HashMap::new();
        for variant in visit.variants_of(space).take(MOST_VARIANTS) {
            let site_path = match &path {
                None => Some(visit.site_path(variant, "")),
                Some(_) if variant.id == space.id => site_path_of(visit, space, tree, page),
                Some(path) => {
                    let (_, other, _) = self.tree(variant)?;
                    let found =
                        other.page_by_path(path).filter(|page| page.page_type() == PageType::Document);
                    found.and_then(|page| site_path_of(visit, variant, &other, page))
                }
            };
            same.extend(site_path.map(|site_path| (variant.id, site_path)));
        }
        Ok(same)
    }

    /// Returns the names of the users that a page mentions. Sends one statement, or none without mentions.
    fn people(&mut self, targets: &BTreeSet<ContentRef>) -> ApiResult<HashMap<ContentRef, Target>> {
        let ids = targets.iter().filter_map(|target| match target {
            ContentRef::User { user } => user.parse::<UserId>().ok(),
            _ => None,
        });
        let ids: Vec<UserId> = ids.take(MOST_PEOPLE).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let names = self.reader.names_of_members(&self.visit.site, &ids)?;
        let target = |(id, title): (UserId, String)| {
            (ContentRef::User { user: id.to_string() }, Target { title, ..Target::default() })
        };
        Ok(names.into_iter().map(target).collect())
    }

    /// Looks up the redirect of a path on the site, or else of its path in the space.
    fn redirect(&mut self, path: &[String], rest: &[String]) -> ApiResult<Option<Followed>> {
        for path in [path, rest] {
            let source =
                path.iter().map(|segment| format!("/{}", utf8_percent_encode(segment, NON_ALPHANUMERIC)));
            let found = follow(self.reader, &self.visit.site, &source.collect::<String>())?;
            if found.is_some() || path.len() == rest.len() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Returns the document of a page as the visitor sees it. In HTML, a computed page shows operations and models as
    /// blocks. In other forms they are written out in full.
    pub(crate) fn document(
        &mut self,
        content: &Authorized<PublishedContent>,
        tree: &Tree,
        computed: &Computed,
        page: &PageNode,
        is_html: bool,
    ) -> ApiResult<Document> {
        let stored: Option<DocumentJson> = match (page.document, computed.page(page.id)) {
            (Some(id), _) => Some(self.reader.document(content, id).map_err(ApiError::internal)?),
            (None, Some((pages, index))) => {
                let document = if is_html { document_at } else { written_out };
                return Ok(document(self.reader, content.specs(), pages, index)?);
            }
            (None, None) => None,
        };
        self.read(content, tree, stored.as_ref())
    }

    /// Returns a stored document as the visitor sees it.
    pub(crate) fn read(
        &mut self,
        content: &Authorized<PublishedContent>,
        tree: &Tree,
        stored: Option<&DocumentJson>,
    ) -> ApiResult<Document> {
        let form = ReaderForm { evaluation: Evaluation::All, dereferenced: true, identified: false };
        let claims = Claims::of(self.visit);
        Ok(form.of(self.reader, content, tree, stored, &claims)?)
    }

    /// Returns the trees of the spaces in references, by site space id.
    fn trees(
        &mut self,
        own: &PublishedSpace,
        tree: &SpaceTree,
        references: &[ContentRef],
    ) -> ApiResult<HashMap<String, SpaceTree>> {
        let named: HashSet<&String> = references.iter().filter_map(space_named).collect();
        let mut trees = HashMap::from([(own.id.to_string(), tree.clone())]);
        for space in &self.visit.site.spaces {
            if space.id != own.id && named.contains(&space.space.to_string()) {
                let (_, tree, _) = self.tree(space)?;
                trees.insert(space.id.to_string(), tree);
            }
        }
        Ok(trees)
    }
}

/// Finds the page at a path, ignoring case.
pub(crate) fn find<'t>(tree: &'t SpaceTree, path: &[String]) -> Option<&'t PageNode> {
    if path.is_empty() {
        return tree.home();
    }
    let path = path.join("/");
    tree.page_by_path(&path).or_else(|| tree.page_by_path(&path.to_lowercase()))
}

/// Returns whether decoded segments equal a path on the site.
fn is_at(site_path: &str, path: &[String]) -> bool {
    let segments = site_path.split('/').filter(|segment| !segment.is_empty());
    let decoded = segments.map(|segment| percent_encoding::percent_decode_str(segment).decode_utf8_lossy());
    decoded.eq(path.iter().map(String::as_str))
}

/// Returns whether a document has no content, for example for a category of an imported site.
pub(crate) fn is_blank(document: &Document) -> bool {
    let is_empty =
        |block: &Block| block.kind == BlockKind::Paragraph && block.child_inlines().iter().all(is_space);
    document.nodes.iter().all(is_empty)
}

fn is_space(inline: &Inline) -> bool {
    matches!(inline, Inline::Text(text) if text.leaves.iter().all(|leaf| leaf.text.trim().is_empty()))
}

/// Returns a document that lists the child pages of a page without content.
pub(crate) fn listed(tree: &SpaceTree, page: &PageNode) -> Document {
    let item = |page: &PageNode| {
        let reference = ContentRef::Page { page: page.id.to_string(), space: None };
        let title = page.link_title.as_ref().unwrap_or(&page.title);
        let mut line = vec![Inline::link(&reference, vec![Inline::text(title.as_str())])];
        let about = page.description.as_deref().filter(|about| !about.is_empty());
        line.extend(about.map(|about| Inline::text(format!(": {about}"))));
        Block::blocks(BlockKind::ListItem, vec![Block::paragraph(line)])
    };
    let is_shown = |page: &&PageNode| !page.hidden && page.page_type() == PageType::Document;
    let items: Vec<Block> =
        tree.children(Some(page.id)).filter(is_shown).take(MAX_LISTED).map(item).collect();
    let list = (!items.is_empty()).then(|| Block::blocks(BlockKind::ListUnordered, items));
    Document::new(list.into_iter().collect())
}
