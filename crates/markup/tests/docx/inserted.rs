//! Files inserted into a document, and content that a page does not have.

use super::*;

const CHUNK: &str = "<w:altChunk r:id=\"chunk\"/>";

fn with_chunk(name: &str, bytes: &[u8]) -> Docx {
    let mut docx = Docx::new(&format!("{}{CHUNK}{}", p(&r("Before.")), p(&r("After."))));
    docx.relation("chunk", "aFChunk", name, false);
    docx.part(&format!("word/{name}"), bytes);
    docx
}

#[test]
fn web_pages_and_texts_are_inserted() {
    let page = "<html><head><title>T</title></head><body><h2>Part</h2><p>Some <b>bold</b> <a href='#part'>words</a>.</p></body></html>";
    let docx = with_chunk("chunk.dat", page.as_bytes());
    assert_eq!(markdown(&docx), "Before.\n\n## Part\n\nSome **bold** [words](#part).\n\nAfter.");
    assert_eq!(read(&docx).notices, [""; 0]);
    let text = with_chunk("chunk.html", "One.\r\n\r\nTwo.".as_bytes());
    assert_eq!(markdown(&text), "Before.\n\nOne.\n\nTwo.\n\nAfter.");
    let wide: Vec<u8> = "\u{feff}<p>Ä</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(markdown(&with_chunk("chunk.html", &wide)), "Before.\n\nÄ\n\nAfter.");
}

#[test]
fn web_pages_in_one_file_are_inserted_with_their_pictures() {
    let page = "MIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype=\"text/html\";\n\tboundary=\"--of=parts\"\n\n----of=parts\nContent-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: quoted-printable\nContent-Location: file:///C:/fake/document.html\n\n<p class=3D\"x\">Gr=C3=BC=\n=C3=9Fe</p><img alt=3D\"dot\" src=3D\"file:///C:/fake/image0.png\">\n\n----of=parts\nContent-Location: file:///C:/fake/image0.png\nContent-Transfer-Encoding: base64\nContent-Type: image/png\n\niVBORw0K\nGgo=\n\n----of=parts--\n";
    for page in [page.to_owned(), page.replace('\n', "\r\n")] {
        let shown = markdown(&with_chunk("chunk.mht", page.as_bytes()));
        assert!(shown.starts_with("Before.\n\nGrüße\n\n"), "{shown}");
        assert!(shown.contains("src=\"data:image/png;base64,iVBORw0KGgo=\""), "{shown}");
    }
    let packed = page.replace("quoted-printable", "base64");
    let read = read(&with_chunk("chunk.mht", packed.as_bytes()));
    assert_eq!(read.notices, ["an inserted file was left out: it is not HTML, text or a Word document"]);
}

#[test]
fn word_documents_are_inserted_with_their_styles_and_pictures() {
    let drawing = r#"<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="A cat"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"#;
    let with_picture = |docx: &mut Docx, bytes: &[u8]| {
        docx.relation("rId9", "image", "media/image1.png", false);
        docx.part("word/media/image1.png", bytes);
    };
    let mut inner = Docx::new(
        &[
            styled("H", "Part"),
            p(drawing),
            CHUNK.to_owned(),
            p("<w:r><w:commentReference w:id=\"0\"/></w:r>"),
        ]
        .concat(),
    );
    inner.styles =
        r#"<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/></w:style>"#.to_owned();
    with_picture(&mut inner, b"inner");
    let mut docx = Docx::new(&format!(
        "{}{CHUNK}{}{}",
        styled("H", "Not a heading"),
        p(drawing),
        p(&format!(
            "<w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr><w:bookmarkStart w:id=\"0\" w:name=\"_Toc1\"/>{}<w:hyperlink w:anchor=\"_Toc1\">{}</w:hyperlink>",
            r("Last "),
            r("one")
        ))
    ));
    docx.relation("chunk", "aFChunk", "/word/inner.docx", false);
    docx.part("word/inner.docx", &inner.build());
    with_picture(&mut docx, b"outer");
    let read = read(&docx);
    let shown = print(&read.document, &StableRefs);
    assert!(shown.starts_with("Not a heading\n\n## Part\n\n"), "{shown}");
    assert!(shown.contains("[one](#last-one)"), "{shown}");
    let mut pictures: Vec<(&str, &[u8])> =
        read.images.iter().map(|image| (image.name.as_str(), image.bytes.as_slice())).collect();
    pictures.sort_unstable();
    assert_eq!(
        pictures,
        [
            ("media/image1.png", b"outer".as_slice()),
            ("word/inner.docx/media/image1.png", b"inner".as_slice())
        ]
    );
    assert!(pictures.iter().all(|(name, _)| shown.contains(&format!("\"{name}\""))), "{shown}");
    // Chunks of an inserted document are not read.
    assert_eq!(
        read.notices,
        ["an inserted file was left out: it is not HTML, text or a Word document", "a comment was left out"]
    );
}

#[test]
fn inserted_files_of_other_formats_are_reported() {
    let latin = [b"<p>".as_slice(), &[0xe4], b"</p>"].concat();
    for bytes in [b"{\\rtf1 Text.}".as_slice(), b"PK\x03\x04 broken", &latin, &[0]] {
        let read = read(&with_chunk("chunk.bin", bytes));
        assert_eq!(read.notices.len(), 1, "{:?}", read.notices);
        assert!(plain_text(&read.document).ends_with("After."));
    }
    // The second place of a file, and a place without one.
    let mut docx = with_chunk("chunk.txt", b"Once.");
    docx.document =
        docx.document.map(|text| text.replace(CHUNK, &format!("{CHUNK}{CHUNK}<w:subDoc r:id=\"x\"/>")));
    let read = read(&docx);
    assert_eq!(plain_text(&read.document).matches("Once.").count(), 1);
    assert_eq!(read.notices, ["2 inserted files were left out: they are not HTML, text or Word documents"]);
}

#[test]
fn inserted_files_share_the_bounds_of_the_document() {
    let large = "x ".repeat(3 << 20);
    let read = read(&with_chunk("chunk.txt", large.as_bytes()));
    assert_eq!(plain_text(&read.document).split_whitespace().count(), 2);
    assert_eq!(read.notices.len(), 1);
    let mut inner = Docx::new("");
    inner.document = Some(format!("<w:document>{}</w:document>", " ".repeat(30 << 20)));
    let inner = inner.build();
    let mut docx = Docx::new(&p(&r("Text.")));
    for n in 0..3 {
        docx.relation(&format!("c{n}"), "aFChunk", &format!("{n}.docx"), false);
        docx.part(&format!("word/{n}.docx"), &inner);
    }
    assert!(parse(&docx.build(), &StableRefs).is_ok());
}

#[test]
fn headers_objects_and_notes_are_reported() {
    let header = |inner: &str| {
        format!(
            r#"<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">{inner}</w:hdr>"#
        )
    };
    for (inner, is_reported) in [(p(&r("Confidential")), true), (p(&r("12")), false)] {
        let mut docx = Docx::new(&p(&r("Text.")));
        docx.relation("rId1", "header", "header1.xml", false);
        docx.part("word/header1.xml", header(&inner).as_bytes());
        let expected: &[&str] = if is_reported { &["headers and footers were left out"] } else { &[] };
        assert_eq!(read(&docx).notices, expected);
    }
    let object = |kind: &str| {
        format!(
            "<w:r><w:object><v:shape><v:imagedata r:id=\"rId2\"/></v:shape><o:OLEObject xmlns:o=\"o\" Type=\"Embed\" ProgID=\"{kind}\"/></w:object></w:r>"
        )
    };
    let mut docx = Docx::new(&p(&[object("Excel.Sheet.12"), object("Equation.3")].concat()));
    docx.relation("rId2", "image", "media/image1.png", false);
    docx.part("word/media/image1.png", b"png");
    assert_eq!(read(&docx).notices, ["an embedded file was left out: its picture is shown"]);
    let mut docx = Docx::new(&p("<w:r><w:footnoteReference w:id=\"2\"/></w:r>"));
    docx.footnotes = Some(format!(
        "<w:footnote w:id=\"2\">{}</w:footnote>",
        p(&format!("{}<w:r><w:commentReference w:id=\"0\"/></w:r>", r("Note.")))
    ));
    assert_eq!(read(&docx).notices, ["a comment was left out"]);
}

#[test]
fn words_of_shapes_and_form_fields_are_kept() {
    let canvas = "<w:r><w:drawing><a:graphic><lc:lockedCanvas xmlns:lc=\"lc\"><a:sp><a:txSp><a:txBody><a:p><a:r><a:t>drawn</a:t></a:r></a:p></a:txBody></a:txSp></a:sp></lc:lockedCanvas></a:graphic></w:drawing></w:r>";
    let art = "<w:r><w:pict><v:shape><v:textpath string=\"decorated\"/></v:shape></w:pict></w:r>";
    same(&p(&format!("{}{canvas}{art}", r("text"))), "text\n\ndrawn\n\ndecorated");
    let field = |data: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>{data}</w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
        )
    };
    let list = "<w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"first\"/><w:listEntry w:val=\"second\"/></w:ddList>";
    let ticked = "<w:checkBox><w:default w:val=\"1\"/></w:checkBox>";
    same(&p(&format!("{}{}{}{}", r("Take "), field(list), r(" "), field(ticked))), "Take second ☒");
}
