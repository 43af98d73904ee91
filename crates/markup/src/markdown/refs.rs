//! Addresses in Markdown and the references that they denote.

use crate::ContentRef;

/// Use of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HrefKind {
    /// A link, a mention or a button.
    Link,
    /// An image.
    Image,
    /// A file to download.
    File,
    /// A block that presents a page or other content.
    ContentRef,
    /// Reusable content to include.
    Include,
    /// An OpenAPI specification.
    Spec,
    /// A person.
    User,
}

/// Resolver of addresses to references.
pub trait RefResolver {
    /// Returns the reference for an address; `None` keeps the address itself.
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef>;

    /// Records the address of a link that documents may not contain. The link's text is kept.
    fn refused(&self, _href: &str) {}

    /// Records an HTML element without an equivalent that is dropped.
    fn left(&self, _element: &str) {}

    /// Records an HTML element without an equivalent whose tags are shown as text or in a listing.
    fn shown(&self, _element: &str) {}

    /// Records a heading. Called in document order.
    fn heading(&self) {}

    /// Records the id of an element that is not a heading. Documents do not keep such ids; links to one lead to the
    /// last heading.
    fn target(&self, _id: &str) {}
}

/// Writer of references as addresses.
pub trait RefPrinter {
    /// Returns the address of a reference.
    fn href(&self, reference: &ContentRef) -> String;
}

/// Addresses that consist of ids and are the same in every document: `/pages/<id>`, `/pages/<id>#<anchor>`,
/// `#<anchor>`, `/files/<id>`, `/reusable-contents/<id>`, `/spaces/<id>`, `/collections/<id>`, `/users/<id>`,
/// `/openapi/<slug>`, `/tags/<name>`, `/snippets/<organization>/<id>`, with the prefix `/spaces/<id>` for content of
/// another space. Resolving a printed address returns the same reference.
///
/// ```
/// use quire_markup::{ContentRef, HrefKind, RefPrinter, RefResolver, StableRefs};
/// let reference = StableRefs.resolve("/pages/p1#install", HrefKind::Link).unwrap();
/// assert_eq!(reference, ContentRef::Anchor { anchor: "install".into(), page: Some("p1".into()), space: None });
/// assert_eq!(StableRefs.href(&reference), "/pages/p1#install");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct StableRefs;

impl RefPrinter for StableRefs {
    fn href(&self, reference: &ContentRef) -> String {
        let within =
            |space: &Option<String>| space.as_ref().map_or(String::new(), |id| format!("/spaces/{id}"));
        match reference {
            ContentRef::Url { url } => url.clone(),
            ContentRef::File { file, space } => format!("{}/files/{file}", within(space)),
            ContentRef::Page { page, space } => format!("{}/pages/{page}", within(space)),
            ContentRef::Anchor { anchor, page: Some(page), space } => {
                format!("{}/pages/{page}#{anchor}", within(space))
            }
            ContentRef::Anchor { anchor, page: None, space } => format!("{}#{anchor}", within(space)),
            ContentRef::User { user } => format!("/users/{user}"),
            ContentRef::Collection { collection } => format!("/collections/{collection}"),
            ContentRef::Space { space } => format!("/spaces/{space}"),
            ContentRef::ReusableContent { reusable_content, space } => {
                format!("{}/reusable-contents/{reusable_content}", within(space))
            }
            ContentRef::OpenApi { spec } => format!("/openapi/{spec}"),
            ContentRef::Snippet { snippet, organization } => format!("/snippets/{organization}/{snippet}"),
            ContentRef::Tag { tag, space } => format!("{}/tags/{tag}", within(space)),
        }
    }
}

impl RefResolver for StableRefs {
    fn resolve(&self, href: &str, kind: HrefKind) -> Option<ContentRef> {
        let reference = read(href)?;
        let fits = match kind {
            HrefKind::Link | HrefKind::ContentRef => true,
            HrefKind::Image | HrefKind::File => matches!(reference, ContentRef::File { .. }),
            HrefKind::Include => matches!(reference, ContentRef::ReusableContent { .. }),
            HrefKind::User => matches!(reference, ContentRef::User { .. }),
            HrefKind::Spec => matches!(reference, ContentRef::OpenApi { .. } | ContentRef::File { .. }),
        };
        // An address that would be printed differently is not one of these.
        (fits && self.href(&reference) == href).then_some(reference)
    }
}

fn read(href: &str) -> Option<ContentRef> {
    let (space, rest) = match href.strip_prefix("/spaces/") {
        Some(rest) => {
            let end = rest.find(['/', '#']).unwrap_or(rest.len());
            let (space, rest) = (id(rest.get(..end)?)?, rest.get(end..)?);
            if rest.is_empty() {
                return Some(ContentRef::Space { space });
            }
            (Some(space), rest)
        }
        None => (None, href),
    };
    if let Some(anchor) = rest.strip_prefix('#') {
        return Some(ContentRef::Anchor { anchor: id(anchor)?, page: None, space });
    }
    let (folder, name) = rest.strip_prefix('/')?.split_once('/')?;
    match (folder, name.split_once('#')) {
        ("pages", Some((page, anchor))) => {
            Some(ContentRef::Anchor { anchor: id(anchor)?, page: Some(id(page)?), space })
        }
        ("pages", None) => Some(ContentRef::Page { page: id(name)?, space }),
        ("files", None) => Some(ContentRef::File { file: id(name)?, space }),
        ("reusable-contents", None) => {
            Some(ContentRef::ReusableContent { reusable_content: id(name)?, space })
        }
        ("tags", None) => Some(ContentRef::Tag { tag: id(name)?, space }),
        ("users", None) => Some(ContentRef::User { user: id(name)? }),
        ("collections", None) => Some(ContentRef::Collection { collection: id(name)? }),
        ("openapi", None) => Some(ContentRef::OpenApi { spec: id(name)? }),
        ("snippets", None) => {
            let (organization, snippet) = name.split_once('/')?;
            Some(ContentRef::Snippet { snippet: id(snippet)?, organization: id(organization)? })
        }
        _ => None,
    }
}

/// Returns an id if it is valid in an address: not empty, and without characters that have a meaning in addresses.
fn id(text: &str) -> Option<String> {
    let plain = |c: char| !matches!(c, '/' | '#' | '?') && !c.is_whitespace() && !c.is_control();
    (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
}
