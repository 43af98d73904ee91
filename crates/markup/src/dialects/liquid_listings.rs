//! Listings of Liquid: `{% highlight ruby %}` … `{% endhighlight %}`.

use std::borrow::Cow;

use super::code::code_lines;
use super::{dedented, indent, push_indented};

/// Converts listings to fences. Listings may contain fences, and tags that are literal. `{% raw %}` tags in listings
/// are removed.
pub(super) fn fenced(text: &str) -> String {
    if !text.contains("highlight") && !text.contains("raw") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut last_end = lines.iter().rposition(|line| line.contains("endhighlight")).unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let is_prose = !is_code.get(at).copied().unwrap_or_default() && at < last_end;
        let language = if is_prose { language(line) } else { None };
        let behind = lines.get(at + 1..).unwrap_or_default();
        let length = language.and_then(|_| length(behind));
        if language.is_some() && length.is_none() {
            // All remaining ends of listings are in raw text. Avoids searching the rest of the page again.
            last_end = 0;
        }
        match language.zip(length) {
            Some((language, length)) => {
                let inside = behind.get(..length).unwrap_or_default();
                push_indented(&mut out, &listing(language, inside, indent(line)), indent(line));
                at += length + 2;
            }
            None => {
                let is_code = is_code.get(at).copied().unwrap_or_default();
                let shown = if is_code { without_raw_tags(line) } else { Cow::Borrowed(*line) };
                if !shown.trim().is_empty() || line.trim().is_empty() {
                    out.push_str(&shown);
                    out.push('\n');
                }
                at += 1;
            }
        }
    }
    out
}

/// Returns the language of a line that begins a listing.
fn language(line: &str) -> Option<&str> {
    let inside = line.trim().strip_prefix("{%")?.strip_suffix("%}")?;
    let mut words = inside.trim_matches(['-', ' ']).split_whitespace();
    words.next().filter(|name| *name == "highlight")?;
    words.next().filter(|_| !inside.contains("%}"))
}

/// Returns the name of a tag at the start of a text, and the text after it.
fn tag(text: &str) -> Option<(&str, &str)> {
    const MAX_BYTES: usize = 40;
    let text = text.strip_prefix("{%")?;
    let end = text.get(..text.floor_char_boundary(MAX_BYTES))?.find("%}")?;
    Some((text.get(..end)?.trim_matches(['-', ' ']), text.get(end + 2..)?))
}

/// Removes the tags around text that Liquid does not interpret (`{% raw %}`).
fn without_raw_tags(line: &str) -> Cow<'_, str> {
    if !line.contains("raw") || !line.contains("{%") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, from)) = rest.find("{%").and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        match tag(from) {
            Some(("raw" | "endraw", behind)) => rest = behind,
            _ => {
                out.push_str("{%");
                rest = from.get(2..).unwrap_or_default();
            }
        }
    }
    Cow::Owned(out + rest)
}

/// Returns the number of lines before the end of a listing, which is not in raw text.
fn length(lines: &[&str]) -> Option<usize> {
    let mut is_raw = false;
    lines.iter().position(|line| {
        let is_end = !is_raw && tag(line.trim()) == Some(("endhighlight", ""));
        let names = line.match_indices("{%").filter_map(|(at, _)| tag(line.get(at..)?));
        if let Some((name, _)) = names.filter(|(name, _)| matches!(*name, "raw" | "endraw")).last() {
            is_raw = name == "raw";
        }
        is_end
    })
}

fn listing(language: &str, lines: &[&str], columns: usize) -> String {
    let line = |line: &&str| without_raw_tags(dedented(line, columns)).into_owned();
    let text = lines.iter().map(line).collect::<Vec<_>>().join("\n");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    format!("\n{fence}{language}\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::fenced;

    #[test]
    fn listings_contain_fences_and_raw_tags() {
        for (text, expected) in [
            ("{% highlight ruby %}\na\n{% endhighlight %}\nb\n", "\n```ruby\na\n```\nb\n"),
            (
                "{% highlight markdown %}\n```js\na\n```\n{% endhighlight %}\n",
                "\n````markdown\n```js\na\n```\n````\n",
            ),
            (
                "{% highlight yaml %}\n{% raw %}{% highlight x %}\na\n{% endhighlight %}{% endraw %}\n{% endhighlight %}\n",
                "\n```yaml\n{% highlight x %}\na\n{% endhighlight %}\n```\n",
            ),
            (
                "- a\n\n  {%- highlight sh -%}\n  b\n  {%- endhighlight -%}\n",
                "- a\n\n\n  ```sh\n  b\n  ```\n",
            ),
            ("{% highlight ruby %}\na\n", "{% highlight ruby %}\na\n"),
            ("```\n{%- raw -%}\n{{ a }}{% endraw %}\n```\n", "```\n{{ a }}\n```\n"),
            (
                "```\n{% highlight ruby %}\n{% endhighlight %}\n```\n",
                "```\n{% highlight ruby %}\n{% endhighlight %}\n```\n",
            ),
        ] {
            assert_eq!(fenced(text), expected, "{text}");
        }
    }
}
