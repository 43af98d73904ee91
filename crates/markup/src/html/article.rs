//! Detection of the main content of a page.

use super::dom::{Dom, Element, Id};

/// Elements that generators and products only use for the content of a page. They are accepted with any amount of text.
const CERTAIN: [fn(&Element) -> bool; 6] = [
    |e| e.get("itemprop") == Some("articleBody"),
    |e| {
        e.has_class(&[
            "theme-doc-markdown",
            "md-content__inner",
            "vp-doc",
            "sl-markdown-content",
            "rst-content",
        ])
    },
    |e| e.get("id") == Some("main-content") && e.has_class(&["wiki-content"]),
    |e| e.has_class(&["markdown-body", "markdown-section", "nextra-content"]),
    |e| e.name() == "article" && e.has_class(&["page", "doc"]),
    |e| e.has_class(&["document"]) && e.name() == "div",
];

/// Elements that often contain the content of a page, the most reliable first.
const LIKELY: [fn(&Element) -> bool; 5] = [
    |e| e.name() == "main" || e.get("role") == Some("main"),
    |e| e.name() == "article",
    |e| matches!(e.get("id"), Some("content" | "main" | "main-content" | "bodyContent")),
    |e| e.has_class(&["content", "main-content", "post-content", "entry-content"]),
    |e| e.name() == "body",
];

/// Returns the element that contains the article; the document if there is no such element.
pub(super) fn root(dom: &Dom) -> Id {
    let certain: Vec<Id> = CERTAIN.iter().filter_map(|is_root| only(dom, is_root)).collect();
    let with_content = certain.iter().copied().find(|id| has_content(dom, *id));
    if let Some(article) = with_content.or_else(|| certain.first().copied()) {
        return article;
    }
    let likely = LIKELY.iter().filter_map(|is_root| only(dom, is_root));
    likely.into_iter().find(|id| has_content(dom, *id)).unwrap_or(Dom::ROOT)
}

/// Returns the first element of a kind; `None` if there are several that are not nested, such as in a list of articles.
fn only(dom: &Dom, is_root: &fn(&Element) -> bool) -> Option<Id> {
    let mut found = dom.descendants(Dom::ROOT).filter(|id| dom.element(*id).is_some_and(is_root));
    let first = found.next()?;
    let is_article = dom.element(first).is_some_and(|element| element.name() == "article");
    let is_list = is_article && found.any(|other| !dom.is_below(other, first));
    (!is_list).then_some(first)
}

/// Returns whether an element has more text than a label. Any text suffices for `main` and `article`.
fn has_content(dom: &Dom, id: Id) -> bool {
    let by_name = dom.element(id).is_some_and(|element| matches!(element.name(), "main" | "article"));
    let least = if by_name { 1 } else { 20 };
    // A Chinese sentence has few characters.
    let weight = |c: char| if c.is_ascii() { 1 } else { 4 };
    dom.text(id).chars().filter(|c| c.is_alphanumeric()).map(weight).sum::<usize>() >= least
        || dom.find(id, |element| matches!(element.name(), "img" | "video" | "iframe")).is_some()
}

/// Returns the first top-rank heading of the page: some sites put the title outside the article.
pub(super) fn first_title(dom: &Dom) -> Option<String> {
    let heading = dom.find(Dom::ROOT, |element| element.name() == "h1")?;
    // Links from a heading to itself are marks such as `¶`.
    let is_mark = |id: &usize| {
        let link = dom.element(*id).filter(|element| element.name() == "a");
        link.and_then(|link| link.get("href")).is_some_and(|href| href.contains('#'))
            && !dom.text(*id).chars().any(char::is_alphanumeric)
    };
    let mut text = dom.text(heading);
    for mark in dom.descendants(heading).filter(is_mark) {
        let mark = dom.text(mark);
        text = text.trim_end().trim_end_matches(mark.trim()).to_owned();
    }
    Some(crate::lines::single_spaced(&text)).filter(|title| !title.is_empty())
}

/// Returns whether an element is not shown.
pub(super) fn is_hidden(element: &Element) -> bool {
    if element.get("role") == Some("tabpanel") {
        return false;
    }
    let by_style = || {
        let style = element.get("style").unwrap_or_default();
        style.len() < 2_000 && style.to_ascii_lowercase().replace(' ', "").contains("display:none")
    };
    element.get("hidden").is_some_and(|value| value != "until-found")
        || element.has_class(&["sr-only", "visually-hidden", "screen-reader-text", "visuallyhidden"])
        || is_marker(element)
        || (element.has("style") && by_style() && !element.has_class_prefix("tab"))
}

/// Returns whether an element is part of the site, not of the article.
pub(super) fn is_boilerplate(element: &Element) -> bool {
    const ROLES: [&str; 6] = ["navigation", "banner", "contentinfo", "search", "complementary", "menu"];
    const CLASSES: [&str; 39] = [
        "breadcrumb",
        "breadcrumbs",
        "theme-doc-breadcrumbs",
        "theme-doc-footer",
        "theme-doc-toc-mobile",
        "theme-doc-toc-desktop",
        "theme-doc-version-badge",
        "pagination-nav",
        "pagination",
        "prev-next-footer",
        "prev-next-area",
        "page-nav",
        "nav-wrapper",
        "nav-chapters",
        "related",
        "sphinxsidebar",
        "sidebar",
        "toc",
        "toc-drawer",
        "on-this-page",
        "table-of-contents",
        "md-sidebar",
        "md-source-file",
        "md-content__button",
        "md-feedback",
        "md-tags",
        "edit-this-page",
        "edit-link",
        "edit-page-link",
        "share-buttons",
        "social-share",
        "cookie-banner",
        "skip-link",
        "VPDocFooter",
        "page-metadata",
        "gh-header-meta",
        "rst-footer-buttons",
        "article__footer",
        "wy-breadcrumbs",
    ];
    let id_is_site = matches!(
        element.get("id"),
        Some(
            "breadcrumb-section"
                | "breadcrumbs"
                | "footer"
                | "sidebar"
                | "toc"
                | "table-of-contents"
                | "navbar"
        )
    );
    // An aside in an article may be a note, which has a role or class for notes.
    let is_note = element.has_class_prefix("starlight-aside") || element.has_class_prefix("admonition");
    matches!(element.name(), "nav" | "footer" | "form")
        || id_is_site
        || element.get("role").is_some_and(|role| ROLES.contains(&role) && !is_note)
        || element.has_class(&CLASSES)
}

/// Returns whether an element links to the adjacent pages of a DocBook page, also in exported files.
pub(super) fn is_docbook_navigation(element: &Element) -> bool {
    element.has_class(&["navheader", "navfooter", "docnav"])
}

/// Returns whether an element is the bullet text that Word writes for other programs to ignore.
pub(super) fn is_marker(element: &Element) -> bool {
    element.get("style").is_some_and(|style| style.contains("mso-list:") && style.contains("Ignore"))
}
