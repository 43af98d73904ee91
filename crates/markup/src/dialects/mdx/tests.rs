use super::*;
use crate::limits::markdown::MAX_CONSTANT_BYTES;
use crate::{StableRefs, parse, print};

/// Returns the Markdown of the document of an MDX page.
fn read(source: &str) -> String {
    print(&parse(&mdx(source).text, &StableRefs), &StableRefs)
}

fn left(source: &str) -> Vec<String> {
    mdx(source).left
}

#[test]
fn content_of_elements_is_markdown() {
    for (source, expected) in [
        ("<div align=\"center\">\n[![alt](a.png)](u)\n**b**\n</div>\n", "[![alt](a.png)](u) **b**\n"),
        ("<p>*it*</p>\n", "_it_\n"),
        (
            "<Fragment set:html={\"<pre><code>a \\\"b\\\"<br />c</code></pre>\"} />\n",
            "```\na \"b\"\nc\n```\n",
        ),
        ("<p align=\"center\">\n  <b>a</b> *b*\n</p>\n", "**a** _b_\n"),
        ("Text <ins style={{background: '#5'}} className=\"c\" /> more.\n", "Text  more.\n"),
        ("### alert() <div className=\"label ios\">iOS</div>\n", "### alert() iOS\n"),
        ("A **<X /> b** and **c**<X /> d.\n", "A **b** and **c** d.\n"),
        (
            "<Unknown x={1}>\n\nSome *prose*.\n\n## Heading\n</Unknown>\nAfter.\n",
            "Some _prose_.\n\n## Heading\n\nAfter.\n",
        ),
        ("<Link to=\"/a\">A link</Link> begins a sentence.\n", "[A link](/a) begins a sentence.\n"),
        ("<>Fragment</>\n", "Fragment\n"),
        ("<br/>\n[a](b) *c*\n", "[a](b) _c_\n"),
        (
            "<details>\n  <summary>A **b** `c`</summary>\n  * d\n</details>\n",
            "<details>\n\n<summary>A <strong>b</strong> <code>c</code></summary>\n\n* d\n\n</details>\n",
        ),
    ] {
        assert_eq!(read(source), expected, "{source}\n{}", mdx(source).text);
    }
}

#[test]
fn expressions_have_their_texts() {
    for (source, expected) in [
        ("a {/* comment */} b {'*c*'} {`d`}{\" \"}e\n", "a  b \\*c\\* d e\n"),
        ("export const version = '1.2';\n\nVersion {version}.\n", "Version 1.2.\n"),
        ("## Title {#my-id}\n", "## Title <a href=\"#my-id\" id=\"my-id\"></a>\n"),
        ("## Title {/* #my-id */}\n", "## Title <a href=\"#my-id\" id=\"my-id\"></a>\n"),
        ("## Title [#my-id] [!toc]\n", "## Title <a href=\"#my-id\" id=\"my-id\"></a>\n"),
        ("`{code}` and \\{ escaped } and {{ twice }}\n", "`{code}` and { escaped } and {{ twice }}\n"),
        ("A {{{ .starter }}} instance\n", "A {{{ .starter }}} instance\n"),
        (
            "import Logo from './logo.png'\n\n<img src={Logo} alt={`a b`} />\n",
            "<figure><img src=\"./logo.png\" alt=\"a b\"><figcaption></figcaption></figure>\n",
        ),
        ("<CodeBlock language=\"js\">{`let a = '<b>';`}</CodeBlock>\n", "```js\nlet a = '<b>';\n```\n"),
        (
            "1.  ```ts\n    return { data: Data }\n    ```\n2. b\n",
            "1. ```ts\n   return { data: Data }\n   ```\n2. b\n",
        ),
        ("<Explained title=\"In detail\">\n\nText.\n\n</Explained>\n", "**In detail**\n\nText.\n"),
        ("Text {<b>bold</b>} and {beta && (<Badge>Beta</Badge>)}.\n", "Text **bold** and Beta.\n"),
        (
            "Run {'a ' + name + \"b\"} with {translate('Some *words*', 2)}.\n",
            "Run a b with Some \\*words\\*.\n",
        ),
        (
            "<CodeBlock language=\"sh\">\n{`npx x --version ${getVersion()}`}\n</CodeBlock>\n",
            "```sh\nnpx x --version ${getVersion()}\n```\n",
        ),
        (
            "<Code lang=\"sh\" wrap={false} code={`\ncurl v${version}/a\n`} />\n",
            "```sh\ncurl v${version}/a\n```\n",
        ),
    ] {
        assert_eq!(read(source), expected, "{source}\n{}", mdx(source).text);
    }
    assert_eq!(left("Hello {props.name.map(x => x)} there.\n"), ["{props.name.map(x => x)}"]);
}

#[test]
fn words_in_attributes_are_kept() {
    for (source, expected) in [
        (
            "<Home title=\"A B\" subTitle=\"Some words.\" ctaLabel=\"Start\" ctaLink=\"/start\">\n\nText.\n\n</Home>\n",
            "**A B**\n\nSome words.\n\n[Start](/start)\n\nText.\n",
        ),
        ("<Promo href=\"/a\" label=\"A\" icon=\"x\">\n  Text.\n</Promo>\n", "[**A**](/a)\n\nText.\n"),
        ("<Promo href=\"/a\" title=\"A\" description=\"B c.\" />\n", "[A](/a)\n\nB c.\n"),
        ("A <Term title=\"its meaning\">word</Term> here.\n", "A word (its meaning) here.\n"),
        ("A <Mark label=\"Note\" description=\"b\" /> here.\n", "A Note, b here.\n"),
        ("<CodeGroup title=\"The file\">\n```sh\na\n```\n</CodeGroup>\n", "**The file**\n\n```sh\na\n```\n"),
        (
            "<Commands npm=\"npm i x\" yarn=\"yarn add x\" />\n",
            "{% tabs %}\n{% tab title=\"npm\" %}\n```sh\nnpm i x\n```\n{% endtab %}\n\n{% tab title=\"yarn\" %}\n```sh\nyarn add x\n```\n{% endtab %}\n{% endtabs %}\n",
        ),
        ("<Run command=\"check ./src\" />\n", "```sh\ncheck ./src\n```\n"),
        ("<Config\n  isShort\n  settings={`\n    plugins: [a()],\n  `}\n/>\n", "```\nplugins: [a()],\n```\n"),
        ("<Player title={t('A film')} />\n", "A film\n"),
        (
            "<Shot src=\"/a.png\" alt=\"A b\" />\n",
            "<figure><img src=\"/a.png\" alt=\"A b\"><figcaption></figcaption></figure>\n",
        ),
        ("<Icon title=\"x\" /> <Thing name=\"thing\" />Text.\n", "Text.\n"),
    ] {
        assert_eq!(read(source), expected, "{source}\n{}", mdx(source).text);
    }
}

#[test]
fn a_call_out_behind_a_listing_that_is_not_indented_is_a_hint() {
    let source = "<Step title=\"S\">\n    Text:\n\n```js\na\n```\n\n    <Info>\n      Mind *it*.\n    </Info>\n\n    More.\n</Step>\n";
    assert_eq!(
        read(source),
        "**S**\n\nText:\n\n```js\na\n```\n\n{% hint style=\"info\" %}\nMind _it_.\n{% endhint %}\n\nMore.\n"
    );
}

#[test]
fn a_listing_in_a_figure_stays_a_listing() {
    let source =
        "<figure>\n\n```d2\na: {\n\n}\n```\n\n<figcaption>A *b*.</figcaption>\n</figure>\n\n## Next\n";
    assert_eq!(read(source), "```d2\na: {\n\n}\n```\n\nA _b_.\n\n## Next\n");
}

#[test]
fn elements_in_expressions_are_bounded() {
    let deep = format!("{}x{}\n", "{<a>".repeat(2_000), "</a>}".repeat(2_000));
    assert!(mdx(&deep).text.len() < 2 * deep.len());
    let unclosed = "{<b>x} and *more*\n\n## Next\n";
    assert!(read(unclosed).contains("## Next"), "{}", read(unclosed));
}

#[test]
fn there_is_no_code_by_indentation() {
    let source = "Text.\n\n    ```js\n    <Tabs>\n    ```\n\n    Prose *here*.\n\n- item\n\n    its text\n";
    assert_eq!(read(source), "Text.\n\n```js\n<Tabs>\n```\n\nProse _here_.\n\n*   item\n\n    its text\n");
}

#[test]
fn tabs_steps_and_cards_become_blocks() {
    let tabs = "{% tabs %}\n{% tab title=\"npm\" %}\nA\n{% endtab %}\n\n{% tab title=\"yarn\" %}\nB\n{% endtab %}\n{% endtabs %}\n";
    for source in [
        "<Tabs>\n  <TabItem label=\"npm\">A</TabItem>\n  <TabItem label={`yarn`}>\n    B\n  </TabItem>\n</Tabs>\n",
        "<Tabs items={['npm', \"yarn\"]}>\n  <Tabs.Tab>A</Tabs.Tab>\n  <Tabs.Tab>B</Tabs.Tab>\n</Tabs>\n",
        "<Tabs><Tab title=\"npm\">\nA\n</Tab><Tab title=\"yarn\">\nB\n</Tab></Tabs>\n",
    ] {
        assert_eq!(read(source), tabs, "{source}\n{}", mdx(source).text);
    }
    let group =
        read("<CodeGroup>\n```bash npm\nnpm i\n```\n```bash title=\"yarn\"\nyarn\n```\n</CodeGroup>\n");
    assert!(
        group.contains("{% tab title=\"npm\" %}\n```bash") && group.contains("{% tab title=\"yarn\" %}"),
        "{group}"
    );
    let steps = read(
        "<Steps>\n  <Step title=\"One\">\n    Do *it*.\n  </Step>\n  <Step title=\"Two\">Done.</Step>\n</Steps>\n",
    );
    assert_eq!(
        steps,
        "{% stepper %}\n{% step %}\n### One\n\nDo _it_.\n{% endstep %}\n\n{% step %}\n### Two\n\nDone.\n{% endstep %}\n{% endstepper %}\n"
    );
    // Steps of Starlight are a list.
    assert_eq!(read("<Steps>\n\n1. a\n\n2. b\n\n</Steps>\n"), "1. a\n2. b\n");
    let cards = "<CardGroup cols={2}>\n  <Card title=\"A\" href=\"/a\" icon=\"x\">\n    Some *text*.\n  </Card>\n  <Card title=\"B\">\n    More.\n  </Card>\n</CardGroup>\n";
    let document = parse(&mdx(cards).text, &StableRefs);
    assert_eq!(document.nodes.len(), 1, "{}", mdx(cards).text);
    let printed = print(&document, &StableRefs);
    assert!(
        printed.contains("data-view=\"cards\"")
            && printed.contains("<em>text</em>")
            && printed.contains("/a"),
        "{printed}"
    );
    assert_eq!(read("<Card title=\"A\" href=\"/a\">Text</Card>\n"), "[**A**](/a)\n\nText\n");
}

#[test]
fn call_outs_of_all_generators_are_hints() {
    for source in [
        "<Tip>Mind *it*.</Tip>\n",
        "<Tip>\n    Mind *it*.\n</Tip>\n",
        "<Callout type=\"tip\">\n  Mind *it*.\n</Callout>\n",
        "<Aside type=\"tip\">Mind *it*.</Aside>\n",
        "<Admonition type={'tip'}>\n\nMind *it*.\n\n</Admonition>\n",
        ":::tip\nMind *it*.\n:::\n",
    ] {
        assert_eq!(read(source), "{% hint style=\"success\" %}\nMind _it_.\n{% endhint %}\n", "{source}");
    }
    let source = ":::tip[A [b]] Mind *it*.\nMore.\n:::\n";
    assert_eq!(
        read(source),
        "{% hint style=\"success\" %}\n**A \\[b]**\n\nMind _it_. More.\n{% endhint %}\n"
    );
    // Prettier indents the end of the container into the list before it.
    let source = ":::info\nText:\n\n- a\n- b\n  :::\n\nAfter.\n";
    assert_eq!(read(source), "{% hint style=\"info\" %}\nText:\n\n* a\n* b\n{% endhint %}\n\nAfter.\n");
    let in_list = "1. One\n\n   <Note>\n   In it.\n   </Note>\n\n2. Two\n";
    let document = parse(&mdx(in_list).text, &StableRefs);
    assert_eq!(document.nodes.len(), 1, "{}", mdx(in_list).text);
}

#[test]
fn pictures_frames_and_films_are_blocks() {
    for (source, expected) in [
        (
            "<Frame caption=\"A *caption*\">\n  <img src=\"/a.png\" alt=\"A\" style={{width: '1em'}} />\n</Frame>\n",
            "<figure><img src=\"/a.png\" alt=\"A\"><figcaption><p>A <em>caption</em></p></figcaption></figure>\n",
        ),
        (
            "<Frame>\n  <img src=\"/a.png\" />\n</Frame>\n## Next\n",
            "<figure><img src=\"/a.png\" alt=\"\"><figcaption></figcaption></figure>\n\n## Next\n",
        ),
        (
            "<iframe src=\"https://www.youtube.com/embed/ID\" allow={x}></iframe>\n",
            "{% embed url=\"https://www.youtube.com/embed/ID\" %}\n",
        ),
        ("<YouTube id=\"ID\" />\n", "{% embed url=\"https://www.youtube.com/watch?v=ID\" %}\n"),
        (
            "<video controls>\n  <source src=\"https://e.com/a.mp4\" />\n</video>\n",
            "{% embed url=\"https://e.com/a.mp4\" %}\n",
        ),
        (
            "<ThemedImage sources={{ light: 'l.png', dark: 'd.png' }} alt=\"T\" />\n",
            "<figure><img src=\"l.png\" alt=\"T\"><figcaption></figcaption></figure>\n",
        ),
    ] {
        assert_eq!(read(source), expected, "{source}\n{}", mdx(source).text);
    }
}

#[test]
fn modules_and_components_without_words_are_left_out_and_named() {
    let source = "import {A} from 'a'\nimport B from 'b';\n\nexport const x = () => {\n  return <p>Don't {`}`}</p>;\n};\n\n<Chart data={[1, 2]} />\n\n<style jsx>{`a { b: c }`}</style>\n\nText.\n";
    assert_eq!(read(source), "Text.\n");
    assert_eq!(left(source), ["<Chart>", "<style>"]);
    for prose in ["import taxes are high.\n", "exports are low.\n", "a < b and c > d\n", "<https://e.com>\n"]
    {
        assert_eq!(mdx(prose).text, prose);
    }
}

#[test]
fn a_heading_in_an_open_element_is_a_heading() {
    assert_eq!(read("<Tabs>\n\n## Open\n\nText.\n"), "## Open\n\nText.\n");
    assert_eq!(read("</Tabs>\n\nText<br>more.\n"), "Text\\\nmore.\n");
}

#[test]
fn ids_of_components_are_targets() {
    let source = "<Tabs items={['a', 'b']}>\n<Tab id=\"x\">\nOne.\n</Tab>\n</Tabs>\n\n<Callout id=\"y\">\nTwo.\n</Callout>\n\n<Steps id=\"z\">\n\nThree.\n\n</Steps>\n";
    let text = mdx(source).text;
    assert!(text.contains("{% tab title=\"a\" %}\n<a id=\"x\"></a>\n\nOne."), "{text}");
    assert!(text.contains("<a id=\"y\"></a>\n\n{% hint"), "{text}");
    assert!(text.contains("<a id=\"z\"></a>\n\nThree."), "{text}");
}

#[test]
fn code_of_constants_is_a_listing() {
    let source = "export const code = `\nlet a = \\`b\\`\n\nrun()\n`\n\nexport const meta = `x={1}`\n\n<Code lang=\"md\" code={'```js ' + meta + code + '```'} />\n\n<Code lang=\"js\" code={code} />\n";
    let listing = "let a = `b`\n\nrun()\n";
    let example = "<Example lang=\"mdx\" code={`\nimport { A } from 'a'\n\nexport const b = \\`c\\`\n\n<A />\n`} />\n\nAfter.\n";
    let shown = "```\nimport { A } from 'a'\n\nexport const b = `c`\n\n<A />\n```\n\nAfter.\n";
    assert_eq!(read(example), shown);
    assert_eq!(read(source), format!("````md\n```js x={{1}}\n{listing}```\n````\n\n```js\n{listing}```\n"));
}

#[test]
fn constants_that_are_named_often_are_bounded() {
    let source = format!("export const a = '{}'\n\n{}\n", "x".repeat(1 << 16), "{a} ".repeat(1_000));
    let text = mdx(&source).text;
    assert!(text.len() <= MAX_CONSTANT_BYTES + source.len(), "{}", text.len());
}

#[test]
fn components_with_an_id_are_targets_also_within_a_line() {
    for (source, expected) in [
        ("- <Link id=\"a\"/> Use b.\n", "- <a id=\"a\"></a> Use b.\n"),
        ("Text <Mark id=\"b\">c *d*</Mark>.\n", "Text <a id=\"b\"></a>c *d*.\n"),
    ] {
        assert_eq!(mdx(source).text, expected);
    }
}

#[test]
fn captions_outside_figures_are_text() {
    let page = mdx("> A quote.\n>\n> <figcaption>By [b](c)</figcaption>\n");
    assert_eq!(page.text, "> A quote.\n>\n> By [b](c)\n");
}

#[test]
fn unknown_blocks_without_an_end_are_their_words() {
    let page = mdx("A\n\n:::plan Only here. :::\n\nB\n");
    assert_eq!(
        (page.text.as_str(), page.left),
        ("A\n\nOnly here.\n\nB\n", vec![":::plan Only here. :::".to_owned()])
    );
}

#[test]
fn signatures_of_unknown_components_are_code() {
    let page = mdx("<APIItem\n  functionSignature=\"f(a: u8)\"\n  id=\"f\"\n>\nText.\n</APIItem>\n");
    assert_eq!(page.text.trim_end(), "<a id=\"f\"></a>\n\n`f(a: u8)`\n\nText.");
}

#[test]
fn attributes_need_no_space_after_quotes_and_braces() {
    let page = mdx(
        "<ParamField body=\"key\"type=\"string\"required> The key. </ParamField>\n\n<Tip a={1}b=\"c\">d</Tip>\n",
    );
    assert!(
        page.text.contains("`key`") && !page.text.contains("<ParamField") && !page.text.contains("<Tip"),
        "{}",
        page.text
    );
}
