//! Call-outs, expandables and tabs in our own Markdown.

use crate::html::callout;

/// Returns the hint style for a kind of call-out; `None` for unknown kinds.
pub(super) fn style(kind: &str) -> Option<&'static str> {
    match kind.to_ascii_lowercase().as_str() {
        "tldr" | "help" | "faq" | "cite" | "admonition" | "topic" | "sidebar" | "versionadded"
        | "versionchanged" => Some("info"),
        "deprecated" | "versionremoved" => Some("warning"),
        "missing" => Some("danger"),
        kind => callout::style(kind, false),
    }
}

/// Returns a hint around a text. A title that only repeats the kind is dropped, because the style shows it.
pub(super) fn hint(style: &str, title: &str, content: &str) -> String {
    let mut out = hint_begin(style, title);
    out.push_str(content.trim_matches('\n'));
    out.push_str("\n{% endhint %}\n");
    out
}

/// The beginning of a call-out, which `{% endhint %}` ends.
pub(super) fn hint_begin(style: &str, title: &str) -> String {
    let title = title.trim();
    let title = if callout::is_kind(title) { String::new() } else { format!("**{title}**\n\n") };
    format!("{{% hint style=\"{style}\" %}}\n{title}")
}

/// An expandable around a text.
pub(super) fn details(title: &str, is_open: bool, content: &str) -> String {
    format!("{}{}\n\n</details>\n", details_begin(title, is_open), content.trim_matches('\n'))
}

/// The beginning of an expandable, which `</details>` ends.
pub(super) fn details_begin(title: &str, is_open: bool) -> String {
    let open = if is_open { " open" } else { "" };
    format!("<details{open}>\n\n<summary>{}</summary>\n\n", title.trim())
}

/// A tab around a text.
pub(super) fn tab(title: &str, content: &str) -> String {
    format!("{}{}\n{{% endtab %}}\n", tab_begin(title), content.trim_matches('\n'))
}

/// The beginning of a tab, which `{% endtab %}` ends.
pub(super) fn tab_begin(title: &str) -> String {
    format!("{{% tab title=\"{}\" %}}\n", value(title))
}

/// A value of a block tag.
pub(super) fn value(text: &str) -> String {
    text.trim().replace('\\', "\\\\").replace('"', "\\\"")
}

/// A text without the quotes around it.
pub(super) fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}
