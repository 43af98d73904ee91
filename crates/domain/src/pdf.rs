//! Input of the PDF renderer. It contains all data, so that the renderer accesses neither database nor network.

use std::collections::BTreeMap;

use quire_revision::FileNode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

use crate::documents::DocumentJson;
use crate::ids::SpaceId;

/// Pages to render, in reading order.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Book {
    /// Title on the cover and at the head of each page.
    pub title: String,
    /// Line below the title: the change request of the book.
    pub subtitle: Option<String>,
    /// Date on the cover, formatted.
    pub date: String,
    /// Pages in reading order.
    pub pages: Vec<BookPage>,
    /// Files that the pages may refer to, by id.
    #[serde(default)]
    pub files: BTreeMap<String, BookFile>,
    /// Remote images by URL: the names of their bytes in the folder of the book.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<String, String>,
    /// Documents of reusable contents, by id.
    #[serde(default)]
    pub reusable_contents: BTreeMap<String, DocumentJson>,
    /// Pages outside the book that its pages may link to, by id.
    #[serde(default)]
    pub elsewhere: BTreeMap<String, BookLink>,
}

/// Page of a book.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookPage {
    /// Id of the page.
    pub id: String,
    /// Number of ancestors of the page.
    pub depth: usize,
    /// Title of the page.
    pub title: String,
    /// Emoji shown before the title.
    pub emoji: Option<String>,
    /// Description shown below the title.
    pub description: Option<String>,
    /// Target of a link page.
    pub target: Option<Value>,
    /// Document of the page; absent for a page without content.
    pub document: Option<DocumentJson>,
}

/// A file of the space.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookFile {
    /// Name of the file.
    pub name: String,
    /// URL of the bytes.
    pub url: String,
    /// Name of the bytes in the folder of the book. Absent for files other than images.
    pub image: Option<String>,
}

/// Title and URL of a page outside the book.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookLink {
    /// Title of the page.
    pub title: String,
    /// URL of the page.
    pub url: String,
}

/// Builder of the URLs in a book.
pub trait Addresses: Send + Sync {
    /// Returns the URL of the bytes of a file.
    fn file(&self, space: SpaceId, file: &FileNode) -> String;

    /// Returns the URL of the page with this path in the app.
    fn page(&self, space: SpaceId, path: &str) -> String;
}
