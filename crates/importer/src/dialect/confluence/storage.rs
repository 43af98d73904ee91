//! Storage format of Confluence, which the API returns and exports leave in some pages: macros, links, pictures and
//! tasks in namespaces of their own (<https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html>).
//!
//! Each element becomes the HTML of an export with the same meaning, because the parser of HTML knows neither its
//! elements nor CDATA sections.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::report;

/// Maximum number of macros of a page in the report, and of characters of each name.
const MACROS_MAX: usize = 20;
const MACRO_NAME_MAX: usize = 60;

/// Maximum number of open elements. Deeper ones are replaced by their content.
const MAX_DEPTH: usize = 64;

/// Maximum bytes of a tag.
const MAX_TAG: usize = 8_000;

/// Macros whose settings and content become blocks and words.
const KNOWN: [&str; 18] = [
    "anchor", "children", "code", "excerpt", "expand", "info", "jira", "noformat", "note", "pagetree",
    "panel", "status", "tip", "toc", "toc-zone", "warning", "details", "section",
];

/// Returns the names of the macros of a page that have no equivalent, each once. Their text is kept.
pub(super) fn macros(text: &str) -> Vec<String> {
    let tags = text.split("<ac:").skip(1).filter_map(|tag| tag.split('>').next());
    let tags = tags.filter(|tag| tag.starts_with("structured-macro") || tag.starts_with("macro"));
    let names = tags.filter_map(|tag| attribute(tag, "ac:name")).filter(|name| !KNOWN.contains(name));
    let names: BTreeSet<&str> = names.collect();
    let named = names.into_iter().take(MACROS_MAX);
    named.map(|name| report::shown(name, MACRO_NAME_MAX).into_owned()).collect()
}

/// Converts the storage format in a page to the HTML of an export.
pub(in crate::dialect) fn without_storage(text: &str) -> Cow<'_, str> {
    if !["<ac:", "<ri:", "<![CDATA["].iter().any(|mark| text.contains(mark)) {
        return Cow::Borrowed(text);
    }
    let mut reader = Reader { open: vec![Open::default()] };
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        reader.push(before);
        rest = if let Some(inside) = from.strip_prefix("<![CDATA[") {
            let (inside, behind) = inside.split_once("]]>").unwrap_or((inside, ""));
            reader.push(&escaped(inside));
            behind
        } else if let Some((tag, behind)) = tag(from) {
            reader.tag(tag);
            behind
        } else {
            reader.push("<");
            from.get(1..).unwrap_or_default()
        };
    }
    reader.push(rest);
    while reader.open.len() > 1 {
        reader.end();
    }
    Cow::Owned(reader.open.pop().map(|open| open.html).unwrap_or_default())
}

/// Returns the inside of a tag of the storage format at the start of a text, and the text after the tag.
fn tag(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('<')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    if !["ac:", "ri:", "time "].iter().any(|begin| name.starts_with(begin)) {
        return None;
    }
    let mut is_quoted = false;
    let end = inside.bytes().take(MAX_TAG).position(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'>' && !is_quoted
    })?;
    Some((inside.get(..end)?, inside.get(end + 1..)?))
}

/// Element whose end is still to come.
#[derive(Default)]
struct Open<'t> {
    /// Name without its namespace.
    name: &'t str,
    /// Text of the tag.
    tag: &'t str,
    /// Settings of a macro, parts of a task, and targets of a link or picture, with their names.
    parts: Vec<(&'t str, String)>,
    /// The content is text, not HTML.
    is_plain: bool,
    html: String,
}

impl Open<'_> {
    fn part(&self, name: &str) -> Option<&str> {
        self.parts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

struct Reader<'t> {
    open: Vec<Open<'t>>,
}

impl<'t> Reader<'t> {
    fn push(&mut self, html: &str) {
        if let Some(open) = self.open.last_mut() {
            open.html.push_str(html);
        }
    }

    fn tag(&mut self, tag: &'t str) {
        let end = tag.strip_prefix('/');
        let is_closed = tag.ends_with('/');
        let text = end.unwrap_or(tag).trim_end_matches('/');
        let name = text.split(char::is_whitespace).next().unwrap_or_default();
        if name == "time" {
            let date = attribute(text, "datetime").filter(|_| is_closed);
            return self.push(date.unwrap_or(&format!("<{tag}>")));
        }
        let name = name.split_once(':').map_or(name, |(_, name)| name);
        let is_container = matches!(
            name,
            "structured-macro"
                | "macro"
                | "parameter"
                | "link"
                | "image"
                | "task"
                | "task-id"
                | "task-status"
                | "adf-attribute"
                | "adf-fallback"
                | "placeholder"
        );
        match name {
            _ if end.is_some() && is_container => self.end_of(name),
            _ if is_container && self.open.len() < MAX_DEPTH => {
                self.open.push(Open { name, tag: text, ..Open::default() });
                if is_closed {
                    self.end();
                }
            }
            "plain-text-body" => {
                if let Some(open) = self.open.last_mut() {
                    open.is_plain = true;
                }
            }
            "task-list" => self.push(if end.is_some() { "</ul>" } else { "<ul class=\"inline-task-list\">" }),
            "layout-section" => {
                self.push(if end.is_some() { "</div>" } else { "<div class=\"columnLayout\">" })
            }
            "layout-cell" => self.push(if end.is_some() { "</div>" } else { "<div class=\"cell\">" }),
            "emoticon" => self.push(emoticon(text)),
            "page" | "blog-post" => self.target("page", attribute(text, "ri:content-title")),
            "attachment" => self.target("file", attribute(text, "ri:filename")),
            "url" => self.target("url", attribute(text, "ri:value")),
            // Bodies, captions and marks of comments are their content.
            _ => {}
        }
    }

    /// Sets the target of the link, picture or setting that is open.
    fn target(&mut self, kind: &'t str, value: Option<&str>) {
        if let (Some(open), Some(value)) = (self.open.last_mut().filter(|open| !open.name.is_empty()), value)
        {
            open.parts.push((kind, value.to_owned()));
        }
    }

    /// Ends the innermost open element with this name.
    fn end_of(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
            while self.open.len() > at {
                self.end();
            }
        }
    }

    /// Ends the innermost open element.
    fn end(&mut self) {
        let Some(mut ended) = self.open.pop() else { return };
        let Some(around) = self.open.last_mut() else { return self.open.push(ended) };
        match ended.name {
            "parameter" => {
                let name = attribute(ended.tag, "ac:name").unwrap_or_default();
                let target = ended.parts.pop().map(|(_, target)| target);
                around.parts.push((name, target.unwrap_or(ended.html)));
            }
            "task-id" | "adf-attribute" | "adf-fallback" | "placeholder" => {}
            "task-status" => around.parts.push(("status", ended.html)),
            "task" => {
                let class = if ended.part("status") == Some("complete") { " class=\"checked\"" } else { "" };
                around.html.push_str(&format!("<li{class}>{}</li>", ended.html.trim()));
            }
            "link" => around.html.push_str(&link(&ended)),
            "image" => around.html.push_str(&image(&ended)),
            _ => around.html.push_str(&macro_html(&ended)),
        }
    }
}

fn macro_html(open: &Open<'_>) -> String {
    let name = attribute(open.tag, "ac:name").unwrap_or_default();
    let body = &open.html;
    let title = open.part("title").filter(|title| !title.trim().is_empty());
    match name {
        "info" | "tip" | "note" | "warning" => {
            let title = title.map(|title| format!("<p class=\"title\">{title}</p>")).unwrap_or_default();
            let class = "confluence-information-macro";
            let kind = if name == "info" { "information" } else { name };
            format!("<div class=\"{class} {class}-{kind}\">{title}<div>{body}</div></div>")
        }
        "panel" => {
            let title =
                title.map(|title| format!("<p class=\"callout-title\">{title}</p>")).unwrap_or_default();
            format!("<div class=\"callout\">{title}<div>{body}</div></div>")
        }
        "expand" => format!(
            "<div class=\"expand-container\"><span class=\"expand-control-text\">{}</span>\
             <div class=\"expand-content\">{body}</div></div>",
            title.unwrap_or("Details")
        ),
        "status" => format!("<span>{}</span>", title.or(open.part("colour")).unwrap_or_default()),
        "jira" => open.part("key").or(open.part("jqlQuery")).unwrap_or_default().to_owned(),
        "anchor" => {
            let id = open.part("").filter(|id| !id.contains(['"', '<']));
            id.map(|id| format!("<a id=\"{id}\"></a>")).unwrap_or_default()
        }
        _ if open.is_plain => listing(open, name, title),
        // Macros that include a page, or show a file, name it.
        _ if body.trim().is_empty() => {
            let named = ["", "name", "page", "file", "url"].iter().find_map(|name| open.part(name));
            named.filter(|_| !matches!(name, "toc" | "children" | "pagetree")).unwrap_or_default().to_owned()
        }
        _ => body.clone(),
    }
}

/// Returns the listing of a macro with text, whose title is above it.
fn listing(open: &Open<'_>, name: &str, title: Option<&str>) -> String {
    let language = match name {
        "noformat" => None,
        "code" => open.part("language").or(open.part("")),
        name => Some(name),
    };
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || "+#-_".contains(c));
    let class =
        language.filter(is_name).map(|name| format!(" class=\"language-{name}\"")).unwrap_or_default();
    let title = title.map(|title| format!("<div class=\"codeHeader\">{title}</div>")).unwrap_or_default();
    format!("<div class=\"code panel\">{title}<pre><code{class}>{}</code></pre></div>", open.html)
}

fn link(open: &Open<'_>) -> String {
    let anchor = attribute(open.tag, "ac:anchor").map(|anchor| format!("#{anchor}")).unwrap_or_default();
    let page = open.part("page");
    let (address, name) = match (page, open.part("url")) {
        (Some(title), _) => (format!("/display/-/{}", title.replace(' ', "+")), title),
        (None, Some(url)) => (url.to_owned(), url),
        (None, None) => (String::new(), open.part("file").unwrap_or_default()),
    };
    let words = if open.html.trim().is_empty() { name } else { open.html.trim() };
    match format!("{address}{anchor}") {
        address if address.is_empty() => words.to_owned(),
        address => format!("<a href=\"{address}\">{words}</a>"),
    }
}

fn image(open: &Open<'_>) -> String {
    // The rest is a caption.
    let caption = open.html.trim();
    let picture = match (open.part("url"), open.part("file")) {
        (Some(address), _) => {
            let alt = attribute(open.tag, "ac:alt").unwrap_or_default();
            format!("<img src=\"{address}\" alt=\"{alt}\">")
        }
        (None, Some(name)) => format!("<em>{name}</em>"),
        (None, None) => String::new(),
    };
    if caption.is_empty() { picture } else { format!("{picture} {caption}") }
}

/// Returns the characters of an emoticon, or its name between colons.
fn emoticon(tag: &str) -> &str {
    let fallback = attribute(tag, "ac:emoji-fallback");
    fallback
        .or_else(|| attribute(tag, "ac:emoji-shortname"))
        .or_else(|| attribute(tag, "ac:name"))
        .unwrap_or_default()
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_become_the_html_of_exports() {
        let of = |name: &str, inside: &str| {
            without_storage(&format!("<ac:structured-macro ac:name=\"{name}\" ac:schema-version=\"1\">{inside}</ac:structured-macro>"))
                .into_owned()
        };
        let titled = "<ac:parameter ac:name=\"title\">A &amp; b</ac:parameter>";
        let rich = "<ac:rich-text-body><p>c</p></ac:rich-text-body>";
        assert_eq!(
            of("info", &format!("{titled}{rich}")),
            "<div class=\"confluence-information-macro confluence-information-macro-information\"><p class=\"title\">A &amp; b</p><div><p>c</p></div></div>"
        );
        assert_eq!(of("panel", rich), "<div class=\"callout\"><div><p>c</p></div></div>");
        assert!(
            of("expand", &format!("{titled}{rich}"))
                .contains("<span class=\"expand-control-text\">A &amp; b</span>")
        );
        let status = "<ac:parameter ac:name=\"colour\">Green</ac:parameter><ac:parameter ac:name=\"title\">Done</ac:parameter>";
        assert_eq!(of("status", status), "<span>Done</span>");
        assert_eq!(of("toc", "<ac:parameter ac:name=\"maxLevel\">2</ac:parameter>"), "");
        assert_eq!(of("jira", "<ac:parameter ac:name=\"key\">AB-1</ac:parameter>"), "AB-1");
        let code = "<ac:parameter ac:name=\"language\">java</ac:parameter><ac:plain-text-body><![CDATA[a < b]]></ac:plain-text-body>";
        assert_eq!(
            of("code", &format!("{titled}{code}")),
            "<div class=\"code panel\"><div class=\"codeHeader\">A &amp; b</div><pre><code class=\"language-java\">a &lt; b</code></pre></div>"
        );
        assert_eq!(of("excerpt", &of("unknown", rich)), "<p>c</p>");
        assert_eq!(
            macros("<ac:structured-macro ac:name=\"toc\"/><ac:structured-macro ac:name=\"gallery\"/>"),
            ["gallery"]
        );
    }

    #[test]
    fn links_tasks_layouts_and_dates_are_read() {
        for (text, expected) in [
            (
                "<ac:task-list><ac:task><ac:task-id>7</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body><span>a</span></ac:task-body></ac:task></ac:task-list>",
                "<ul class=\"inline-task-list\"><li class=\"checked\"><span>a</span></li></ul>",
            ),
            (
                "<ac:layout><ac:layout-section ac:type=\"two_equal\"><ac:layout-cell>a</ac:layout-cell></ac:layout-section></ac:layout>",
                "<div class=\"columnLayout\"><div class=\"cell\">a</div></div>",
            ),
            (
                "<ac:link ac:anchor=\"b\"><ac:link-body><b>a</b></ac:link-body></ac:link>",
                "<a href=\"#b\"><b>a</b></a>",
            ),
            ("<ac:link><ri:user ri:account-id=\"1\" /></ac:link>x", "x"),
            (
                "<ac:image ac:alt=\"a\"><ri:url ri:value=\"b.png\" /></ac:image>",
                "<img src=\"b.png\" alt=\"a\">",
            ),
            ("<p>Due <time datetime=\"2026-11-30\" />.</p><ac:x>", "<p>Due 2026-11-30.</p>"),
            ("<ac:emoticon ac:name=\"tick\" ac:emoji-fallback=\"✅\" />", "✅"),
            (
                "<ac:structured-macro ac:name=\"info\"><p>a",
                "<div class=\"confluence-information-macro confluence-information-macro-information\"><div><p>a</div></div>",
            ),
            ("</ac:link><ac:link", "<ac:link"),
        ] {
            assert_eq!(without_storage(text), expected, "{text}");
        }
    }
}
