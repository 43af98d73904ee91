//! A book: what the renderer of PDFs is given. Everything that it needs to know is in it, so that it reads neither database nor network.

use std::collections::BTreeMap;

use quire_revision::FileNode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::documents::DocumentJson;
use crate::ids::SpaceId;

/// Pages to be set, in reading order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Book {
    /// The title on the cover and at the head of each page.
    pub title: String,
    /// What is said of it below the title: the change request that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    /// The day on the cover, as it is to be read.
    pub date: String,
    /// The pages, in reading order.
    pub pages: Vec<BookPage>,
    /// Files that the pages may refer to, by their ids.
    #[serde(default)]
    pub files: BTreeMap<String, BookFile>,
    /// Pictures that other services serve, by their URLs: the names of their bytes in the folder of the book.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pictures: BTreeMap<String, String>,
    /// The documents of reusable contents, by their ids.
    #[serde(default)]
    pub reusable_contents: BTreeMap<String, DocumentJson>,
    /// Pages that are not in the book but may be referred to, by their ids.
    #[serde(default)]
    pub elsewhere: BTreeMap<String, BookLink>,
}

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookPage {
    /// Id of the page.
    pub id: String,
    /// How many pages it stands below.
    pub depth: usize,
    /// Title of the page.
    pub title: String,
    /// An emoji shown before the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// A sentence or two below the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where a page that is a link leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Value>,
    /// Document of the page; absent for a page without content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DocumentJson>,
}

/// A file of the space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookFile {
    /// Name of the file.
    pub name: String,
    /// Where it is had.
    pub url: String,
    /// The name of its bytes in the folder of the book; absent for what isn't an image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

/// Something with a title and an address.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BookLink {
    /// Title of the page.
    pub title: String,
    /// Address of the page.
    pub url: String,
}

/// Makes the addresses that a book leads out by.
pub trait Addresses: Send + Sync {
    /// Where the bytes of a file are had.
    fn file(&self, space: SpaceId, file: &FileNode) -> String;

    /// Where the app shows the page with this path.
    fn page(&self, space: SpaceId, path: &str) -> String;
}
