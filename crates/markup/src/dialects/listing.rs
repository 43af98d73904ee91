//! Listings: titles, and comments that control how a listing is shown.

use super::code::Fence;

/// Comments that highlight lines: the next line, or those between a start and an end.
const DIRECTIVES: [&str; 3] = ["highlight-next-line", "highlight-start", "highlight-end"];

/// Cleans all fenced listings of a text.
pub(super) fn all_cleaned(text: &str) -> String {
    if !text.contains("highlight-") && !text.contains("[!code") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut open: Option<(Fence<'_>, String)> = None;
    for line in text.lines() {
        match &mut open {
            Some((fence, code)) => {
                code.push_str(line);
                code.push('\n');
                if fence.is_closed_by(line) {
                    out.push_str(&cleaned(code));
                    open = None;
                }
            }
            None => match Fence::opens(line).filter(|fence| fence.mark != ':') {
                Some(fence) => open = Some((fence, format!("{line}\n"))),
                None => {
                    out.push_str(line);
                    out.push('\n');
                }
            },
        }
    }
    out.extend(open.map(|(_, code)| code));
    out
}

/// Returns an opening fence with its title as an option. In Mintlify's syntax, bare words after the language are the
/// title.
pub(super) fn titled(opening: &str) -> String {
    let Some(fence) = Fence::opens(opening) else { return opening.to_owned() };
    let Some((language, rest)) = fence.info.split_once(char::is_whitespace) else {
        return opening.to_owned();
    };
    let is_bare = |word: &&str| !word.contains(['=', '{', '[', '"']);
    let words: Vec<&str> = rest.split_whitespace().take_while(is_bare).collect();
    // Options begin with a lower-case letter.
    let is_title =
        words.first().is_some_and(|word| word.contains(['.', '/']) || word.starts_with(char::is_uppercase));
    if !is_title || language.contains('{') {
        return opening.to_owned();
    }
    let options: Vec<&str> = rest.split_whitespace().skip(words.len()).collect();
    let marks = opening.split(language).next().unwrap_or_default();
    let options = if options.is_empty() { String::new() } else { format!(" {}", options.join(" ")) };
    format!("{marks}{language} title=\"{}\"{options}", words.join(" "))
}

/// Removes the comments that highlight lines from a fenced listing, and adds the line numbers to its fence.
pub(super) fn cleaned(code: &str) -> String {
    if !code.contains("highlight-") && !code.contains("[!code") {
        return code.to_owned();
    }
    let mut lines = code.lines();
    let opening = lines.next().unwrap_or_default();
    let Some(fence) = Fence::opens(opening) else { return code.to_owned() };
    let mut kept: Vec<String> = Vec::new();
    let mut highlighted: Vec<usize> = Vec::new();
    let (mut next, mut inside) = (false, false);
    for line in lines {
        if let Some(directive) = directive(line) {
            match directive {
                "highlight-next-line" => next = true,
                "highlight-start" => inside = true,
                _ => inside = false,
            }
            continue;
        }
        let (line, is_marked) = without_mark(line);
        kept.push(line);
        if (next || inside || is_marked)
            && !Fence::is_closed_by(&fence, kept.last().map_or("", String::as_str))
        {
            highlighted.push(kept.len());
        }
        next = false;
    }
    let numbers: Vec<String> = highlighted.iter().map(ToString::to_string).collect();
    let lines = if numbers.is_empty() || fence.info.contains('{') || fence.info.is_empty() {
        String::new()
    } else {
        format!(" {{{}}}", numbers.join(","))
    };
    let mut out = format!("{}{lines}\n", opening.trim_end());
    for line in kept {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Returns the directive of a line that consists of one, in a comment of any language.
fn directive(line: &str) -> Option<&'static str> {
    let marks = ["//", "/*", "*/", "#", "<!--", "-->", "--", "{", "}", ";", "%"];
    let mut text = line.trim();
    loop {
        let before = text;
        for mark in marks {
            text = text.strip_prefix(mark).unwrap_or(text).trim();
            text = text.strip_suffix(mark).unwrap_or(text).trim();
        }
        if text == before {
            break;
        }
    }
    DIRECTIVES.into_iter().find(|directive| *directive == text)
}

/// Removes `// [!code focus]` at the end of a line, and returns whether it highlights the line.
fn without_mark(line: &str) -> (String, bool) {
    let Some(at) = line.find("[!code ") else { return (line.to_owned(), false) };
    let (before, mark) = line.split_at_checked(at).unwrap_or((line, ""));
    let Some((name, behind)) = mark.trim_start_matches("[!code ").split_once(']') else {
        return (line.to_owned(), false);
    };
    let name = name.split(':').next().unwrap_or_default().trim();
    let known = ["focus", "highlight", "hl", "++", "--", "warning", "error", "word"];
    let behind = behind.trim().trim_end_matches("-->").trim_end_matches("*/").trim_end_matches('}').trim();
    if !known.contains(&name) || !behind.is_empty() {
        return (line.to_owned(), false);
    }
    let mut code = before.trim_end();
    for mark in ["//", "<!--", "#", "/*", "--", ";", "%", "{"] {
        code = code.strip_suffix(mark).unwrap_or(code).trim_end();
    }
    (code.to_owned(), !matches!(name, "focus" | "word"))
}

#[cfg(test)]
mod tests {
    use super::{cleaned, titled};

    #[test]
    fn bare_words_after_a_language_are_a_title() {
        for (fence, expected) in [
            ("```js index.js", "```js title=\"index.js\""),
            ("  ```bash Mac or Linux {1}", "  ```bash title=\"Mac or Linux\" {1}"),
            ("```jsx live", "```jsx live"),
            ("```js title=\"A b\"", "```js title=\"A b\""),
            ("```", "```"),
        ] {
            assert_eq!(titled(fence), expected);
        }
    }

    #[test]
    fn comments_that_highlight_become_numbers_of_lines() {
        let cleaned_text = cleaned(
            "```js\na\n// highlight-next-line\nb\n{/* highlight-start */}\nc\nd\n# highlight-end\ne // [!code ++]\nf // [!code focus]\n```\n",
        );
        assert_eq!(cleaned_text, "```js {2,3,4,5}\na\nb\nc\nd\ne\nf\n```\n");
        for code in
            ["```\n[!code]\n```\n", "```js\n// highlight-it\n```\n", "```md\n[!code ++] is a mark\n```\n"]
        {
            assert_eq!(cleaned(code), code);
        }
    }
}
