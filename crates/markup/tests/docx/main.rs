//! DOCX → document, as Word, LibreOffice and Google Docs write it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail as tests do"
)]

mod inserted;
#[path = "../support/mod.rs"]
mod support;

use quire_markup::docx::{DocxDocument, DocxError, parse, try_parse};
use quire_markup::{Document, Excess, StableRefs, plain_text, print};
use support::docx::Docx;

fn read(docx: &Docx) -> DocxDocument {
    let read = parse(&docx.build(), &StableRefs).unwrap_or_else(|error| panic!("{error}: {error:?}"));
    let json = read.document.to_json();
    assert_eq!(Document::from_json(&json).as_ref(), Ok(&read.document), "{json:#}");
    read
}

fn markdown(docx: &Docx) -> String {
    print(&read(docx).document, &StableRefs).trim_end().to_owned()
}

#[track_caller]
fn same(body: &str, expected: &str) {
    assert_eq!(markdown(&Docx::new(body)), expected, "{body}");
}

fn p(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

fn r(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn styled(style: &str, text: &str) -> String {
    p(&format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{}", r(text)))
}

fn item(list: u32, level: u32, text: &str) -> String {
    p(&format!(
        "<w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr>{}",
        r(text)
    ))
}

#[test]
fn headings_by_style_by_inheritance_and_by_outline_level() {
    let mut docx = Docx::new(
        &[
            styled("Titel", "The title"),
            styled("berschrift1", "One"),
            styled("MyHeading", "Two"),
            p(&format!("<w:pPr><w:outlineLvl w:val=\"2\"/></w:pPr>{}", r("Three"))),
            p(&format!("<w:pPr><w:outlineLvl w:val=\"9\"/></w:pPr>{}", r("Text"))),
        ]
        .concat(),
    );
    docx.styles = r#"<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
        <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
        <w:style w:type="paragraph" w:styleId="Base2"><w:name w:val="Heading 2"/></w:style>
        <w:style w:type="paragraph" w:styleId="MyHeading"><w:name w:val="Mine"/><w:basedOn w:val="Base2"/></w:style>"#.to_owned();
    let read = read(&docx);
    assert_eq!(read.title.as_deref(), Some("The title"));
    assert_eq!(print(&read.document, &StableRefs).trim_end(), "## One\n\n### Two\n\n#### Three\n\nText");
}

#[test]
fn styles_that_inherit_in_a_circle_end() {
    let mut docx = Docx::new(&styled("A", "x"));
    docx.styles = r#"<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>"#.to_owned();
    assert_eq!(markdown(&docx), "x");
}

#[test]
fn marks() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>{}", r(" "))
    };
    let body = p(&[
        run("<w:b/>", "bold"),
        run("<w:b w:val=\"0\"/>", "plain"),
        run("<w:i/>", "it"),
        run("<w:strike/>", "gone"),
        run("<w:rFonts w:ascii=\"Consolas\" w:hAnsi=\"Consolas\"/>", "code"),
        run("<w:highlight w:val=\"yellow\"/>", "lit"),
        run("<w:color w:val=\"FF0000\"/>", "red"),
        run("<w:color w:val=\"1F1F1F\"/>", "dark"),
        run("<w:vanish/>", "hidden"),
        run("<w:rStyle w:val=\"Key\"/>", "Esc"),
        run("<w:u w:val=\"single\"/>", "under"),
    ]
    .concat());
    let mut docx = Docx::new(&body);
    docx.styles = r#"<w:style w:type="character" w:styleId="Key"><w:name w:val="HTML Keyboard"/><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:style>"#.to_owned();
    assert_eq!(
        markdown(&docx),
        r#"**bold** plain _it_ ~~gone~~ `code` <mark style="background-color:yellow;">lit</mark> <mark style="color:red;">red</mark> dark <kbd>Esc</kbd> under"#
    );
    same(
        &p(&format!(
            "{}<w:r><w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>2</w:t></w:r>{}<w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>+</w:t></w:r>",
            r("H"),
            r("O")
        )),
        "H<sub>2</sub>O<sup>+</sup>",
    );
}

#[test]
fn lists_nest_restart_and_go_on() {
    let body = [
        item(1, 0, "a"),
        item(1, 1, "a1"),
        item(1, 1, "a2"),
        item(1, 2, "deep"),
        item(1, 0, "b"),
        item(1, 1, "b1"),
        p(&r("between")),
        item(1, 0, "c"),
        item(2, 0, "again"),
        item(3, 0, "five"),
        item(3, 0, "six"),
        item(4, 0, "dot"),
        item(4, 1, "ring"),
    ]
    .concat();
    let mut docx = Docx::new(&body);
    docx.numbering = r#"<w:abstractNum w:abstractNumId="0">
          <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
          <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
          <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>
        <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
        <w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
        <w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>"#.to_owned();
    let text = markdown(&docx);
    let expected = "1. a\n   1. a1\n   2. a2\n      * deep\n2. b\n   1. b1\n\nbetween\n\n3. c\n\n1) again\n\n5. five\n6. six\n\n* dot\n  * ring";
    assert_eq!(text, expected);
}

#[test]
fn lists_by_style_and_paragraphs_that_belong_to_items() {
    let mut docx = Docx::new(
        &[
            styled("ListBullet", "a"),
            styled("ListContinue", "more of a"),
            styled("ListBullet", "b"),
            styled("NoBullet", "text"),
        ]
        .concat(),
    );
    docx.styles = r#"<w:style w:type="paragraph" w:styleId="ListBullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="NoBullet"><w:name w:val="No"/><w:basedOn w:val="ListBullet"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="ListContinue"><w:name w:val="List Continue"/></w:style>"#.to_owned();
    docx.numbering = r#"<w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>"#.to_owned();
    assert_eq!(markdown(&docx), "*   a\n\n    more of a\n* b\n\ntext");
}

#[test]
fn check_boxes_make_tasks() {
    let task = |state: u8, text: &str| {
        p(&format!(
            r#"<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{state}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☐</w:t></w:r></w:sdtContent></w:sdt>{}"#,
            r(text)
        ))
    };
    same(&format!("{}{}", task(1, " done"), task(0, " open")), "* [x] done\n* [ ] open");
}

#[test]
fn ballot_boxes_of_pandoc_are_tasks_and_cells_of_code_are_words() {
    let mut docx = Docx::new(&[item(1, 0, "☒ done"), item(1, 0, "☐ open"), item(1, 0, "☐none")].concat());
    docx.numbering = r#"<w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>"#.to_owned();
    let shown = markdown(&docx);
    assert!(shown.starts_with("* [x] done\n* [ ] open\n"), "{shown}");
    assert!(shown.ends_with("☐none"), "{shown}");
    let code = "<w:r><w:rPr><w:rFonts w:ascii=\"Courier New\"/></w:rPr><w:t>f(x)</w:t></w:r>";
    let cell = |inner: &str| format!("<w:tc>{}</w:tc>", p(inner));
    let row = |a: &str, b: &str| format!("<w:tr>{}{}</w:tr>", cell(a), cell(b));
    let table = format!("<w:tbl><w:tblPr/>{}{}</w:tbl>", row(&r("A"), &r("B")), row(code, &r("b")));
    let shown = markdown(&Docx::new(&table));
    assert!(shown.contains("`f(x)`") || shown.contains("<code>f(x)</code>"), "{shown}");
}

#[test]
fn tables_with_merged_cells() {
    let cell =
        |properties: &str, text: &str| format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(&r(text)));
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let body = format!(
        "<w:tbl><w:tblPr><w:tblStyle w:val=\"LightGrid\"/><w:tblLook w:firstRow=\"1\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"1500\"/><w:gridCol w:w=\"3000\"/><w:gridCol/></w:tblGrid>{}{}{}{}</w:tbl>",
        row(&[cell("", "A"), cell("", "B"), cell("", "C")]),
        row(&[cell("<w:vMerge w:val=\"restart\"/>", "1"), cell("", "2"), cell("", "3")]),
        row(&[cell("<w:vMerge/>", ""), cell("<w:gridSpan w:val=\"2\"/>", "4")]),
        row(&[cell("<w:gridSpan w:val=\"2\"/>", "5"), cell("", "6")]),
    );
    let document = read(&Docx::new(&body)).document;
    assert_eq!(
        plain_text(&document).split_whitespace().collect::<Vec<_>>(),
        ["A", "B", "C", "1", "2", "3", "4", "5", "6"]
    );
    let values = |record: &str| document.nodes[0].data["records"][record]["values"].clone();
    assert_eq!(values("r2"), serde_json::json!({"c2": "r2c2"}));
    assert_eq!(values("r3"), serde_json::json!({"c1": "r3c1", "c3": "r3c3"}));
    assert_eq!(document.nodes[0].data["view"]["columnWidths"], serde_json::json!({"c1": 100, "c2": 200}));
}

#[test]
fn images_have_their_text_and_size() {
    let drawing = r#"<w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="476250"/><wp:docPr id="1" name="Picture 1" descr="A cat"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"#;
    let mut docx = Docx::new(&format!("{}{}", p(drawing), styled("Caption", "The cat")));
    docx.styles =
        r#"<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>"#.to_owned();
    docx.relation("rId9", "image", "media/image1.png", false);
    docx.part("word/media/image1.png", b"png");
    let read = read(&docx);
    assert_eq!(
        print(&read.document, &StableRefs).trim_end(),
        r#"<figure><img src="media/image1.png" alt="A cat" width="100" height="50"><figcaption><p>The cat</p></figcaption></figure>"#
    );
    let images: Vec<_> =
        read.images.iter().map(|i| (i.name.as_str(), i.content_type.as_str(), i.bytes.as_slice())).collect();
    assert_eq!(images, [("media/image1.png", "image/png", b"png".as_slice())]);
}

#[test]
fn links_bookmarks_and_fields() {
    let body = [
        p(&format!("<w:hyperlink r:id=\"rId1\">{}</w:hyperlink>{}<w:hyperlink w:anchor=\"_Toc1\">{}</w:hyperlink>", r("site"), r(" and "), r("there"))),
        p(&format!("<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> HYPERLINK \"https://b.example/\" \\l \"x\" </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>{}", r("field"), r(" after"))),
        p(&format!("<w:fldSimple w:instr=\" HYPERLINK &quot;https://c.example/&quot; \">{}</w:fldSimple> <w:hyperlink r:id=\"rId2\">{}</w:hyperlink>", r("simple"), r("bad"))),
        p(&format!("<w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr><w:bookmarkStart w:id=\"0\" w:name=\"_Toc1\"/>{}<w:bookmarkEnd w:id=\"0\"/>", r("The Target"))),
    ].concat();
    let mut docx = Docx::new(&body);
    docx.relation("rId1", "hyperlink", "https://a.example/", true);
    docx.relation("rId2", "hyperlink", "javascript:alert(1)", true);
    assert_eq!(
        markdown(&docx),
        "[site](https://a.example/) and [there](#the-target)\n\n[field](https://b.example/#x) after\n\n[simple](https://c.example/)bad\n\n## The Target"
    );
}

#[test]
fn notes_are_annotations() {
    let mut docx = Docx::new(&p(&format!(
        "{}<w:r><w:footnoteReference w:id=\"2\"/></w:r>{}<w:r><w:endnoteReference w:id=\"1\"/></w:r>",
        r("Text"),
        r(" more")
    )));
    docx.footnotes = Some(format!(
        "<w:footnote w:type=\"separator\" w:id=\"0\">{}</w:footnote><w:footnote w:id=\"2\">{}</w:footnote>",
        p(""),
        p(&format!("<w:r><w:footnoteRef/></w:r>{}", r(" The foot.")))
    ));
    docx.endnotes = Some(format!("<w:endnote w:id=\"1\">{}</w:endnote>", p(&r("The end."))));
    assert_eq!(
        markdown(&docx),
        "Text[1](#user-content-fn-1)[^1] more[2](#user-content-fn-2)[^2]\n\n[^1]: The foot.\n\n[^2]: The end."
    );
}

#[test]
fn changes_are_taken_as_accepted() {
    let body = [
        p(&format!("{}<w:ins>{}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>{}</w:moveFrom><w:moveTo>{}</w:moveTo>", r("a "), r("new "), r("gone"), r("here"))),
        p(&format!("<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}", r("first "))),
        p(&r("second")),
        format!("<w:del>{}</w:del>", p(&r("never"))),
    ].concat();
    let read = read(&Docx::new(&body));
    assert_eq!(print(&read.document, &StableRefs).trim_end(), "a new here\n\nfirst second");
    assert_eq!(read.notices, ["tracked changes were taken as accepted"]);
}

#[test]
fn code_by_style_and_by_font() {
    let mono = |text: &str| {
        p(&format!(
            "<w:r><w:rPr><w:rFonts w:ascii=\"Courier New\"/></w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>"
        ))
    };
    let mut docx = Docx::new(
        &[
            styled("Code", "fn a() {"),
            styled("Code", "    b"),
            styled("Code", ""),
            styled("Code", "}"),
            p(&r("text")),
            mono("x  = 1"),
            mono("y"),
        ]
        .concat(),
    );
    docx.styles =
        r#"<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/></w:style>"#.to_owned();
    assert_eq!(markdown(&docx), "```\nfn a() {\n    b\n\n}\n```\n\ntext\n\n```\nx  = 1\ny\n```");
}

#[test]
fn equations_become_tex() {
    let t = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction = format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", t("a+b"), t("2"));
    let sum = format!(
        "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e><m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup></m:e></m:nary>",
        t("i=1"),
        t("n"),
        t("x"),
        t("2")
    );
    let delimited = format!(
        "<m:d><m:dPr><m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/></m:dPr><m:e><m:rad><m:radPr><m:degHide m:val=\"1\"/></m:radPr><m:deg/><m:e>{}</m:e></m:rad></m:e></m:d>",
        t("α")
    );
    same(
        &format!(
            "{}{}",
            p(&format!("{}<m:oMath>{fraction}</m:oMath>", r("Where "))),
            p(&format!("<m:oMathPara><m:oMath>{sum}{}{delimited}</m:oMath></m:oMathPara>", t("≤")))
        ),
        "Where $$\\frac{a+b}{2}$$\n\n$$\n\\sum_{i=1}^{n}x^{2}\\le\\left[\\sqrt{\\alpha}\\right]\n$$",
    );
}

#[test]
fn text_boxes_controls_breaks_and_symbols() {
    let text_box = format!(
        "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{0}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
        p(&r("boxed"))
    );
    same(&p(&format!("{text_box}{}", r("around"))), "around\n\nboxed");
    same(
        &format!("<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>", p(&r("controlled"))),
        "controlled",
    );
    same(
        &p(
            "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:sym w:font=\"Wingdings\" w:char=\"F0FC\"/><w:br w:type=\"page\"/></w:r>",
        ),
        "a b\\\nc\u{2011}✓",
    );
    // A page break within a paragraph separates words; at its edges it is invisible.
    let page = "<w:br w:type=\"page\"/>";
    same(&p(&format!("<w:r>{page}<w:t>before</w:t>{page}<w:t>after</w:t>{page}</w:r>")), "before\\\nafter");
}

#[test]
fn tables_of_contents_and_comments_are_left_out_and_reported() {
    let mut docx = Docx::new(
        &[styled("TOC1", "One 1"), p(&format!("{}<w:r><w:commentReference w:id=\"0\"/></w:r>", r("text")))]
            .concat(),
    );
    docx.styles =
        r#"<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>"#.to_owned();
    let read = read(&docx);
    assert_eq!(print(&read.document, &StableRefs), "text\n");
    assert_eq!(
        read.notices,
        ["a comment was left out", "the table of contents was left out: pages have one of their headings"]
    );
}

#[test]
fn fields_that_never_end_cost_no_words() {
    same(
        &format!(
            "{}{}",
            p("<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:t>x</w:t></w:r>"),
            p(&r("still here"))
        ),
        "still here",
    );
}

#[test]
fn invalid_docx_files_are_refused_with_a_reason() {
    assert!(matches!(parse(b"not a zip", &StableRefs), Err(DocxError::Package(_))));
    let mut docx = Docx::new("");
    docx.document = None;
    assert!(
        matches!(parse(&docx.build(), &StableRefs), Err(DocxError::Missing(part)) if part == "word/document.xml")
    );
    let mut docx = Docx::new("");
    docx.document = Some("<w:document".to_owned());
    assert!(
        matches!(parse(&docx.build(), &StableRefs), Err(DocxError::Xml { part, .. }) if part == "word/document.xml")
    );
}

#[test]
fn entities_are_not_expanded() {
    let mut docx = Docx::new("");
    let entities: String =
        (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    docx.document = Some(format!("<!DOCTYPE d [<!ENTITY l0 \"lol\">{entities}]><d>&l9;</d>"));
    assert!(matches!(parse(&docx.build(), &StableRefs), Err(DocxError::Xml { .. })));
}

#[test]
fn bombs_are_refused() {
    let mut docx = Docx::new("");
    docx.document = Some(format!("<w:document>{}</w:document>", " ".repeat(60 * 1024 * 1024)));
    assert!(matches!(parse(&docx.build(), &StableRefs), Err(DocxError::TooLarge { .. })));
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=''")).collect();
    docx.document = Some(format!("<w:document{attributes}/>"));
    assert!(matches!(parse(&docx.build(), &StableRefs), Err(DocxError::Crowded { .. })));
    let nested: String = (0..20_000).map(|n| format!("<a xmlns:n{n}='u{n}'>")).collect();
    docx.document = Some(format!("{nested}{}", "</a>".repeat(20_000)));
    assert!(matches!(parse(&docx.build(), &StableRefs), Err(DocxError::Crowded { .. })));
}

#[test]
fn deep_nesting_keeps_its_words() {
    let deep = format!(
        "{}{}{}",
        "<w:sdt><w:sdtContent>".repeat(10_000),
        p(&r("word")),
        "</w:sdtContent></w:sdt>".repeat(10_000)
    );
    assert_eq!(plain_text(&read(&Docx::new(&deep)).document), "word");
    let tables = format!(
        "{}{}{}",
        "<w:tbl><w:tr><w:tc><w:p/>".repeat(2_000),
        p(&r("word")),
        "</w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>".repeat(2_000)
    );
    assert_eq!(plain_text(&read(&Docx::new(&tables)).document), "word");
    let runs =
        p(&format!("{}{}{}", "<w:smartTag>".repeat(10_000), r("lost"), "</w:smartTag>".repeat(10_000)));
    read(&Docx::new(&runs));
}

#[test]
fn unknown_symbols_are_replaced() {
    let read = read(&Docx::new(&p(
        "<w:r><w:t>a</w:t><w:sym w:font=\"Wingdings\" w:char=\"F022\"/><w:sym w:font=\"Wingdings\" w:char=\"F0FC\"/></w:r>",
    )));
    assert_eq!(plain_text(&read.document), "a□✓");
    assert_eq!(read.notices, ["a character of a symbol font is shown as □"]);
}

#[test]
fn columns_that_no_table_has_are_the_last() {
    let most = usize::MAX;
    let row = |before: &str, word: &str| {
        format!(
            "<w:tr><w:trPr><w:gridBefore w:val=\"{before}\"/></w:trPr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>",
            p(&r(word)),
            p(&r("y"))
        )
    };
    let read =
        read(&Docx::new(&format!("<w:tbl>{}{}</w:tbl>", row(&most.to_string(), "far"), row("0", "near"))));
    let words = plain_text(&read.document);
    assert!(words.contains("far") && words.contains("near"), "{words}");
}

#[test]
fn fields_in_fields_are_followed_however_many() {
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>";
    let link = "<w:r><w:instrText>HYPERLINK \"https://a.example/\"</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    let inner = format!("{begin}<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}{end}", r("in both"));
    same(&p(&format!("{begin}{link}{inner}{end}{}", r(" after"))), "[in both](https://a.example/) after");
    // Each piece must only check the innermost of the unclosed fields.
    let many = format!("{}{}", begin.repeat(20_000), r("x").repeat(20_000));
    assert_eq!(plain_text(&read(&Docx::new(&p(&many))).document), "");
}

#[test]
fn pictures_in_listings_stay_pictures() {
    let drawing = r#"<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="A cat"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"#;
    let style = "<w:pPr><w:pStyle w:val=\"Src\"/></w:pPr>";
    let mut docx =
        Docx::new(&[styled("Src", "one"), p(&format!("{style}{drawing}")), styled("Src", "two")].concat());
    docx.styles =
        r#"<w:style w:type="paragraph" w:styleId="Src"><w:name w:val="Source Code"/></w:style>"#.to_owned();
    docx.relation("rId9", "image", "media/image1.png", false);
    docx.part("word/media/image1.png", b"png");
    let read = markdown(&docx);
    assert_eq!(
        read,
        "```\none\n```\n\n<figure><img src=\"media/image1.png\" alt=\"A cat\"><figcaption></figcaption></figure>\n\n```\ntwo\n```"
    );
}

fn heading(level: u32, words: &str) -> String {
    p(&format!("<w:pPr><w:outlineLvl w:val=\"{level}\"/></w:pPr>{}", r(words)))
}

#[test]
fn ranks_count_from_the_title() {
    let chapters = [heading(0, "Title"), heading(1, "A"), heading(2, "B")].concat();
    same(&chapters, "## A\n\n### B");
    // Several first-rank headings are chapters.
    let chapters = format!("{chapters}{}{}", heading(0, "C"), heading(3, "D"));
    same(&chapters, "### A\n\n#### B\n\n## C\n\n#### D");
    let read = read(&Docx::new(&chapters));
    assert_eq!(read.title.as_deref(), Some("Title"));
    assert_eq!(read.heading.map(|heading| heading.heading_rank()), Some(Some(1)));
}

#[test]
fn initials_belong_to_their_word() {
    let initial = p(&format!("<w:pPr><w:framePr w:dropCap=\"drop\" w:lines=\"3\"/></w:pPr>{}", r("O")));
    same(&format!("{initial}{}", p(&r("nce upon a time."))), "Once upon a time.");
    same(&format!("{}{initial}", p(&r("Before"))), "Before\n\nO");
    let frame = p(&format!("<w:pPr><w:framePr w:w=\"100\"/></w:pPr>{}", r("A")));
    same(&format!("{frame}{}", p(&r("frame"))), "A\n\nframe");
}

#[test]
fn references_lead_to_their_heading() {
    let heading = |words: &str| {
        p(&format!(
            "<w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"_Ref12\"/>{}<w:bookmarkEnd w:id=\"1\"/>",
            r(words)
        ))
    };
    let field = |instruction: &str| {
        p(&format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
            r("there")
        ))
    };
    for (instruction, expected) in [
        ("REF _Ref12 \\h", "[there](#the-pointer)"),
        ("PAGEREF _Ref12 \\p \\h", "[there](#the-pointer)"),
        ("REF _Ref12 \\n", "there"),
        ("REF", "there"),
    ] {
        same(
            &format!("{}{}", field(instruction), heading("The pointer")),
            &format!("{expected}\n\n## The pointer"),
        );
    }
}

#[test]
fn the_main_part_is_the_one_that_the_package_names() {
    let mut docx = Docx::new("");
    let body = Docx::new(&p(&r("Words"))).document.unwrap();
    docx.document = None;
    docx.part("word/document2.xml", body.as_bytes());
    docx.main = "word/document2.xml".to_owned();
    assert_eq!(markdown(&docx), "Words");
}

#[test]
fn other_kinds_of_xml_are_refused() {
    let mut docx = Docx::new("");
    for foreign in [
        "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"/>",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>x</body></html>",
    ] {
        docx.document = Some(foreign.to_owned());
        let error = parse(&docx.build(), &StableRefs).unwrap_err();
        assert!(matches!(&error, DocxError::Foreign(part) if part == "word/document.xml"), "{error}");
    }
}

#[test]
fn a_document_that_takes_too_long_is_given_up_on_the_way() {
    let docx = Docx::new(&"<w:p><w:r><w:t>a</w:t></w:r></w:p>".repeat(2_000)).build();
    let looks = std::cell::Cell::new(0);
    let is_late = || {
        looks.set(looks.get() + 1);
        looks.get() > 3
    };
    assert!(matches!(try_parse(&docx, &StableRefs, &is_late), Err(DocxError::Excess(Excess::Time))));
    assert_eq!(looks.get(), 4);
    assert!(try_parse(&docx, &StableRefs, &|| false).is_ok());
}
