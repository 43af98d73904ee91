//! Markdown, with its front matter, tags and HTML.

use crate::inputs::Input::{self, Made, Nested, Numbered, Repeat};

pub const CASES: &[(&str, Input)] = &[
    // Containers.
    ("a run of quotes", Repeat("", ">", " a")),
    ("quotes with spaces", Repeat("", "> ", "a")),
    ("quotes in pairs", Repeat("", ">> ", "a")),
    ("a run of quotes in a list", Repeat("- ", ">", " a")),
    (
        "a run of quotes on each of many lines",
        Made(|n| lines(n, |_| format!("{} a\n", ">".repeat(300))), 2_000),
    ),
    ("alerts", Repeat("", "> [!NOTE]\n> a\n\n", "")),
    ("alerts in alerts", Repeat("", "> ", "[!NOTE]\n")),
    ("lists in lists on one line", Repeat("", "- ", "a")),
    ("numbered lists on one line", Repeat("", "1. ", "a")),
    ("lists by indentation", Made(|n| lines(n, |depth| format!("{}* a\n", "  ".repeat(depth))), 800)),
    ("a long list", Repeat("", "- a\n", "")),
    ("a loose list", Repeat("", "- a\n\n", "")),
    ("a list of other markers", Repeat("", "- a\n* b\n+ c\n", "")),
    ("tasks", Repeat("", "- [x] a\n- [ ] b\n", "")),
    ("quotes and lists", Repeat("", "> - ", "a")),
    ("lazy lines", Repeat("> a\n", "b\n", "")),
    ("blank lines in a list", Repeat("- a\n", "\n", "  b\n")),
    // Blocks.
    ("headings", Repeat("", "# a\n", "")),
    ("headings of one name", Numbered("", "## Same\n\na{}\n\n", "")),
    ("underlined headings", Repeat("", "a\n===\n", "")),
    ("dividers", Repeat("", "***\n", "")),
    ("an open fence", Repeat("```\n", "a\n", "")),
    ("many fences", Repeat("", "```\na\n```\n", "")),
    ("fences of growing length", Made(|n| lines(n, |at| format!("{}\n", "`".repeat(3 + at))), 600)),
    ("indented code", Repeat("", "    a\n", "")),
    ("one long line", Repeat("", "word ", "")),
    ("one long word", Repeat("", "a", "")),
    ("short paragraphs", Repeat("", "a\n\n", "")),
    ("hard breaks", Repeat("", "a  \n", "")),
    ("trailing spaces", Repeat("a", " ", "\nb")),
    ("tabs", Repeat("", "\ta\n", "")),
    ("blank lines", Repeat("", "\n", "")),
    // Running text.
    ("a run of stars", Repeat("", "*", "")),
    ("emphasis that never closes", Repeat("", "*a ", "")),
    ("strong text that never closes", Repeat("", "**a ", "")),
    ("emphasis that never opens", Repeat("", "a* ", "")),
    ("emphasis in emphasis", Nested("*a **b ", "c", " d** e*")),
    ("stars and underscores", Repeat("", "*_", "a")),
    ("alternating emphasis", Repeat("", "*a_b ", "")),
    ("three stars", Repeat("", "a***b", "")),
    ("underscores in words", Repeat("", "_a", "")),
    ("strikethrough", Repeat("", "~~a ", "")),
    ("tildes", Repeat("", "~a~~", "")),
    ("open brackets", Repeat("", "[", "")),
    ("closed brackets", Repeat("", "]", "")),
    ("open images", Repeat("", "![", "")),
    ("brackets in brackets", Nested("[", "a", "](b)")),
    ("links", Repeat("", "[a](b) ", "")),
    ("links without an end", Repeat("", "[a](b ", "")),
    ("links in angle brackets", Repeat("", "[a](<b", "")),
    ("parentheses in a destination", Nested("[a](", "b", ")")),
    ("images", Repeat("", "![a](b.png) ", "")),
    ("pictures in links", Repeat("", "[![a](b)](c) ", "")),
    ("titles without an end", Repeat("", "[a](b \"c ", "")),
    ("references", Numbered("", "[a{}]: /b\n", "")),
    ("references that are used", Numbered("", "[a{}]: /b\n\n[a{}]\n\n", "")),
    ("one reference used again and again", Repeat("[a]: /b\n\n", "[a] ", "")),
    ("references without an end", Repeat("", "[a]: ", "")),
    ("labels that nothing defines", Repeat("", "[a][b] ", "")),
    ("autolinks", Repeat("", "<https://a.example> ", "")),
    ("bare addresses", Repeat("", "https://a.example/b ", "")),
    ("one long address", Repeat("https://a.example/", "a/", "")),
    ("parentheses behind an address", Repeat("https://a.example/", "(", "")),
    ("www", Repeat("", "www.", "a")),
    ("e-mail addresses", Repeat("", "a@b.example ", "")),
    ("at signs", Repeat("", "a@", "")),
    ("colons", Repeat("", "http:", "")),
    ("shortcodes", Repeat("", ":smile: ", "")),
    ("open shortcodes", Repeat("", ":a", "")),
    ("a run of backticks", Repeat("", "`", "")),
    ("backticks of different lengths", Made(|n| lines(n, |at| format!("{}a ", "`".repeat(1 + at))), 800)),
    ("code", Repeat("", "`a` ", "")),
    ("open code", Repeat("", "`a ", "")),
    ("dollars", Repeat("", "$", "")),
    ("formulas", Repeat("", "$$a$$ ", "")),
    ("open formulas", Repeat("", "$$ $ ", "")),
    ("backslashes", Repeat("", "\\", "")),
    ("escapes", Repeat("", "\\*", "")),
    ("entities", Repeat("", "&amp;", "")),
    ("open entities", Repeat("", "&", "")),
    ("entities of numbers", Repeat("", "&#x41;", "")),
    ("NUL", Repeat("", "a\0", "")),
    ("marks of two bytes", Repeat("", "é", "")),
    ("marks that combine", Repeat("a", "\u{301}", "")),
    ("right to left", Repeat("", "\u{202e}a", "")),
    ("the signs that stand in", Repeat("⸮⸘⸙⸚⸞⸟⸛⸑⸐⸏⸎⸖⸔⸓⸒⁌⁍⁗⁕⁖⁘⁙⁛⁜ ", ">", "")),
    // Tables and footnotes.
    ("tables", Repeat("", "|a|b|\n|-|-|\n|c|d|\n\n", "")),
    ("a long table", Repeat("|a|b|\n|-|-|\n", "|c|d|\n", "")),
    (
        "a wide table",
        Made(|n| format!("{}\n{}\n{}\n", "|a".repeat(n), "|-".repeat(n), "|b".repeat(n)).into(), 100_000),
    ),
    ("a wide table with short rows", Made(wide_and_short, 4_000)),
    ("pipes", Repeat("", "|", "")),
    ("lines of dashes and pipes", Repeat("", "a\n|-", "")),
    ("footnotes", Numbered("", "a[^{}]\n\n[^{}]: b\n\n", "")),
    ("footnotes that nothing refers to", Numbered("", "[^{}]: b\n\n", "")),
    ("one footnote again and again", Repeat("[^a]: b\n\n", "[^a] ", "")),
    (
        "footnotes in a chain",
        Made(|n| lines(n, |at| format!("[^{at}]: see [^{}] [^{}]\n\n", at + 1, at + 2)), 4_000),
    ),
    ("footnotes without an end", Repeat("", "[^", "")),
    // Tags.
    ("hints that never end", Repeat("", "{% hint style=\"info\" %}\n", "")),
    ("ends without a beginning", Repeat("", "{% endhint %}\n", "")),
    ("hints in hints", Nested("{% hint style=\"info\" %}\n", "a\n", "{% endhint %}\n")),
    ("tabs", Repeat("{% tabs %}\n", "{% tab title=\"a\" %}\nb\n{% endtab %}\n", "{% endtabs %}\n")),
    ("embeds", Repeat("", "{% embed url=\"https://a.b\" %}\na\n", "")),
    ("open tags on one line", Repeat("{% hint %} ", "{% hint \"", "")),
    ("tags on one line", Repeat("", "{% hint %}", "")),
    ("properties of a tag", Numbered("{% hint ", "a{}=\"b\" ", "%}\na\n{% endhint %}\n")),
    ("steps", Repeat("{% stepper %}\n", "{% step %}\n## a\nb\n{% endstep %}\n", "{% endstepper %}\n")),
    (
        "OpenAPI blocks",
        Repeat(
            "",
            "{% openapi src=\"a.yaml\" path=\"/a\" method=\"get\" %}\n[a](a.yaml)\n{% endopenapi %}\n",
            "",
        ),
    ),
    // HTML in Markdown.
    ("open elements", Repeat("", "<div>", "")),
    ("closed elements", Repeat("", "</div>", "")),
    ("less than", Repeat("", "<", "")),
    ("open anchors", Repeat("", "<a ", "")),
    ("attributes", Numbered("<a ", "b{}=\"c\" ", ">d</a>")),
    ("comments that never end", Repeat("", "<!-- ", "")),
    ("comments", Repeat("", "<!-- a -->\n", "")),
    ("ends and comments", Repeat("<div>", "<!-- </", "")),
    ("processing instructions", Repeat("", "<?a ", "")),
    ("sections of characters", Repeat("", "<![CDATA[", "")),
    ("inline elements", Repeat("", "<b>a", "")),
    ("details", Repeat("", "<details>\n\n", "")),
    ("details with summaries", Repeat("", "<details><summary>a</summary>\n\nb\n\n</details>\n\n", "")),
    ("summaries without details", Repeat("<details>", "<summary>", "")),
    ("tables in tables", Repeat("<table><tr><td>", "<table><tr><td>", "")),
    ("cells that span", Repeat("<table>", "<tr><td rowspan=\"99\" colspan=\"99\">a</td></tr>", "</table>")),
    ("lists of HTML", Repeat("", "<ul><li>", "")),
    ("figures in figures", Repeat("", "<div><figure><figcaption>", "<img src=\"a\">")),
    ("figures", Repeat("", "<figure><img src=\"a\"><figcaption>b</figcaption></figure>\n\n", "")),
    ("marks of colors", Repeat("", "x<mark style=\"color:red\">y", "")),
    ("buttons", Repeat("", "<a class=\"button\" href=\"/a\">b</a> ", "")),
    ("blocks by name", Repeat("", "<div data-block=\"hint\">", "")),
    ("annotations", Numbered("", "<a data-footnote-ref href=\"#user-content-fn-{}\">a</a> ", "")),
    // Front matter.
    // Larger front matter is read as text, whose lines cost more.
    ("front matter of many keys", Made(|n| front(&lines(n, |at| format!("a{at}: b\n"))), 4_800)),
    ("front matter without an end", Numbered("---\n", "a{}: b\n", "")),
    (
        "front matter that nests",
        Made(|n| front(&lines(n, |depth| format!("{}a:\n", " ".repeat(depth)))), 600),
    ),
    (
        "front matter in brackets",
        Made(|n| front(format!("a: {}{}\n", "[".repeat(n), "]".repeat(n)).as_bytes()), 60_000),
    ),
    ("front matter of braces", Made(|n| front(format!("a: {}\n", "{b: ".repeat(n)).as_bytes()), 60_000)),
    ("aliases that multiply", Made(|n| front(&aliases(n)), 64)),
    ("aliases", Repeat("---\na: &a b\nc:\n", "- *a\n", "---\n")),
    ("a long text in front matter", Repeat("---\ndescription: >\n", "  a\n", "---\n")),
    ("quotes in front matter", Repeat("---\ntitle: \"", "\\\"", "\"\n---\n")),
    ("documents in front matter", Repeat("---\na: b\n", "--- \nc: d\n", "---\n")),
    (
        "merges in front matter",
        Made(|n| front(&lines(n, |at| format!("a{at}: &a{at}\n  <<: *a{}\n", at.saturating_sub(1)))), 2_000),
    ),
];

fn lines(count: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
    (0..count).map(line).collect::<String>().into_bytes()
}

fn front(yaml: &[u8]) -> Vec<u8> {
    [b"---\n", yaml, b"---\n\na\n"].concat()
}

/// Returns lists in which each contains the previous one nine times.
fn aliases(levels: usize) -> Vec<u8> {
    let mut out = "a0: &a0 [b]\n".to_owned();
    for level in 1..=levels {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        out.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    out.into_bytes()
}

/// Returns rows of one cell in a table of 200 columns, which the parser pads.
fn wide_and_short(size: usize) -> Vec<u8> {
    const COLUMNS: usize = 200;
    format!("{}\n{}\n{}", "|a".repeat(COLUMNS), "|-".repeat(COLUMNS), "|b\n".repeat(size)).into_bytes()
}
