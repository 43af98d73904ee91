//! Attribute lists after headings, links and blocks: `{: .class #id }`, `{ .button }`, `{target=_blank}`.

use super::inline::replace_between;
use crate::markdown_html::escape;

/// Removes the attribute lists from a piece of a line. A heading keeps its id, in the form `{#id}`; the id of other
/// text becomes an anchor: `[](){#id}`.
pub(super) fn without(text: &str, is_heading: bool) -> String {
    let text = replace_between(text, "{", "}", |inside| {
        let list = inside.strip_prefix(':').unwrap_or(inside);
        let words = words(list);
        let is_list =
            !words.is_empty() && (list.len() < inside.len() || words.iter().all(|word| is_strict(word)));
        if !is_list || !words.iter().all(|word| is_attribute(word)) {
            return None;
        }
        let id = words.iter().find_map(|word| {
            let stated = word.strip_prefix("id=").map(|id| id.trim_matches(['"', '\'']));
            word.strip_prefix('#').or(stated)
        });
        Some(match id {
            Some(id) if is_heading => format!("{{#{id}}}"),
            Some(id) => format!("<a id=\"{}\"></a>", escape(id)),
            None => String::new(),
        })
    });
    if is_heading { text } else { text.replace("[]()<a id=", "<a id=") }
}

/// Splits a list at white space outside of quotes.
fn words(list: &str) -> Vec<&str> {
    let mut quote = None;
    let ends = |c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c.is_whitespace()
    };
    list.split(ends).filter(|word| !word.is_empty()).collect()
}

/// Returns whether a word is an attribute even on its own. A bare word could be prose.
fn is_strict(word: &str) -> bool {
    let begins = word.strip_prefix(['.', '#']).is_some_and(is_name);
    begins || word.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.is_empty())
}

fn is_attribute(word: &str) -> bool {
    is_strict(word) || is_name(word) || word.ends_with(['"', '\''])
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '-') && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn lists_of_attributes_go_and_other_braces_stay() {
        for (text, expected) in [
            ("[a](b){ .md-button }", "[a](b)"),
            ("![a](b){: style=\"width:80%\" loading=lazy }", "![a](b)"),
            ("{: .class}", ""),
            ("use {name} and {{ value }}", "use {name} and {{ value }}"),
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("{ .annotate", "{ .annotate"),
            ("[](){#id} a", "<a id=\"id\"></a> a"),
            ("{#id}", "<a id=\"id\"></a>"),
        ] {
            assert_eq!(without(text, false), expected);
        }
        for (text, expected) in [
            ("## A {: #my-id .x }", "## A {#my-id}"),
            ("## A { #a data-toc-label=\"Two words\" }", "## A {#a}"),
            ("## A { id='1.2' }", "## A {#1.2}"),
        ] {
            assert_eq!(without(text, true), expected);
        }
    }
}
