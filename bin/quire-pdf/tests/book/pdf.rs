//! Runs the renderer and reads its output.

use std::path::Path;
use std::process::{Command, Output};

use pdf_extract::{Dictionary, Document, Object, decode_text_string};
use serde_json::{Value, json};

/// A book in a temporary folder.
pub struct Book {
    folder: tempfile::TempDir,
    json: Value,
    arguments: Vec<String>,
}

/// A rendered PDF.
pub struct Pdf {
    pub text: String,
    pub document: Document,
}

impl Book {
    /// Returns a book of these pages.
    pub fn new(pages: Value) -> Self {
        let json = json!({"title": "Guide", "date": "2 January 2026", "pages": pages});
        Self { folder: tempfile::tempdir().unwrap(), json, arguments: Vec::new() }
    }

    /// Returns a book of one page with these blocks.
    pub fn of(nodes: Value) -> Self {
        Self::new(json!([page("p1", "Home", nodes)]))
    }

    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.json[name] = value;
        self
    }

    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds a file to the folder of the book.
    pub fn file(self, name: &str, bytes: &[u8]) -> Self {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
        self
    }

    pub fn run(&self) -> Output {
        let path = |name: &str| self.folder.path().join(name);
        std::fs::write(path("book.json"), self.json.to_string()).unwrap();
        Command::new(env!("CARGO_BIN_EXE_quire-pdf"))
            .arg(path("book.json"))
            .arg(path("book.pdf"))
            .args(&self.arguments)
            .env_clear()
            .output()
            .unwrap()
    }

    pub fn pdf(&self) -> Pdf {
        let output = self.run();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Pdf::read(&self.folder.path().join("book.pdf"))
    }
}

impl Pdf {
    fn read(path: &Path) -> Self {
        let text = pdf_extract::extract_text(path).unwrap();
        Self { text: words(&text), document: Document::load(path).unwrap() }
    }

    pub fn pages(&self) -> usize {
        self.document.get_pages().len()
    }

    /// Asserts that the PDF contains these words in this order, ignoring line breaks.
    #[track_caller]
    pub fn says(&self, expected: &str) {
        assert!(self.text.contains(&words(expected)), "{expected:?} is not in:\n{}", self.text);
    }

    /// Returns the linked URLs.
    pub fn urls(&self) -> Vec<String> {
        let mut urls: Vec<String> =
            self.actions("URI").iter().filter_map(|action| text(action, b"URI")).collect();
        urls.sort();
        urls.dedup();
        urls
    }

    /// Returns the number of links to targets within the PDF.
    pub fn links_inside(&self) -> usize {
        let annotations = self.document.objects.values().filter_map(|object| object.as_dict().ok());
        let links = annotations.filter(|dict| dict.get(b"Subtype").is_ok_and(|name| is_name(name, "Link")));
        links
            .filter(|link| {
                link.has(b"Dest")
                    || self.action(link).is_some_and(|a| a.get(b"S").is_ok_and(|s| is_name(s, "GoTo")))
            })
            .count()
    }

    /// Returns the titles of the bookmarks.
    pub fn bookmarks(&self) -> Vec<String> {
        let dicts = self.document.objects.values().filter_map(|object| object.as_dict().ok());
        let items = dicts.filter(|dict| dict.has(b"Title") && dict.has(b"Parent"));
        let mut titles: Vec<String> = items.filter_map(|item| text(item, b"Title")).collect();
        titles.sort();
        titles
    }

    /// Returns the number of images.
    pub fn pictures(&self) -> usize {
        let streams = self.document.objects.values().filter_map(|object| object.as_stream().ok());
        streams.filter(|stream| stream.dict.get(b"Subtype").is_ok_and(|name| is_name(name, "Image"))).count()
    }

    /// Returns the names of the fonts, without the subset prefix.
    pub fn fonts(&self) -> Vec<String> {
        let dicts = self.document.objects.values().filter_map(|object| object.as_dict().ok());
        let names = dicts.filter_map(|dict| dict.get(b"FontName").ok()?.as_name().ok());
        let mut fonts: Vec<String> = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        fonts.iter_mut().for_each(|font| *font = font.split('+').next_back().unwrap().to_owned());
        fonts.sort();
        fonts.dedup();
        fonts
    }

    fn action<'a>(&'a self, link: &'a Dictionary) -> Option<&'a Dictionary> {
        match link.get(b"A").ok()? {
            Object::Reference(id) => self.document.get_dictionary(*id).ok(),
            object => object.as_dict().ok(),
        }
    }

    fn actions(&self, kind: &str) -> Vec<&Dictionary> {
        let dicts = self.document.objects.values().filter_map(|object| object.as_dict().ok());
        let actions = dicts.filter_map(|dict| self.action(dict));
        actions.filter(|action| action.get(b"S").is_ok_and(|name| is_name(name, kind))).collect()
    }
}

fn is_name(object: &Object, name: &str) -> bool {
    object.as_name().is_ok_and(|found| found == name.as_bytes())
}

fn text(dict: &Dictionary, key: &[u8]) -> Option<String> {
    decode_text_string(dict.get(key).ok()?).ok()
}

/// Returns a text without spaces, which typesetting does not keep, and without invisible characters.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{2060}' | '\u{ad}')).collect()
}

/// Returns a page at the top level.
pub fn page(id: &str, title: &str, nodes: Value) -> Value {
    json!({"id": id, "depth": 0, "title": title, "document": document(nodes)})
}

pub fn document(nodes: Value) -> Value {
    json!({"object": "document", "data": {}, "nodes": nodes})
}

pub fn block(kind: &str, data: Value, nodes: Value) -> Value {
    json!({"object": "block", "type": kind, "data": data, "nodes": nodes})
}

pub fn void(kind: &str, data: Value) -> Value {
    json!({"object": "block", "type": kind, "isVoid": true, "data": data})
}

pub fn text_node(words: &str, marks: &[&str]) -> Value {
    let marks: Vec<Value> = marks.iter().map(|mark| json!({"object": "mark", "type": mark})).collect();
    json!({"object": "text", "leaves": [{"object": "leaf", "text": words, "marks": marks}]})
}

pub fn paragraph(words: &str) -> Value {
    json!({"object": "block", "type": "paragraph", "nodes": [text_node(words, &[])]})
}

pub fn heading(rank: u8, words: &str) -> Value {
    block(&format!("heading-{rank}"), json!({}), json!([text_node(words, &[])]))
}

pub fn link(reference: Value, words: &str) -> Value {
    json!({"object": "inline", "type": "link", "data": {"ref": reference}, "nodes": [text_node(words, &[])]})
}
