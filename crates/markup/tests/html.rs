//! HTML → document, for HTML of browsers, generators and office programs.
#![allow(clippy::panic, reason = "helpers of tests may fail as tests do")]

use quire_markup::html::{Extract, HtmlOptions, Parsed, parse};
use quire_markup::{Document, StableRefs, plain_text, print};

fn read(html: &str) -> Parsed {
    parse(html, &HtmlOptions { refs: &StableRefs, extract: Extract::Everything })
}

fn article(html: &str) -> Parsed {
    parse(html, &HtmlOptions { refs: &StableRefs, extract: Extract::Article })
}

/// Returns the Markdown of the document, which shows most of its content. Asserts that the schema allows the document.
fn markdown(html: &str) -> String {
    shown(&read(html).document)
}

fn shown(document: &Document) -> String {
    let json = document.to_json();
    assert_eq!(Document::from_json(&json).as_ref(), Ok(document), "{json:#}");
    print(document, &StableRefs)
}

#[track_caller]
fn same(html: &str, expected: &str) {
    let expected = expected.strip_prefix('\n').unwrap_or(expected);
    assert_eq!(markdown(html).trim_end(), expected.trim_end(), "{html}");
}

#[test]
fn marks_by_name() {
    same(
        "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <code>e</code> <s>f</s> <del>g</del> H<sub>2</sub>O x<sup>2</sup> <kbd>Ctrl</kbd> <u>u</u></p>",
        "**a** **b** _c_ _d_ `e` ~~f~~ ~~g~~ H<sub>2</sub>O x<sup>2</sup> <kbd>Ctrl</kbd> u",
    );
}

#[test]
fn marks_by_style() {
    same(
        r#"<p><span style="font-weight:700">a</span> <span style="font-style: italic">b</span> <span style="text-decoration: line-through">c</span>
           <span style="font-family: 'Courier New', monospace">d</span> <b style="font-weight: normal">e</b>
           x<span style="vertical-align:super">2</span></p>"#,
        "**a** _b_ ~~c~~ `d` e x<sup>2</sup>",
    );
}

#[test]
fn colors_become_names() {
    same(
        r#"<p><span style="color: #cc0000">a</span> <span style="color:#333">b</span> <span style="background-color:rgb(255, 255, 0)">c</span> <mark>d</mark> <font color="blue">e</font>
           <a href="https://x.example/" style="color:#1155cc">f</a></p>"#,
        r#"<mark style="color:red;">a</mark> b <mark style="background-color:yellow;">c</mark> <mark style="background-color:yellow;">d</mark> e [f](https://x.example/)"#,
    );
}

#[test]
fn white_space_collapses_as_in_browsers() {
    same("<p>  a\n  b <b> c </b> d&nbsp; e<br>\n f  </p>  <p> </p>", "a b **c** d\u{a0} e\\\nf");
    same("one <b>two</b>three<div>four</div>five", "one **two**three\n\nfour\n\nfive");
}

#[test]
fn a_link_around_blocks_is_in_each() {
    same(
        r#"<a href="https://a.example/"><h2>Title</h2><p>Text</p></a>"#,
        "## [Title](https://a.example/)\n\n[Text](https://a.example/)",
    );
}

#[test]
fn links_that_run_something_lose_their_address_and_keep_their_words() {
    for href in [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "&#106;avascript:alert(1)",
        "\u{1}javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "blob:https://a/b",
    ] {
        same(&format!("<p><a href=\"{href}\">word</a></p>"), "word");
    }
}

#[test]
fn no_executable_content_survives() {
    let html = r#"<p onclick="evil()">a<script>evil()</script><style>evil{}</style></p><img src="javascript:evil()" onerror="evil()" alt="b">
        <img src="data:image/svg+xml,<svg onload=evil()>" alt="c"><iframe src="javascript:evil()"></iframe><object data="data:text/html,evil"></object>
        <svg onload="evil()"><script>evil()</script><text>d</text></svg><template><p>evil</p></template><noscript>evil</noscript>
        <iframe srcdoc="evil"></iframe><math><annotation-xml encoding="text/html"><script>evil()</script></annotation-xml></math><form action="javascript:evil()"><button formaction="javascript:evil()">e</button></form>"#;
    let document = read(html).document;
    let json = document.to_json().to_string();
    assert!(!json.contains("evil"), "{json}");
    assert_eq!(plain_text(&document).split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
}

#[test]
fn lists_nest_and_keep_their_numbers() {
    same(
        "<ol start=3><li>a<ul><li>b<li>c</ul><li><p>d</p><p>e</p></li><ol><li>f</li></ol></ol>",
        "3. a\n   * b\n   * c\n4.  d\n\n    e\n\n    1. f",
    );
    same("<ol><li value=5>a</li></ol>", "5. a");
    // Numbers that do not follow each other begin lists.
    same("<ol><li>a<li value=9>b<li>c</ol>", "1. a\n\n9) b\n10) c");
    same("<ol reversed><li>a<li>b<li value=7>c</ol>", "3. a\n\n2) b\n\n7. c");
    same("<ol reversed start=5><li>a</ol><ul><li value=3>a</ul>", "5. a\n\n* a");
}

#[test]
fn task_lists_of_all_kinds() {
    let expected = "* [x] a\n* [ ] b";
    same(
        "<ul><li><input type=checkbox checked> a</li><li><label><input type=checkbox> b</label></li></ul>",
        expected,
    );
    same(
        r#"<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div><span class="to-do-children-checked">a</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div><span>b</span></li></ul>"#,
        expected,
    );
    same(
        r#"<ul class="inline-task-list"><li class="checked" data-inline-task-id="1">a</li><li data-inline-task-id="2">b</li></ul>"#,
        expected,
    );
    same(
        r#"<ul data-type="taskList"><li data-checked="true">a</li><li data-checked="false">b</li></ul>"#,
        expected,
    );
}

#[test]
fn definition_lists_become_items() {
    same(
        "<dl><dt>Term</dt><dd>One</dd><dd>Two</dd><div><dt>Other</dt><dd>Three</dd></div></dl>",
        "*   **Term**\n\n    One\n\n    Two\n*   **Other**\n\n    Three",
    );
}

#[test]
fn listings_know_their_language() {
    for html in [
        r#"<pre><code class="language-rust">fn a() {}
    b</code></pre>"#,
        r#"<div class="highlight highlight-source-rust"><pre>fn a() {}
    b</pre></div>"#,
        r#"<pre class="brush: rust; gutter: false">fn a() {}
    b</pre>"#,
        r#"<div class="sourceCode"><pre class="sourceCode rust"><code>fn a() {}
    b
</code></pre></div>"#,
        r#"<pre data-lang="rust">fn a() {}
    b</pre>"#,
        r#"<div class="language-rust"><button class="copy" title="Copy"></button><span class="lang">rust</span><pre class="shiki"><code><span class="line">fn a() {}</span>
<span class="line">    b</span></code></pre></div>"#,
        r#"<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1
2</pre></div></td><td class="code"><div class="highlight"><pre><code class="language-rust">fn a() {}
    b</code></pre></div></td></tr></table>"#,
        r#"<div class="codeBlockContainer_x language-rust"><div class="codeBlockContent"><pre class="prism-code language-rust"><code><span class="token-line">fn a() {}<br></span><span class="token-line">    b<br></span></code></pre><div class="buttonGroup"><button>Copy</button></div></div></div>"#,
        "<pre class='language-rust'><div class=line>fn a() {}</div><div class=line>    b</div></pre>",
    ] {
        same(html, "```rust\nfn a() {}\n    b\n```");
    }
}

#[test]
fn listings_have_titles_and_highlighted_lines() {
    let html = r#"<div class="codeBlockContainer_a"><div class="codeBlockTitle_b">src/main.rs</div><pre class="language-rust"><code><span class="token-line">a<br></span><span class="token-line theme-code-block-highlighted-line">b<br></span><span class="token-line">c<br></span></code></pre></div>"#;
    let document = read(html).document;
    let [code] = document.nodes.as_slice() else { panic!("{document:?}") };
    assert_eq!(code.str("title"), Some("src/main.rs"));
    let highlighted: Vec<bool> = code.child_blocks().iter().map(|line| line.flag("highlighted")).collect();
    assert_eq!(highlighted, [false, true, false]);
    same(
        "<figure><figcaption>a.sh</figcaption><pre>ls</pre></figure>",
        "{% code title=\"a.sh\" %}\n```\nls\n```\n{% endcode %}",
    );
}

#[test]
fn tables_with_spans_keep_each_cell_in_its_column() {
    same(
        "<table><thead><tr><th>A<th align=right>B<th>C</thead><tr><td rowspan=2>1<td>2<td>3<tr><td colspan=2>4<tr><td>5<td><td>6</table>",
        "| A | B  | C |\n| - | -: | - |\n| 1 | 2  | 3 |\n|   | 4  |   |\n| 5 |    | 6 |",
    );
}

#[test]
fn tables_that_only_arrange_are_passed() {
    same("<table role=presentation><tr><td><p>a</p><td>b</table>", "a\n\nb");
    same("<table><tr><td><h2>a</h2><p>b</p></table>", "## a\n\nb");
}

#[test]
fn cells_hold_blocks_and_headers_of_rows_are_bold() {
    let document = read("<table><caption>Cap</caption><tr><th>A</th><th>B</th></tr><tr><th>x</th><td><ul><li>1</li><li>2</li></ul><pre>y</pre></td></tr></table>").document;
    let text = plain_text(&document);
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["Cap", "A", "B", "x", "1", "2", "y"]);
    assert!(shown(&document).contains("<strong>x</strong>"), "{}", shown(&document));
}

#[test]
fn figures_have_captions() {
    same(
        r#"<figure><img src="a.png" alt="A" width="300" height=200><figcaption>The <b>caption</b></figcaption></figure>"#,
        r#"<figure><img src="a.png" alt="A" width="300" height="200"><figcaption><p>The <strong>caption</strong></p></figcaption></figure>"#,
    );
}

#[test]
fn images_in_all_their_forms() {
    assert_eq!(
        read(r#"<p><img src="data:image/gif;base64,R0" data-src="late.png"> <img srcset="s.png 1x, t.png 2x"> <picture><source srcset="p.webp"><img></picture>
            <img class="emoji" alt="😄" src="smile.png"><img src="pixel.gif" width=1 height=1> <a href="big.png"><img src="small.png"></a></p>"#).images,
        ["late.png", "s.png", "p.webp", "small.png"]
    );
    same(
        r#"<p>See <img src="i.svg" height=16 alt="i"> here</p>"#,
        r#"See <img src="i.svg" alt="i" data-size="line"> here"#,
    );
    same(
        r#"<a href="big.png"><img src="small.png" alt="x"></a>"#,
        r#"<figure><img src="small.png" alt="x"><figcaption></figcaption></figure>"#,
    );
}

#[test]
fn details_become_expandables() {
    same(
        "<details open><summary>More <b>here</b></summary><p>a</p><details><summary>b</summary>c</details></details>",
        "<details open>\n\n<summary>More <strong>here</strong></summary>\n\na\n\n<details>\n\n<summary>b</summary>\n\nc\n\n</details>\n\n</details>",
    );
}

#[test]
fn callouts_of_all_generators() {
    let cases = [
        (
            r#"<div class="theme-admonition theme-admonition-note admonition_x alert alert--secondary"><div class="admonitionHeading_y"><span class="admonitionIcon_z"><svg></svg></span>note</div><div class="admonitionContent_w"><p>Text</p></div></div>"#,
            "info",
        ),
        (
            r#"<div class="admonition warning"><p class="admonition-title">Warning</p><p>Text</p></div>"#,
            "warning",
        ),
        (
            r#"<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title"><svg></svg>Caution</p><p>Text</p></div>"#,
            "danger",
        ),
        (
            r#"<div class="confluence-information-macro confluence-information-macro-note"><span class="aui-icon aui-icon-small"> </span><div class="confluence-information-macro-body"><p>Text</p></div></div>"#,
            "warning",
        ),
        (
            r#"<div class="custom-block tip"><p class="custom-block-title">TIP</p><p>Text</p></div>"#,
            "success",
        ),
        (
            r#"<aside aria-label="Note" class="starlight-aside starlight-aside--danger"><p class="starlight-aside__title">Danger</p><div class="starlight-aside__content"><p>Text</p></div></aside>"#,
            "danger",
        ),
        (
            r#"<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Text</td></tr></table></div>"#,
            "success",
        ),
        (r#"<div class="alert alert-info" role="alert">Text</div>"#, "info"),
        (
            r#"<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="width:100%"><p>Text</p></div></figure>"#,
            "info",
        ),
        (r#"<blockquote class="callout callout_error"><p>Text</p></blockquote>"#, "danger"),
        (r#"<div class="warning"><p>Text</p></div>"#, "warning"),
    ];
    for (html, style) in cases {
        same(html, &format!("{{% hint style=\"{style}\" %}}\nText\n{{% endhint %}}"));
    }
    same(
        r#"<div class="admonition note"><p class="admonition-title">Before you begin</p><p>Text</p></div>"#,
        "{% hint style=\"info\" %}\n**Before you begin**\n\nText\n{% endhint %}",
    );
}

#[test]
fn tabs_of_generators() {
    let expected = "{% tabs %}\n{% tab title=\"One\" %}\na\n{% endtab %}\n\n{% tab title=\"Two\" %}\nb\n{% endtab %}\n{% endtabs %}";
    same(
        r#"<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">One</li><li role="tab">Two</li></ul><div><div role="tabpanel"><p>a</p></div><div role="tabpanel" hidden><p>b</p></div></div></div>"#,
        expected,
    );
    same(
        r#"<div class="tabbed-set"><input type="radio"><input type="radio"><div class="tabbed-labels"><label for="t1">One</label><label for="t2">Two</label></div><div class="tabbed-content"><div class="tabbed-block"><p>a</p></div><div class="tabbed-block"><p>b</p></div></div></div>"#,
        expected,
    );
    same(
        r#"<div class="sd-tab-set docutils"><input type="radio"><label class="sd-tab-label">One</label><div class="sd-tab-content"><p>a</p></div><input type="radio"><label class="sd-tab-label">Two</label><div class="sd-tab-content"><p>b</p></div></div>"#,
        expected,
    );
}

#[test]
fn formulas_keep_their_tex() {
    let katex = r#"<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>"#;
    same(&format!("<p>a {katex} b</p>"), "a $$x^2$$ b");
    same(&format!("<span class=katex-display>{katex}</span>"), "$$\nx^2\n$$");
    same(
        r#"<p>a <span class="MathJax_Preview">x</span><span class="MathJax">x</span><script type="math/tex">x^2</script> b</p>"#,
        "a $$x^2$$ b",
    );
    same(
        r#"<p>a <span class="math inline">\(x^2\)</span></p><div class="math notranslate">\[y\]</div>"#,
        "a $$x^2$$\n\n$$\ny\n$$",
    );
    same(
        "<math display=block><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mn>2</mn></msqrt></mfrac><mo>≤</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msup><mi>α</mi><mn>2</mn></msup></math>",
        "$$\n\\frac{a+b}{\\sqrt{2}}\\le\\sum_{i=1}^{n}\\alpha^{2}\n$$",
    );
}

#[test]
fn headings_are_found_by_the_names_that_links_use() {
    let page = read(
        r##"<h1 id="top">T</h1><p><a href="#Set_Up">s</a> <a href="#deep">d</a> <a href="#intro">i</a></p><section id="intro"><h2>Introduction<a class="headerlink" href="#intro">¶</a></h2></section>
            <h2><a name="Set_Up"></a>Set Up</h2><p id="deep">x</p><h3 id="plain">Plain</h3>"##,
    );
    assert_eq!(page.title.as_deref(), Some("T"));
    assert_eq!(
        shown(&page.document).trim_end(),
        "[s](#set_up) [d](#set_up) [i](#intro)\n\n## Introduction <a href=\"#intro\" id=\"intro\"></a>\n\n## Set Up <a href=\"#set_up\" id=\"set_up\"></a>\n\nx\n\n### Plain"
    );
    let anchors: Vec<(&str, &str)> =
        page.anchors.iter().map(|(id, anchor)| (id.as_str(), anchor.as_str())).collect();
    assert_eq!(
        anchors,
        [("Set_Up", "set_up"), ("deep", "set_up"), ("intro", "intro"), ("plain", "plain"), ("top", "")]
    );
}

#[test]
fn google_docs_styles_and_lists() {
    let html = r##"<html><head><style type="text/css">@import url(https://themes.googleusercontent.com/fonts/css);ol.lst-kix_a-0{list-style-type:none}.lst-kix_a-1>li:before{content:"o  "}
        .c0{font-weight:700}.c1{font-style:italic}.c2{text-decoration:line-through}.c3{color:#000000;font-weight:400;text-decoration:none;vertical-align:baseline;font-size:11pt;font-family:"Arial";font-style:normal}.c4{background-color:#ffff00}</style></head>
        <body class="c9 doc-content"><p class="c5 title" id="h.abc"><span class="c3">My Doc</span></p><h1 class="c6" id="h.def"><span class="c3">Part</span></h1>
        <p class="c7"><span class="c0">bold</span><span class="c3"> and </span><span class="c1">it</span><span class="c2">gone</span><span class="c4">marked</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup></p>
        <ul class="c8 lst-kix_a-0 start"><li class="c9 li-bullet-0"><span class="c3">one</span></li></ul><ul class="c8 lst-kix_a-1 start"><li><span>deep</span></li></ul><ul class="c8 lst-kix_a-0"><li><span>two</span></li></ul>
        <ol class="c8 lst-kix_b-0 start" start="1"><li><span>first</span></li></ol><ol class="lst-kix_b-1 start" start="1"><li><span>inner</span></li></ol><ol class="c8 lst-kix_b-0" start="2"><li><span>second</span></li></ol>
        <p><a class="c10" href="https://www.google.com/url?q=https://example.com/a%3Fb%3Dc&amp;sa=D&amp;source=editors">link</a> <a href="#h.def">to part</a></p></body></html>"##;
    let page = read(html);
    assert_eq!(page.title.as_deref(), Some("My Doc"));
    assert_eq!(
        shown(&page.document).trim_end(),
        "## Part\n\n**bold** and <em>it</em>~~gone~~<mark style=\"background-color:yellow;\">marked</mark>[<sup>\\[1\\]</sup>](#ftnt1)\n\n* one\n  * deep\n* two\n\n1. first\n   1. inner\n2. second\n\n[link](https://example.com/a?b=c) [to part](#part)"
    );
}

#[test]
fn words_lists_are_lists() {
    let html = r#"<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt'>&nbsp;&nbsp; </span></span><![endif]>One<o:p></o:p></p>
        <p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>a.<span>&nbsp;</span></span><![endif]>Sub</p>
        <p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span><![endif]>Two</p>
        <p class=MsoNormal style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>Dot</p>"#;
    same(html, "1. One\n   1. Sub\n2. Two\n\n* Dot");
}

#[test]
fn articles_exclude_the_site() {
    let html = r##"<html><head><title>Install | Docs</title><meta name="description" content="How to  install"></head><body>
        <nav><ul><li><a href="/a">Alpha</a><ul><li><a href="/a/b">Beta</a></li></ul></li></ul></nav><header>Site</header>
        <main><div class="breadcrumbs">Home</div><article><h1>Install</h1><p>Run the installer and wait. <a href="next">Next</a></p><div class="admonition note"><p>Mind.</p></div></article><footer>Edit this page</footer></main><footer>©</footer></body></html>"##;
    let page = article(html);
    assert_eq!(page.title.as_deref(), Some("Install"));
    assert_eq!(page.head_title.as_deref(), Some("Install | Docs"));
    assert_eq!(page.description.as_deref(), Some("How to install"));
    assert_eq!(
        shown(&page.document).trim_end(),
        "Run the installer and wait. [Next](next)\n\n{% hint style=\"info\" %}\nMind.\n{% endhint %}"
    );
    let links: Vec<(&str, &str, bool, usize)> =
        page.links.iter().map(|l| (l.href.as_str(), l.text.as_str(), l.in_navigation, l.depth)).collect();
    assert_eq!(links, [("/a", "Alpha", true, 1), ("/a/b", "Beta", true, 2), ("next", "Next", false, 0)]);
    // A permalink in a title outside the article is not part of the title.
    let outside =
        "<h1>Set up<a href=\"/x#set-up\">¶</a></h1><main><p>Some words that make an article.</p></main>";
    assert_eq!(article(outside).title.as_deref(), Some("Set up"));
}

#[test]
fn short_articles_are_not_the_pages_around_them() {
    let around = |article: &str| {
        format!(
            "<body><div class=banner>Join us at the conference</div>{article}<p>All rights reserved.</p></body>"
        )
    };
    for (html, expected) in [
        ("<div id='main-content' class='wiki-content'></div>", ""),
        ("<article class='theme-doc-markdown'>TBD</article>", "TBD"),
        ("<main><p>Coming soon.</p></main>", "Coming soon."),
        ("<article>Später mehr</article>", "Später mehr"),
        ("<div class='content'><p>请先安装软件。</p></div>", "请先安装软件。"),
        // An empty element may be filled by a script, and another one contains the words.
        (
            "<div class='markdown-body'></div><div class='rst-content'>Run the installer.</div>",
            "Run the installer.",
        ),
        ("<div id='content'>Menu</div>", "Join us at the conference\n\nMenu\n\nAll rights reserved."),
    ] {
        assert_eq!(shown(&article(&around(html)).document).trim_end(), expected, "{html}");
    }
}

#[test]
fn navigation_of_docbook_is_not_content() {
    let html = "<body><div class='navheader'><table><tr><th>Title</th></tr><tr><td>Prev</td></tr></table></div>\
                <ul class='docnav'><li>Next</li></ul><div class='section'><p>Words of the page itself.</p></div>\
                <div class='navfooter'>Home</div></body>";
    assert_eq!(shown(&article(html).document).trim_end(), "Words of the page itself.");
    same(html, "Words of the page itself.");
}

#[test]
fn parts_of_lines_stay_in_their_lines() {
    same(
        "<pre><code># </code><strong><code>dpkg -i x</code></strong>\n<code>(Reading</code></pre>",
        "```\n# dpkg -i x\n(Reading\n```",
    );
    same("<pre><code>a </code><code>b</code>\n<code>c</code></pre>", "```\na b\nc\n```");
    same("<pre><code>a</code><code>b</code></pre>", "```\na\nb\n```");
}

#[test]
fn readings_are_in_parentheses() {
    same("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby></p>", "漢(かん)字(じ)");
}

#[test]
fn macros_and_layouts_of_confluence() {
    same(
        "<div id='expander-1' class='expand-container'><div class='expand-control'><span class='expand-control-icon'><img src='arrow.png'></span>\
         <span class='expand-control-text'>More</span></div><div class='expand-content'><p>Hidden words.</p></div></div>",
        "<details>\n\n<summary>More</summary>\n\nHidden words.\n\n</details>",
    );
    same(
        "<p><img class='emoticon' data-emoji-fallback='🔵' alt='(blue circle)'> <img class='emoticon emoticon-tick' alt='(tick)'> <img class='emoticon' data-emoji-fallback=':ours:' alt=':ours:'></p>",
        "🔵 ✅ :ours:",
    );
    same(
        "<div class='columnLayout two-equal'><div class='cell'><div class='innerCell'><p>Left</p></div></div><div class='cell'><div class='innerCell'><p>Right</p></div></div></div>\
         <div class='columnLayout single'><div class='cell'><p>Whole</p></div></div>",
        "{% columns %}\n{% column %}\nLeft\n{% endcolumn %}\n\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}\n\nWhole",
    );
}

#[test]
fn tables_of_former_macros_of_confluence_are_hints() {
    for (class, style) in
        [("infoMacro", "info"), ("noteMacro", "warning"), ("warningMacro", "danger"), ("tipMacro", "success")]
    {
        same(
            &format!(
                "<table class='{class}'><colgroup><col width='24'><col></colgroup><tr><td valign='top'><img src='i.gif'></td>\
                 <td><b>Title</b><p>Some <i>words</i>.</p></td></tr></table>"
            ),
            &format!("{{% hint style=\"{style}\" %}}\n**Title**\n\nSome _words_.\n{{% endhint %}}"),
        );
    }
}

#[test]
fn embeds_are_of_the_web() {
    same(
        r#"<iframe src="//www.youtube.com/embed/x"></iframe>"#,
        "{% embed url=\"https://www.youtube.com/embed/x\" %}",
    );
    same(
        r#"<video><source src="a.mp4"></video><iframe src="about:blank"></iframe>"#,
        "{% embed url=\"a.mp4\" %}",
    );
}

#[test]
fn captions_of_figures_in_figures_all_stay() {
    same(
        "<figure><figure><img src='a.png'><figcaption>inner</figcaption></figure><figcaption>outer</figcaption></figure>",
        "<figure><img src=\"a.png\" alt=\"\"><figcaption><p>inner</p><p>outer</p></figcaption></figure>",
    );
}

#[test]
fn surroundings_of_google_docs_are_left_out_and_its_footnotes_are_annotations() {
    let html = r##"<body class="c4 doc-content"><div><p><span>Draft 3</span></p></div>
        <p class="c1 title" id="h.a"><span>Plan</span></p>
        <p><span>First</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span> and second</span><sup><a href="#ftnt2" id="ftnt_ref2">[2]</a></sup><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup><span>.</span></p>
        <div><p><span>Page 1</span></p></div><hr class="c2">
        <div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;See </span><b>there</b>.</p><p><span>More.</span></p></div>
        <div><p><a href="#ftnt_ref2" id="ftnt2">[2]</a><span>&nbsp;Other.</span></p></div>
        <div class="c3"><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Really?</span></p></div></body>"##;
    let page = read(html);
    assert_eq!(page.title.as_deref(), Some("Plan"));
    let text = shown(&page.document);
    assert_eq!(
        text.trim_end(),
        "First[1](#user-content-fn-1)[^1] and second[2](#user-content-fn-2)[^2].\n\n[^1]: See **there**.\n\n    More.\n\n[^2]: Other."
    );
}

#[test]
fn footnotes_of_other_programs_are_annotations() {
    for html in [
        // pandoc, GitHub
        r##"<p>A<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> b</p><section class="footnotes"><hr/><ol><li id="fn1"><p>Note.<a href="#fnref1" class="footnote-back">↩</a></p></li></ol></section>"##,
        // kramdown, Python-Markdown
        r##"<p>A<sup id="fnref:1"><a href="#fn:1" class="footnote">1</a></sup> b</p><div class="footnotes"><ol><li id="fn:1"><p>Note. <a href="#fnref:1" class="reversefootnote">↩</a></p></li></ol></div>"##,
        // Sphinx
        r##"<p>A<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span>[</span>1<span>]</span></a> b</p><aside class="footnote" id="id2" role="doc-footnote"><span class="label"><span>[</span><a role="doc-backlink" href="#id1">1</a><span>]</span></span><p>Note.</p></aside>"##,
        // DocBook
        r##"<p>A<a href="#ftn.a" class="footnote" id="a"><sup class="footnote">[1]</sup></a> b</p><div class="footnotes"><br/><hr/><div id="ftn.a" class="footnote"><p><a href="#a" class="para"><sup class="para">[1] </sup></a>Note.</p></div></div>"##,
        // Word
        r##"<p>A<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> b</p><div><br clear=all><hr><div id=ftn1><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> Note.</p></div></div>"##,
        // mdBook
        r##"<p>A<sup class="footnote-reference"><a href="#1">1</a></sup> b</p><div class="footnote-definition" id="1"><sup class="footnote-definition-label">1</sup><p>Note.</p></div>"##,
    ] {
        assert_eq!(
            shown(&read(html).document).trim_end(),
            "A[1](#user-content-fn-1)[^1] b\n\n[^1]: Note.",
            "{html}"
        );
    }
}

#[test]
fn links_that_are_no_footnotes_stay_links() {
    for html in [
        r##"<p><a href="#s1" id="t1">1</a></p><div id="s1"><h2><a href="#t1">One</a></h2><p>Text.</p></div>"##,
        r##"<p><a href="#p2">2</a></p><p id="p2">Second page.</p>"##,
        r##"<p id="p1"><a href="#p1" id="p1a">1</a> Text.</p>"##,
    ] {
        assert!(!shown(&read(html).document).contains("[^"), "{html}");
    }
}
