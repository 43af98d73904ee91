//! Values that a page is made of. All addresses are as a browser asks for them, and already checked.

use super::words::PageWords;
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

/// Addresses of style sheets, scripts and a font.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asset {
    /// Style sheets, in their order.
    pub styles: Vec<String>,
    /// Font file that the style sheets need, which is loaded together with them.
    pub font: Option<String>,
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

/// An account of the site's owner on a social platform.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Name of the platform, and the address of the account.
    pub link: Link,
    /// Name of the platform's icon.
    pub icon: &'static str,
    /// The header shows it.
    pub in_header: bool,
    /// The footer shows it.
    pub in_footer: bool,
}

/// The state that pages show instead of the published one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// The state in words.
    pub message: String,
    /// Address of the published page.
    pub published: Option<String>,
}

/// The parts of all pages of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Site {
    /// Its title.
    pub title: String,
    /// The address of its first page.
    pub home: String,
    /// The words of the frame.
    pub words: PageWords,
    /// The target of the title or logo, if it is not the first page.
    pub brand: Option<String>,
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
    /// Picture of the footer.
    pub footer_logo: Option<Logo>,
    /// Words of the footer.
    pub copyright: Option<String>,
    /// Accounts of its owner on social platforms.
    pub accounts: Vec<Account>,
    /// Address of the privacy policy.
    pub privacy: Option<String>,
    /// The footer names the service.
    pub has_trademark: bool,
    /// Links to other sites open in a new tab.
    pub opens_tabs: bool,
    /// Address that ends the session of a visitor with a token.
    pub sign_out: Option<String>,
    /// The state that the page shows instead of the published one.
    pub preview: Option<Preview>,
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
    /// It has pages below it that are not written.
    pub has_more: bool,
}

/// Entry of the menu of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A link: its words and address.
    Open(String, String),
    /// A button that copies what an address answers. It is shown by the script.
    CopyAnswer(String, String),
    /// A button that copies a text. It is shown by the script.
    CopyText(String, String),
    /// A button that prints the page. It is shown by the script.
    Print(String),
}

/// A page above the one that is shown.
pub type Crumb = Link;

/// Picture for previews of links to a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SocialImage {
    /// Its URL.
    pub url: String,
    /// Its width and height in pixels, if they are known.
    pub size: Option<(u32, u32)>,
}

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
    /// Picture for previews of links to it.
    pub image: Option<SocialImage>,
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
    /// Entries of the menu of the page, in their order.
    pub actions: Vec<Action>,
    /// The same page in other languages: the tag of each, and its URL.
    pub alternates: Vec<(String, String)>,
    /// Time of the last change (RFC 3339), and its words.
    pub updated: Option<(String, String)>,
    /// Address of the feed of its updates.
    pub feed: Option<String>,
    /// Structured data about it (JSON-LD).
    pub structured: Option<String>,
}
