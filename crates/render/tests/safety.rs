//! User content never executes, loses no words, and produces closed elements.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail as tests do")]

mod support;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use proptest::prelude::*;
use quire_markup::{ContentRef, Document, StableRefs, parse, plain_text};
use quire_render::{Highlighter, Options, Resolved, Target, references, render};
use std::cell::RefCell;
use std::sync::LazyLock;

static HIGHLIGHTER: LazyLock<Highlighter> = LazyLock::new(Highlighter::default);

/// Void elements, which have no end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "col", "wbr"];

/// Elements that a page may contain, including MathML.
const ELEMENTS: [&str; 63] = [
    "a",
    "annotation",
    "article",
    "blockquote",
    "br",
    "button",
    "code",
    "col",
    "colgroup",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "hr",
    "img",
    "input",
    "kbd",
    "li",
    "mark",
    "math",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "ol",
    "p",
    "pre",
    "s",
    "section",
    "semantics",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
];
const MORE: [&str; 5] = ["time", "tr", "ul", "use", "var"];

#[derive(Default)]
struct Check {
    open: RefCell<Vec<String>>,
    faults: RefCell<Vec<String>>,
    words: RefCell<String>,
}

impl Check {
    fn fault(&self, fault: String) {
        self.faults.borrow_mut().push(fault);
    }

    fn start(&self, tag: &Tag) {
        let name = tag.name.to_string();
        if !ELEMENTS.contains(&name.as_str()) && !MORE.contains(&name.as_str()) {
            self.fault(format!("<{name}>"));
        }
        let open = self.open.borrow();
        let within = |outer: &str| open.iter().any(|open| open == outer);
        if matches!(name.as_str(), "a" | "button") && (within("a") || within("button")) {
            self.fault(format!("<{name}> within a link or button"));
        }
        let blocks =
            ["p", "div", "ul", "ol", "figure", "pre", "table", "details", "h2", "h3", "h4", "blockquote"];
        if blocks.contains(&name.as_str()) && within("p") {
            self.fault(format!("<{name}> within <p>"));
        }
        drop(open);
        for attribute in &tag.attrs {
            let attribute_name = attribute.name.local.to_string();
            let value = attribute.value.to_string();
            if attribute_name == "style" || attribute_name.starts_with("on") {
                self.fault(format!("{attribute_name}={value}"));
            }
            if matches!(attribute_name.as_str(), "href" | "src" | "data-frame")
                && !is_harmless(&name, &attribute_name, &value)
            {
                self.fault(format!("<{name} {attribute_name}={value}>"));
            }
        }
        if !VOID.contains(&name.as_str()) && !tag.self_closing {
            self.open.borrow_mut().push(name);
        }
    }
}

/// Returns whether an address is harmless after parsing it as browsers do.
fn is_harmless(element: &str, attribute: &str, address: &str) -> bool {
    let base = url::Url::parse("https://site.example/docs/").unwrap();
    let Ok(url) = base.join(address) else { return true };
    match (element, attribute) {
        (_, "data-frame") => {
            quire_render::FRAME_HOSTS.iter().any(|host| address.starts_with(&format!("{host}/")))
        }
        ("img", _) => matches!(url.scheme(), "http" | "https"),
        _ => matches!(url.scheme(), "http" | "https" | "mailto" | "tel"),
    }
}

impl TokenSink for Check {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => self.start(&tag),
            Token::TagToken(tag) => {
                let last = self.open.borrow_mut().pop();
                if last.as_deref() != Some(&*tag.name) {
                    self.fault(format!("</{}> closes {last:?}", tag.name));
                }
            }
            Token::CharacterTokens(text) => {
                // A formula is rendered twice, as MathML and as its source. Only the source counts as words of the
                // document.
                let open = self.open.borrow();
                let within = |outer: &str| open.iter().any(|open| open == outer);
                if !within("semantics") || within("annotation") {
                    self.words.borrow_mut().push_str(&text);
                }
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) => self.fault("a comment or doctype".to_owned()),
            // Control characters are shown unchanged.
            Token::ParseError(error) if error.starts_with("Bad character") => {}
            Token::ParseError(error) => self.fault(error.to_string()),
            Token::NullCharacterToken | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

/// Parses HTML as a browser does, and returns its words.
fn checked(html: &str) -> Result<String, Vec<String>> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer =
        Tokenizer::new(Check::default(), TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() });
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let check = tokenizer.sink;
    let mut faults = check.faults.take();
    faults.extend(check.open.take().into_iter().map(|open| format!("<{open}> stays open")));
    if faults.is_empty() { Ok(check.words.take()) } else { Err(faults) }
}

fn rendered(document: &Document, resolved: &Resolved) -> String {
    let html = render(document, resolved, &Options::english(&HIGHLIGHTER)).html;
    match checked(&html) {
        Ok(words) => words,
        Err(faults) => panic!("{faults:#?}\n{html}"),
    }
}

/// Returns the letters and digits, which no layout changes.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[test]
fn the_gallery_is_right() {
    let document = support::gallery();
    let words = rendered(&document, &support::resolved(&document));
    for expected in ["Ferry moves files", "Ada Lovelace", "2.1.0", "There is no such pet.", "A note with"] {
        assert!(words.contains(expected), "{expected}");
    }
}

#[test]
fn the_gallery_holds_every_block_and_inline() {
    fn kinds(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
        match value {
            serde_json::Value::Object(object) => {
                found.extend(object.get("type").and_then(|kind| kind.as_str()).map(str::to_owned));
                object.values().for_each(|value| kinds(value, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|value| kinds(value, found)),
            _ => {}
        }
    }
    let mut found = std::collections::BTreeSet::new();
    kinds(&support::gallery().to_json(), &mut found);
    let blocks = quire_markup::BlockKind::ALL.iter().map(|kind| kind.as_str());
    let inlines = quire_markup::InlineKind::ALL.iter().map(|kind| kind.as_str());
    let absent: Vec<&str> = blocks.chain(inlines).filter(|kind| !found.contains(*kind)).collect();
    assert_eq!(absent, ["swagger"], "a golden file has the swagger block");
}

const ADDRESSES: [&str; 18] = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u{1}javascript:alert(1)",
    " javascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://a.example/x",
    "\"><script>alert(1)</script>",
    "' onmouseover='alert(1)",
    "//evil.example/\"onerror=\"alert(1)",
    "x:y",
    "https://a.example/\"><img src=x onerror=alert(1)>",
    "about:blank",
];

const MARKUP: [&str; 10] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</code></pre><script>alert(1)</script>",
    "</p></div></article><svg onload=alert(1)>",
    "\"><iframe src=javascript:alert(1)>",
    "' onfocus='alert(1)' autofocus='",
    "<!--<script>-->",
    "</math><style>*{}</style>",
    "&lt;script&gt;&#60;b&#62;",
    "]]><![CDATA[<b>",
];

/// Returns a document with a text at all positions where users can write.
fn hostile(text: &str) -> Document {
    let quoted = serde_json::to_string(text).unwrap();
    let json = include_str!("support/hostile.json").replace("\"TEXT\"", &quoted);
    Document::from_stored(json.as_bytes()).unwrap()
}

#[test]
fn hostile_texts_are_words() {
    for text in ADDRESSES.iter().chain(&MARKUP) {
        let document = hostile(text);
        let mut resolved = Resolved { shows_all: true, ..Resolved::default() };
        rendered(&document, &resolved);
        for reference in references(&document).targets {
            let text = (*text).to_owned();
            let target = Target {
                address: text.clone(),
                title: text.clone(),
                description: Some(text.clone()),
                emoji: Some(text.clone()),
                ..Target::default()
            };
            resolved.targets.insert(reference, target);
        }
        resolved.values.insert((*text).to_owned(), (*text).to_owned());
        let words = rendered(&document, &resolved);
        assert!(letters(&words).contains(&letters(text)), "{text}");
    }
}

#[test]
fn hostile_specifications_are_words() {
    for text in MARKUP {
        let quoted = serde_json::to_string(text).unwrap();
        let inner = quoted.trim_matches('"');
        let specification = include_str!("support/pets.json");
        for word in [
            "Rex",
            "The pet.",
            "Replace a pet",
            "dog",
            "Tells the owner.",
            "X-Trace",
            "Its version.",
            "owner",
        ] {
            let specification = specification.replace(word, inner);
            let document = support::gallery();
            let mut resolved = support::resolved(&document);
            let pets = ContentRef::OpenApi { spec: "pets".to_owned() };
            resolved.apis.insert(pets, support::pieces(&specification));
            rendered(&document, &resolved);
        }
    }
}

#[test]
fn words_next_to_a_formula_are_kept() {
    let document = parse("a$$<details>$$b", &StableRefs);
    let words = rendered(&document, &Resolved::default());
    assert_eq!(letters(&words), letters(&plain_text(&document)));
}

#[test]
fn deep_and_endless_documents_end() {
    let mut markdown = String::new();
    (0..47).for_each(|depth| markdown.push_str(&format!("{}* level {depth}\n", "  ".repeat(depth))));
    let words = rendered(&parse(&markdown, &StableRefs), &Resolved::default());
    assert!(words.contains("level 46"));
    // A reusable content that includes itself, three times.
    let include = "{% include \"/reusable-contents/r1\" %}\n\n";
    let document = parse(&include.repeat(3), &StableRefs);
    let reference = references(&document).reusable_contents.pop_first().unwrap();
    let mut resolved = Resolved::default();
    resolved.reusable_contents.insert(reference, document.clone());
    assert_eq!(rendered(&document, &resolved).matches("Missing content").count(), 9);
    // Many contents that include many others.
    let names = |level: usize| {
        (0..40)
            .map(move |n| format!("{{% include \"/reusable-contents/l{level}n{n}\" %}}\n\n"))
            .collect::<String>()
    };
    let mut resolved = Resolved::default();
    for level in 1..5 {
        let inner = parse(&format!("{}{}", "words ".repeat(200), names(level + 1)), &StableRefs);
        for n in 0..40 {
            let id = format!("l{level}n{n}");
            resolved
                .reusable_contents
                .insert(ContentRef::ReusableContent { reusable_content: id, space: None }, inner.clone());
        }
    }
    let html = render(&parse(&names(1), &StableRefs), &resolved, &Options::english(&HIGHLIGHTER)).html;
    assert!(html.len() < 20 << 20 && html.contains("class=\"cut\""), "{}", html.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Any Markdown becomes HTML with closed elements, without scripts, and with all its words.
    #[test]
    fn markdown_keeps_its_words(text in "([a-z<>&\"'{}%#*_`|$\\[\\]()!:/\\\\. \n-]|<details>|<summary>|\\{% hint style=\"info\" %\\}|\\{% tabs %\\}|\\{% tab title=\"a\" %\\}|```|\\$\\$|\\| a \\| b \\|\n\\| - \\| - \\|\n|\\[a\\]\\(javascript:b\\)|!\\[c\\]\\(d\\)){0,80}") {
        let document = parse(&text, &StableRefs);
        let words = letters(&rendered(&document, &Resolved { shows_all: true, ..Resolved::default() }));
        for line in plain_text(&document).lines() {
            for word in line.split_whitespace().map(letters).filter(|word| word.len() > 3) {
                prop_assert!(words.contains(&word), "{word:?} of {line:?} is not in {words:?}");
            }
        }
    }

    /// Any text at any position stays text.
    #[test]
    fn any_text_is_escaped(text in "\\PC{0,24}") {
        rendered(&hostile(&text), &Resolved { shows_all: true, ..Resolved::default() });
    }
}
