//! Data of a page. All addresses are checked and in the form that browsers request.

use super::cover::Cover;
use super::words::PageWords;
use quire_render::{Rendered, Symbol};

/// Link with its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// Text.
    pub title: String,
    /// Address.
    pub href: String,
}

/// Logo of a site in both themes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Logo {
    /// Address of the picture for the light theme.
    pub light: String,
    /// Address of the picture for the dark theme, if it differs.
    pub dark: Option<String>,
}

/// Announcement above all pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announcement {
    /// Style: `info`, `warning`, `danger` or `success`.
    pub style: String,
    /// Text.
    pub message: String,
    /// Link after the text.
    pub link: Option<Link>,
}

/// Section of a site, or group of sections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Title and address.
    pub link: Link,
    /// Name of the icon.
    pub icon: Option<String>,
    /// Description, shown in menus.
    pub description: Option<String>,
    /// True if the page is in this section.
    pub is_current: bool,
    /// Sections of a group, shown as a menu.
    pub sections: Vec<Section>,
}

/// Variant of a section: a version or a language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variant {
    /// Title of the variant, and address of the corresponding page in it.
    pub link: Link,
    /// Language as a BCP 47 tag.
    pub language: Option<String>,
    /// True if the page is in this variant.
    pub is_current: bool,
}

/// Column of links in the footer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FooterGroup {
    /// Title of the column.
    pub title: String,
    /// Links of the column.
    pub links: Vec<Link>,
}

/// Addresses of style sheets, scripts and a font.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asset {
    /// Style sheets in loading order.
    pub styles: Vec<String>,
    /// Font file that the style sheets need, which is preloaded.
    pub font: Option<String>,
    /// Script that applies the visitor's theme before the first paint.
    pub theme: Option<String>,
    /// Scripts, loaded as modules.
    pub scripts: Vec<String>,
}

/// Link in the header, or menu of links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderLink {
    /// Title and address; the address of a menu may be empty.
    pub link: Link,
    /// Style: `button-primary`, `button-secondary`, or `None` for a plain link.
    pub style: Option<&'static str>,
    /// Links of the menu. Empty for a plain link.
    pub links: Vec<Link>,
}

/// Account of the site's owner on a social platform.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Name of the platform, and the address of the account.
    pub link: Link,
    /// Name of the platform's icon.
    pub icon: &'static str,
    /// True if the header shows the account.
    pub in_header: bool,
    /// True if the footer shows the account.
    pub in_footer: bool,
}

/// Preview that pages show instead of the published state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Description of the previewed state.
    pub message: String,
    /// URL of the previewed change request in the workspace.
    pub change_request: Option<String>,
    /// Address of the published page.
    pub published: Option<String>,
}

/// Data that all pages of a site share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Site {
    /// Title.
    pub title: String,
    /// Address of the first page.
    pub home: String,
    /// Texts of the frame.
    pub words: PageWords,
    /// Target of the title or logo, if it is not the first page.
    pub brand: Option<String>,
    /// Logo, shown instead of the title.
    pub logo: Option<Logo>,
    /// Address of the favicon.
    pub favicon: Option<String>,
    /// Language of the pages as a BCP 47 tag.
    pub language: String,
    /// True if pages are read from right to left.
    pub is_right_to_left: bool,
    /// Theme: `light`, `dark`, or `None` for the setting of the system.
    pub theme: Option<String>,
    /// True if visitors can choose another theme.
    pub can_choose_theme: bool,
    /// Links in the header.
    pub links: Vec<HeaderLink>,
    /// Address of the search.
    pub search: String,
    /// Sections. Empty for a site with a single section.
    pub sections: Vec<Section>,
    /// Variants of the section. Empty if there is only one.
    pub variants: Vec<Variant>,
    /// Announcement above all pages.
    pub announcement: Option<Announcement>,
    /// Columns of links in the footer.
    pub footer: Vec<FooterGroup>,
    /// Logo in the footer.
    pub footer_logo: Option<Logo>,
    /// Text in the footer.
    pub copyright: Option<String>,
    /// Accounts of the site's owner on social platforms.
    pub accounts: Vec<Account>,
    /// Address of the privacy policy.
    pub privacy: Option<String>,
    /// True if the footer names the service.
    pub has_trademark: bool,
    /// True if links to other sites open in a new tab.
    pub opens_tabs: bool,
    /// Address that ends the session of a visitor with a token.
    pub sign_out: Option<String>,
    /// Preview that the page shows instead of the published state.
    pub preview: Option<Preview>,
    /// Styles and scripts.
    pub assets: Asset,
}

/// Kinds of nodes in the tree of pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NodeKind {
    /// Page.
    #[default]
    Page,
    /// Heading of a group of pages.
    Group,
    /// Link to another address.
    Link,
}

/// Node in the tree of pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Kind of the node.
    pub kind: NodeKind,
    /// Title and address.
    pub link: Link,
    /// Emoji before the title, as hexadecimal code points.
    pub emoji: Option<String>,
    /// Name of the icon before the title.
    pub icon: Option<String>,
    /// True for the page itself.
    pub is_current: bool,
    /// True for ancestors of the page.
    pub is_open: bool,
    /// Child nodes.
    pub children: Vec<Node>,
    /// True if the node has pages below it that the tree omits.
    pub has_more: bool,
}

/// Entry in the menu of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Link: text and address.
    Open(String, String),
    /// Button that copies the response of an address. The script makes it visible.
    CopyAnswer(String, String),
    /// Button that copies a text. The script makes it visible.
    CopyText(String, String),
    /// Button that prints the page. The script makes it visible.
    Print(String),
}

/// Ancestor of the page.
pub type Crumb = Link;

/// Picture for link previews.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SocialImage {
    /// Its URL.
    pub url: String,
    /// Width and height in pixels, if known.
    pub size: Option<(u32, u32)>,
}

/// Page to write.
pub struct View<'a> {
    /// Title.
    pub title: String,
    /// True to show the title.
    pub shows_title: bool,
    /// True if the text is as wide as the window.
    pub is_wide: bool,
    /// Description, shown below the title.
    pub description: Option<String>,
    /// Description for search engines and link previews.
    pub about: Option<String>,
    /// Emoji, as hexadecimal code points.
    pub emoji: Option<String>,
    /// Name of the icon.
    pub icon: Option<String>,
    /// Cover picture.
    pub cover: Option<Cover>,
    /// Picture for link previews.
    pub image: Option<SocialImage>,
    /// Canonical address.
    pub canonical: Option<String>,
    /// True if search engines may list the page.
    pub is_indexed: bool,
    /// Rendered document.
    pub document: &'a Rendered,
    /// Lookup of icon shapes.
    pub shape: &'a dyn Fn(&str) -> Option<Symbol<'static>>,
    /// Tree of pages.
    pub tree: Vec<Node>,
    /// Ancestors of the page, outermost first.
    pub crumbs: Vec<Crumb>,
    /// Previous page.
    pub previous: Option<Link>,
    /// Next page.
    pub next: Option<Link>,
    /// Address of the page as Markdown.
    pub markdown: Option<String>,
    /// Entries in the menu of the page, in order.
    pub actions: Vec<Action>,
    /// BCP 47 tag and URL of the page in other languages.
    pub alternates: Vec<(String, String)>,
    /// Time of the last change: RFC 3339 and formatted.
    pub updated: Option<(String, String)>,
    /// Address of the page's feed of updates.
    pub feed: Option<String>,
    /// Structured data about the page (JSON-LD).
    pub structured: Option<String>,
}
