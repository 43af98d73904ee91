//! Environment of the typesetter: the template, the data, the images of the book and the fonts. It has no other access
//! to the machine.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::Value;
use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Dict, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook, FontInfo};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World};
use typst_kit::fonts::FontStore;

use crate::images::Images;

const TEMPLATE: &str = include_str!("template.typ");
/// Path of the images in the template.
const IMAGES: &str = "images/";

/// Environment of one book.
pub struct BookWorld {
    library: LazyHash<Library>,
    fonts: FontStore,
    template: Source,
    images: Images,
}

impl BookWorld {
    /// Returns the environment for the data of a book. Font folders are read only if a character needs them.
    pub fn new(mut data: Value, images: Images, folders: &[PathBuf]) -> anyhow::Result<Self> {
        let fonts = fonts(&data, folders);
        choose_emoji(&mut data, fonts.book(), &mut HashMap::new());
        let inputs: Dict = serde_json::from_value(data).context("the data can't be passed on")?;
        let path = VirtualPath::new("/template.typ").map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let main = FileId::new(RootedPath::new(VirtualRoot::Project, path));
        Ok(Self {
            library: LazyHash::new(Library::builder().with_inputs(inputs).build()),
            fonts,
            template: Source::new(main, TEMPLATE.to_owned()),
            images,
        })
    }
}

/// Returns the built-in fonts, and the fonts of as many folders as needed to cover all characters of the data.
/// Characters without a font are shown as a box.
fn fonts(data: &Value, folders: &[PathBuf]) -> FontStore {
    let mut store = FontStore::new();
    store.extend(typst_assets::fonts().flat_map(|bytes| {
        Font::iter(Bytes::new(bytes)).map(|font| {
            let info = font.info().clone();
            (font, info)
        })
    }));
    let mut missing = HashSet::new();
    characters(data, &mut missing);
    let mut known = 0;
    for folder in folders {
        retain_missing(&mut missing, store.book(), &mut known);
        if missing.is_empty() {
            break;
        }
        store.extend(typst_kit::fonts::scan(folder));
    }
    store
}

/// Removes the characters that the fonts from index `known` on cover.
fn retain_missing(missing: &mut HashSet<char>, book: &FontBook, known: &mut usize) {
    while let Some(info) = book.info(*known) {
        missing.retain(|c| !info.coverage.contains(u32::from(*c)));
        *known = known.saturating_add(1);
    }
}

/// Rendering of an emoji in a book.
#[derive(Clone)]
enum Shown {
    /// In the font of this family, which has all its characters.
    Font(String),
    /// By its name, because no font has all its characters.
    Name(&'static str),
    /// As ordinary text.
    Text,
}

/// Sets the rendering of each emoji. One font must have all characters of a joined sequence, so that it is drawn as one
/// picture.
fn choose_emoji(data: &mut Value, book: &FontBook, known: &mut HashMap<String, Shown>) {
    match data {
        Value::Array(values) => values.iter_mut().for_each(|value| choose_emoji(value, book, known)),
        Value::Object(run) => {
            run.values_mut().for_each(|value| choose_emoji(value, book, known));
            let text =
                run.get("s").and_then(Value::as_str).filter(|_| run.get("emoji") == Some(&true.into()));
            let Some(text) = text.map(str::to_owned) else { return };
            match known.entry(text).or_insert_with_key(|text| shown(text, book)) {
                Shown::Font(family) => drop(run.insert("font".to_owned(), family.as_str().into())),
                Shown::Name(name) => drop(run.insert("s".to_owned(), format!(":{name}:").into())),
                Shown::Text => {}
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn shown(emoji: &str, book: &FontBook) -> Shown {
    let visible = || emoji.chars().filter(|c| !is_mark(*c));
    let has = |info: &FontInfo, c: char| info.coverage.contains(u32::from(c));
    let infos = || (0..).map_while(|index| book.info(index));
    let fitting = || infos().filter(|info| visible().all(|c| has(info, c)));
    let made_for_it = fitting().find(|info| info.family.to_lowercase().contains("emoji"));
    match made_for_it.or_else(|| fitting().next()) {
        Some(info) => Shown::Font(info.family.clone()),
        None if visible().all(|c| infos().any(|info| has(info, c))) => Shown::Text,
        None => quire_markup::emoji_name(emoji).map_or(Shown::Text, Shown::Name),
    }
}

/// Collects the visible characters of all texts.
fn characters(data: &Value, found: &mut HashSet<char>) {
    match data {
        Value::String(text) => found.extend(text.chars().filter(|c| !c.is_control() && !is_mark(*c))),
        Value::Array(values) => values.iter().for_each(|value| characters(value, found)),
        Value::Object(map) => map.values().for_each(|value| characters(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns whether a character is an invisible control: a joiner, a direction mark or a variation selector.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

impl World for BookWorld {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.book()
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() { Ok(self.template.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let name = id.get().vpath().get_without_slash().strip_prefix(IMAGES);
        name.and_then(|name| self.images.get(name)).cloned().ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.font(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
