//! HTML pages, Word documents and archives.

use crate::inputs::Input::{self, Made, Nested, Numbered, Repeat};
use crate::packages::{docx, link, zip};

pub const HTML: &[(&str, Input)] = &[
    ("nested divs", Repeat("", "<div>", "word")),
    ("nested spans", Repeat("", "<span>", "word")),
    ("nested bold text", Repeat("", "<b>", "word")),
    ("nested links", Repeat("", "<a href='/x'>", "word")),
    ("nested quotes", Repeat("", "<blockquote>", "word")),
    ("nested lists", Repeat("", "<ul><li>", "word")),
    ("nested tables", Repeat("", "<table><tr><td>", "word")),
    ("nested definitions", Repeat("", "<dl><dd>", "word")),
    ("nested fonts", Repeat("", "<font color=red>", "word")),
    ("bold paragraphs that never end", Repeat("", "<p><b>", "a")),
    ("wrongly nested elements", Repeat("", "<b><i>a</b>", "")),
    ("wrongly nested links and tables", Repeat("", "<a><table>", "a")),
    ("paragraphs", Repeat("", "<p>a</p>", "")),
    ("links", Numbered("", "<a href='/a{}'>b</a> ", "")),
    ("places", Numbered("", "<h2 id='a{}'>b</h2><a href='#a{}'>c</a>", "")),
    ("attributes", Numbered("<div ", "a{}='b' ", ">c</div>")),
    ("classes", Repeat("<div class='", "a ", "'>b</div>")),
    ("styles", Repeat("<div style='", "color:red;", "'>b</div>")),
    ("style sheets", Numbered("<style>", ".a{}{color:red}", "</style><p class='a1'>b</p>")),
    (
        "style sheets and elements",
        Numbered("", "<style>.a{}{font-weight:bold}</style><p class='a{}'>b</p>", ""),
    ),
    ("a long table", Repeat("<table>", "<tr><td>a</td><td>b</td></tr>", "</table>")),
    ("a wide row", Repeat("<table><tr>", "<td>a</td>", "</tr></table>")),
    ("cells that span rows", Repeat("<table>", "<tr><td rowspan=1000>a</td></tr>", "</table>")),
    ("cells that span all", Repeat("<table><tr>", "<td rowspan=65534 colspan=1000>a</td>", "</tr></table>")),
    ("entities", Repeat("", "&amp;&lt;", "")),
    ("open entities", Repeat("", "&a", "")),
    ("comments that never end", Repeat("", "<!--", "")),
    ("code", Repeat("<pre><code>", "<span>a</span>\n", "</code></pre>")),
    ("scripts that never end", Repeat("<script>", "<!--<script>", "")),
    ("formulas", Nested("<math><mrow>", "<mi>a</mi>", "</mrow></math>")),
    ("fractions in fractions", Nested("<mfrac>", "<mi>a</mi>", "<mi>b</mi></mfrac>")),
    ("images of different widths", Numbered("<img srcset='", "a{}.png {}w, ", "'>")),
    ("templates", Repeat("", "<template>", "a")),
    ("selections", Repeat("", "<select><option>a", "")),
    ("foreign elements", Repeat("", "<svg><foreignObject>", "a")),
    ("frames", Repeat("", "<iframe>", "a")),
    ("words without markup", Repeat("", "word ", "")),
];

const TEXT: &str = "<w:p><w:r><w:t>word</w:t></w:r></w:p>";

pub const DOCX: &[(&str, Input)] = &[
    ("paragraphs", Made(|n| body(&TEXT.repeat(n)), 50_000)),
    ("runs", Made(|n| body(&format!("<w:p>{}</w:p>", "<w:r><w:t>a</w:t></w:r>".repeat(n))), 50_000)),
    (
        "runs of changing marks",
        Made(
            |n| {
                body(&format!(
                    "<w:p>{}</w:p>",
                    "<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r>".repeat(n)
                ))
            },
            20_000,
        ),
    ),
    ("nested tables", Made(|n| body(&nested("<w:tbl><w:tr><w:tc>", TEXT, "</w:tc></w:tr></w:tbl>", n)), 200)),
    (
        "a long table",
        Made(
            |n| body(&format!("<w:tbl>{}</w:tbl>", format!("<w:tr><w:tc>{TEXT}</w:tc></w:tr>").repeat(n))),
            20_000,
        ),
    ),
    (
        "cells that go on",
        Made(
            |n| {
                body(&format!("<w:tbl>{}</w:tbl>", format!("<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"99\"/><w:vMerge/></w:tcPr>{TEXT}</w:tc></w:tr>").repeat(n)))
            },
            2_000,
        ),
    ),
    (
        "nested fields",
        Made(
            |n| {
                body(&format!("<w:p>{}</w:p>", "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>HYPERLINK \"a\"</w:instrText></w:r>".repeat(n)))
            },
            20_000,
        ),
    ),
    (
        "fields that never begin",
        Made(
            |n| body(&format!("<w:p>{}</w:p>", "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>".repeat(n))),
            40_000,
        ),
    ),
    ("links with a relation each", Made(linked, 8_000)),
    (
        "one relation again and again",
        Made(
            |n| {
                docx(
                    &format!(
                        "<w:p>{}</w:p>",
                        "<w:hyperlink r:id=\"l0\"><w:r><w:t>a</w:t></w:r></w:hyperlink>".repeat(n)
                    ),
                    &link(0),
                    &[],
                )
            },
            10_000,
        ),
    ),
    (
        "nested formulas",
        Made(
            |n| {
                body(&format!(
                    "<w:p>{}</w:p>",
                    nested(
                        "<m:oMath><m:sSup><m:e>",
                        "<m:r><m:t>a</m:t></m:r>",
                        "</m:e></m:sSup></m:oMath>",
                        n
                    )
                ))
            },
            150,
        ),
    ),
    (
        "formulas",
        Made(
            |n| body(&format!("<w:p>{}</w:p>", "<m:oMath><m:r><m:t>a</m:t></m:r></m:oMath>".repeat(n))),
            20_000,
        ),
    ),
    ("styles based on each other", Made(chained_styles, 4_000)),
    ("styles in a circle", Made(circled_styles, 4_000)),
    ("numberings", Made(numbered, 4_000)),
    (
        "lists",
        Made(
            |n| {
                body(&"<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>".repeat(n))
            },
            20_000,
        ),
    ),
    ("footnotes", Made(footnotes, 4_000)),
    (
        "bookmarks",
        Made(
            |n| {
                body(&(0..n).map(|id| format!("<w:p><w:bookmarkStart w:id=\"{id}\" w:name=\"a{id}\"/><w:r><w:t>a</w:t></w:r><w:hyperlink w:anchor=\"a{id}\"><w:r><w:t>b</w:t></w:r></w:hyperlink></w:p>")).collect::<String>())
            },
            8_000,
        ),
    ),
    (
        "nested insertions",
        Made(
            |n| body(&format!("<w:p>{}</w:p>", nested("<w:ins>", "<w:r><w:t>a</w:t></w:r>", "</w:ins>", n))),
            200,
        ),
    ),
    (
        "nested controls",
        Made(|n| body(&nested("<w:sdt><w:sdtContent>", TEXT, "</w:sdtContent></w:sdt>", n)), 200),
    ),
    (
        "attributes",
        Made(
            |n| body(&format!("<w:p {}/>", (0..n).map(|at| format!("a{at}=\"b\" ")).collect::<String>())),
            10_000,
        ),
    ),
    (
        "breaks and tabs",
        Made(|n| body(&format!("<w:p><w:r>{}</w:r></w:p>", "<w:br/><w:tab/>".repeat(n))), 50_000),
    ),
    ("a bomb", Made(|n| body(&" ".repeat(n << 10)), 16_000)),
    ("parts", Made(|n| zip((0..n).map(|at| (format!("word/a{at}.xml"), b"<a/>".to_vec()))), 4_000)),
];

pub const ZIP: &[(&str, Input)] = &[
    (
        "many small pages",
        Made(|n| zip((0..n).map(|at| (format!("a{at}.md"), b"# A\n\nb\n".to_vec()))), 4_000),
    ),
    (
        "pages that link to each other",
        Made(
            |n| {
                zip((0..n).map(|at| {
                    (format!("a{at}.md"), format!("[b](a{}.md) [c](../a{at}.md)\n", at + 1).into_bytes())
                }))
            },
            4_000,
        ),
    ),
    (
        "pages of one name",
        Made(|n| zip((0..n).map(|at| (format!("d{at}/README.md"), b"# Same\n".to_vec()))), 2_000),
    ),
    ("deep folders", Made(|n| zip([(format!("{}a.md", "d/".repeat(n)), b"# A\n".to_vec())]), 20_000)),
    (
        "folders in folders",
        Made(|n| zip((0..n).map(|at| (format!("{}a.md", "d/".repeat(at)), b"# A\n".to_vec()))), 800),
    ),
    (
        "paths that lead outside",
        Made(|n| zip((0..n).map(|at| (format!("{}a{at}.md", "../".repeat(9)), b"# A\n".to_vec()))), 4_000),
    ),
    ("a table of contents", Made(contents, 4_000)),
    (
        "a table of contents that nests",
        Made(
            |n| {
                zip([
                    (
                        "SUMMARY.md".to_owned(),
                        (0..n)
                            .map(|at| format!("{}* [a](a.md)\n", "  ".repeat(at % 20)))
                            .collect::<String>()
                            .into_bytes(),
                    ),
                    ("a.md".to_owned(), b"# A\n".to_vec()),
                ])
            },
            800,
        ),
    ),
    (
        "one page in a table of contents again and again",
        Made(
            |n| {
                zip([
                    ("SUMMARY.md".to_owned(), "* [a](a.md)\n".repeat(n).into_bytes()),
                    ("a.md".to_owned(), b"# A\n".to_vec()),
                ])
            },
            10_000,
        ),
    ),
    ("files that are included", Made(included, 2_000)),
    (
        "files that include each other",
        Made(
            |n| {
                zip((0..n).map(|at| {
                    (
                        format!("a{at}.md"),
                        format!("{{% include \"a{}.md\" %}}\n", (at + 1) % n.max(1)).into_bytes(),
                    )
                }))
            },
            2_000,
        ),
    ),
    ("a bomb", Made(|n| zip([("a.md".to_owned(), vec![b'a'; n << 10])]), 64_000)),
    ("bombs", Made(|n| zip((0..n).map(|at| (format!("a{at}.md"), vec![b'a'; 8 << 10]))), 4_000)),
    (
        "archives in an archive",
        Made(
            |n| zip((0..n).map(|at| (format!("a{at}.zip"), zip([("b.md".to_owned(), b"c".to_vec())])))),
            2_000,
        ),
    ),
    (
        "a directory that ends early",
        Made(
            |n| {
                let mut bytes = zip((0..n).map(|at| (format!("a{at}.md"), b"a".to_vec())));
                bytes.truncate(bytes.len() * 3 / 4);
                bytes
            },
            4_000,
        ),
    ),
    (
        "a comment of ends",
        Made(|n| [zip([("a.md".to_owned(), b"a".to_vec())]), b"PK\x05\x06".repeat(n)].concat(), 16_000),
    ),
    (
        "references to pictures",
        Made(
            |n| {
                zip([(
                    "a.md".to_owned(),
                    (0..n).map(|at| format!("![a](b{at}.png)\n")).collect::<String>().into_bytes(),
                )])
            },
            10_000,
        ),
    ),
];

fn body(inner: &str) -> Vec<u8> {
    docx(inner, "", &[])
}

fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

fn linked(size: usize) -> Vec<u8> {
    let links =
        (0..size).map(|at| format!("<w:hyperlink r:id=\"l{at}\"><w:r><w:t>a</w:t></w:r></w:hyperlink>"));
    docx(&format!("<w:p>{}</w:p>", links.collect::<String>()), &(0..size).map(link).collect::<String>(), &[])
}

/// Returns a document with a style per number, each based on another one, and a paragraph of each style.
fn styled(size: usize, base: impl Fn(usize) -> usize) -> Vec<u8> {
    let style = |at| {
        let base = base(at);
        format!(
            "<w:style w:type=\"paragraph\" w:styleId=\"s{at}\"><w:name w:val=\"a{at}\"/><w:basedOn w:val=\"s{base}\"/></w:style>"
        )
    };
    let paragraph =
        |at| format!("<w:p><w:pPr><w:pStyle w:val=\"s{at}\"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>");
    let styles: String = (0..size).map(style).collect();
    docx(&(0..size).map(paragraph).collect::<String>(), "", &[("styles", &styles)])
}

fn chained_styles(size: usize) -> Vec<u8> {
    styled(size, |at| at + 1)
}

fn circled_styles(size: usize) -> Vec<u8> {
    styled(size, |at| (at + 1) % size.max(1))
}

fn numbered(size: usize) -> Vec<u8> {
    let number = |at| {
        format!(
            "<w:abstractNum w:abstractNumId=\"{at}\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/></w:lvl></w:abstractNum><w:num w:numId=\"{at}\"><w:abstractNumId w:val=\"{at}\"/></w:num>"
        )
    };
    let paragraph = |at| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"{at}\"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
        )
    };
    let numbering: String = (0..size).map(number).collect();
    docx(&(0..size).map(paragraph).collect::<String>(), "", &[("numbering", &numbering)])
}

fn footnotes(size: usize) -> Vec<u8> {
    let note = |at| format!("<w:footnote w:id=\"{at}\">{TEXT}</w:footnote>");
    let reference = |at| format!("<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id=\"{at}\"/></w:r></w:p>");
    let notes: String = (1..=size).map(note).collect();
    docx(&(1..=size).map(reference).collect::<String>(), "", &[("footnotes", &notes)])
}

fn contents(size: usize) -> Vec<u8> {
    let summary: String = (0..size).map(|at| format!("* [a{at}](a{at}.md)\n")).collect();
    let pages = (0..size).map(|at| (format!("a{at}.md"), b"a\n".to_vec()));
    zip([("SUMMARY.md".to_owned(), summary.into_bytes())].into_iter().chain(pages))
}

fn included(size: usize) -> Vec<u8> {
    let page = "{% include \".gitbook/includes/a.md\" %}\n\n".repeat(size);
    zip([("a.md".to_owned(), page.into_bytes()), (".gitbook/includes/a.md".to_owned(), b"b\n".to_vec())])
}
