//! Attribute lists after headings, links and blocks: `{: .class #id }`, `{ .button }`, `{target=_blank}`.

use super::inline::replace_between;

/// Returns a piece of a line without its attribute lists. A heading keeps its id, in the form `{#id}`.
pub(super) fn without(text: &str, is_heading: bool) -> String {
    replace_between(text, "{", "}", |inside| {
        let list = inside.strip_prefix(':').unwrap_or(inside);
        let words: Vec<&str> = list.split_whitespace().collect();
        let is_list =
            !words.is_empty() && (list.len() < inside.len() || words.iter().all(|word| is_strict(word)));
        if !is_list || !words.iter().all(|word| is_attribute(word)) {
            return None;
        }
        let id = words.iter().find(|word| word.starts_with('#')).filter(|_| is_heading);
        Some(id.map(|id| format!("{{{id}}}")).unwrap_or_default())
    })
}

/// Returns true if a word is an attribute even on its own. A bare word could be prose.
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
            ("{#id}", ""),
        ] {
            assert_eq!(without(text, false), expected);
        }
        assert_eq!(without("## A {: #my-id .x }", true), "## A {#my-id}");
    }
}
