//! Values that a page is made of. All addresses are as a browser asks for them, and already checked.

use quire_render::{Rendered, Symbol};

/// A link with its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// The words.
    pub title: String,
    /// The address.
    pub href: String,
}

/// The picture of a site, in both themes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Logo {
    /// Address of the picture on light ground.
    pub light: String,
    /// Address of the picture on dark ground, if it is another.
    pub dark: Option<String>,
}

/// A line above all pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announcement {
    /// Its style: `info`, `warning`, `danger` or `success`.
    pub style: String,
    /// The words.
    pub message: String,
    /// A link behind them.
    pub link: Option<Link>,
}

/// A section of a site, or a group of sections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Title and address.
    pub link: Link,
    /// Name of its icon.
    pub icon: Option<String>,
    /// The visitor is in it.
    pub is_current: bool,
    /// Sections of a group, which opens as a menu.
    pub sections: Vec<Section>,
}

/// A variant of a section: a version or a language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variant {
    /// Title and address of the same page in the variant.
    pub link: Link,
    /// Its language, by the tag of BCP 47.
    pub language: Option<String>,
    /// The visitor reads it.
    pub is_current: bool,
}

/// Links of a column of the footer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FooterGroup {
    /// The title of the column.
    pub title: String,
    /// Its links.
    pub links: Vec<Link>,
}

/// Addresses of style sheets and scripts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asset {
    /// Style sheets, in their order.
    pub styles: Vec<String>,
    /// Script that sets the theme of the visitor before the first paint.
    pub theme: Option<String>,
    /// Scripts, which are modules.
    pub scripts: Vec<String>,
}

/// A link of the header, or a menu of links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderLink {
    /// Title and address; the address of a menu may be empty.
    pub link: Link,
    /// Style: `button-primary`, `button-secondary`, or `None` for a plain link.
    pub style: Option<&'static str>,
    /// Links of the menu; none for a link.
    pub links: Vec<Link>,
}

/// The parts of all pages of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Site {
    /// Its title.
    pub title: String,
    /// The address of its first page.
    pub home: String,
    /// Its picture instead of the title.
    pub logo: Option<Logo>,
    /// The address of the icon in the browser's tab.
    pub favicon: Option<String>,
    /// The language of the pages, by the tag of BCP 47.
    pub language: String,
    /// Pages are read from right to left.
    pub is_right_to_left: bool,
    /// The theme: `light`, `dark`, or `None` for that of the system.
    pub theme: Option<String>,
    /// Visitors can choose another theme.
    pub can_choose_theme: bool,
    /// Links of the header.
    pub links: Vec<HeaderLink>,
    /// Address of the search.
    pub search: String,
    /// Sections; none for a site of one.
    pub sections: Vec<Section>,
    /// Variants of the section; none for a section of one.
    pub variants: Vec<Variant>,
    /// A line above all pages.
    pub announcement: Option<Announcement>,
    /// Columns of links in the footer.
    pub footer: Vec<FooterGroup>,
    /// Words of the footer.
    pub copyright: Option<String>,
    /// Styles and scripts.
    pub assets: Asset,
}

/// Kinds of nodes of a tree of pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NodeKind {
    /// A page.
    #[default]
    Page,
    /// A heading over pages.
    Group,
    /// A link to elsewhere.
    Link,
}

/// A node of the tree of pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Kind of the node.
    pub kind: NodeKind,
    /// Title and address.
    pub link: Link,
    /// Emoji before the title, by its code points in hexadecimal.
    pub emoji: Option<String>,
    /// Name of the icon before the title.
    pub icon: Option<String>,
    /// It is the page that is shown.
    pub is_current: bool,
    /// The page that is shown is below it.
    pub is_open: bool,
    /// Nodes below it.
    pub children: Vec<Node>,
}

/// A page above the one that is shown.
pub type Crumb = Link;

/// The page that is shown.
pub struct View<'a> {
    /// Its title.
    pub title: String,
    /// A sentence about it, which is shown below the title.
    pub description: Option<String>,
    /// A sentence about it for search engines and previews.
    pub about: Option<String>,
    /// Its emoji, by the code points in hexadecimal.
    pub emoji: Option<String>,
    /// Name of its icon.
    pub icon: Option<String>,
    /// Address of the picture above it.
    pub cover: Option<String>,
    /// URL of a picture for previews of links to it.
    pub image: Option<String>,
    /// Its canonical address.
    pub canonical: Option<String>,
    /// Search engines may list it.
    pub is_indexed: bool,
    /// Its document.
    pub document: &'a Rendered,
    /// Shapes of the icons of the site.
    pub shape: &'a dyn Fn(&str) -> Option<Symbol<'static>>,
    /// The tree of pages.
    pub tree: Vec<Node>,
    /// The pages above it.
    pub crumbs: Vec<Crumb>,
    /// The page before it.
    pub previous: Option<Link>,
    /// The page after it.
    pub next: Option<Link>,
    /// Address of the page as Markdown.
    pub markdown: Option<String>,
    /// Address of the page as PDF.
    pub pdf: Option<String>,
    /// Address at which a member edits it.
    pub edit: Option<String>,
    /// Time of the last change (RFC 3339), and its words.
    pub updated: Option<(String, String)>,
    /// Address of the feed of its updates.
    pub feed: Option<String>,
    /// Structured data about it (JSON-LD).
    pub structured: Option<String>,
}
