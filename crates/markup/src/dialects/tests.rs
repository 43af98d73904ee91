use super::*;
use crate::{StableRefs, parse, plain_text, print};

type Translate = fn(&str) -> Translated;

fn text(translated: Translated) -> String {
    assert_eq!(translated.left, [""; 0]);
    translated.text
}

#[test]
fn mkdocs_blocks_become_ours() {
    let source = "\
!!! note \"Mind\"
    First.

    ```py
    !!! no
    ```

    !!! tip
        Inner.

??? example \"More\"
    Folded.

???+ warning
    Open.

=== \"Linux\"

    ```sh
    apt
    ```

=== \"Mac\"
    brew

After.
";
    let expected = "\
{% hint style=\"info\" %}
**Mind**

First.

```py
!!! no
```

{% hint style=\"success\" %}
Inner.
{% endhint %}
{% endhint %}

<details>

<summary>More</summary>

Folded.

</details>

<details open>

<summary>Warning</summary>

Open.

</details>

{% tabs %}
{% tab title=\"Linux\" %}
```sh
apt
```
{% endtab %}
{% tab title=\"Mac\" %}
brew
{% endtab %}
{% endtabs %}

After.
";
    assert_eq!(text(mkdocs(source, MkDocsOptions::default())), expected);
}

#[test]
fn mkdocs_blocks_in_lists_stay_in_them() {
    let source = "1. One\n\n    !!! note\n        In it.\n\n2. Two\n";
    let document = parse(&text(mkdocs(source, MkDocsOptions::default())), &StableRefs);
    assert_eq!(document.nodes.len(), 1, "{}", print(&document, &StableRefs));
    assert!(print(&document, &StableRefs).contains("{% hint"));
    let code = "Text.\n\n    !!! note\n        No.\n\n```\n=== \"No\"\n    x\n```\n";
    assert_eq!(text(mkdocs(code, MkDocsOptions::default())), code);
}

#[test]
fn mkdocs_lines_lose_attributes_and_icons() {
    for (source, expected) in [
        ("## Title { #id .c }\n", "## Title {#id}\n"),
        ("[a](b){ .md-button } `{ .x }`\n", "[a](b) `{ .x }`\n"),
        ("Press ++ctrl+c++, ==marked==.\n", "Press <kbd>ctrl</kbd>+<kbd>c</kbd>, <mark>marked</mark>.\n"),
        ("[TOC]\n", "\n"),
        ("a ++ b == c\n", "a ++ b == c\n"),
    ] {
        assert_eq!(text(mkdocs(source, MkDocsOptions::default())), expected);
    }
    let icons = mkdocs(":material-home: Home at 10:30:00\n", MkDocsOptions::default());
    assert_eq!(
        (icons.text.as_str(), &icons.left[..]),
        ("Home at 10:30:00\n", &[":material-home:".to_owned()][..])
    );
}

#[test]
fn docusaurus_blocks_become_ours() {
    let source = "\
---
id: a
---
import Tabs from '@theme/Tabs';
import {
  TabItem,
} from '@theme/TabItem';

export const x = {
  a: 1,
};

{/* a comment */}

::::info
Outer.
:::tip[Inner *title*]
In.
:::
::::

<Tabs
  defaultValue=\"apple\"
  values={[
    {label: 'Apple', value: 'apple'},
  ]}>
  <TabItem value=\"apple\">

    ```js
    <Tabs>
    ```

  </TabItem>
  <TabItem value=\"b\" label=\"Banana\">Yellow.</TabItem>
</Tabs>

<Admonition type=\"danger\" title=\"Stop\">Now.</Admonition>

<img src={require('./a.png').default} />
";
    let expected = "\
{% hint style=\"info\" %}
Outer.

{% hint style=\"success\" %}
**Inner _title_**

In.
{% endhint %}
{% endhint %}

{% tabs %}
{% tab title=\"Apple\" %}
```js
<Tabs>
```
{% endtab %}

{% tab title=\"Banana\" %}
Yellow.
{% endtab %}
{% endtabs %}

{% hint style=\"danger\" %}
**Stop**

Now.
{% endhint %}

<figure><img src=\"./a.png\" alt=\"\"><figcaption></figcaption></figure>
";
    let translated = text(mdx(source));
    assert!(translated.starts_with("---\nid: a\n---\n"), "{translated}");
    let page = crate::parse_page(&translated, &StableRefs);
    assert_eq!(print(&page.document, &StableRefs), expected);
}

#[test]
fn prose_that_looks_like_modules_stays() {
    for source in ["import taxes are high.\n", "exports are low.\n", "Text\nimport x from 'y';\n"] {
        assert_eq!(text(mdx(source)), source);
    }
}

#[test]
fn unsupported_docusaurus_markup_is_reported() {
    let page = mdx("<Chart data={x} />\n\n:::custom\nText.\n:::\n\n<Tabs>\n\nOpen.\n");
    assert_eq!(page.left, [":::custom", "<Chart>"]);
    // The tag of an unclosed component goes, its content stays.
    assert!(page.text.contains("Open.") && page.text.contains(":::custom\nText.\n:::"), "{}", page.text);
    assert!(!page.text.contains("<Tabs>"), "{}", page.text);
}

#[test]
fn vitepress_blocks_become_ours() {
    let source = "\
<script setup>
import x from 'y'
</script>

[[toc]]

::: warning Look out {#x}
Text <Badge type=\"tip\" text=\"1.2\" />.
:::

::: details
Folded.
:::

::: code-group
```js{1} [a.js]
let a
:::
```
```ts [b.ts]
let b
```
:::

```md
::: tip
:::
```
";
    let expected = "


{% hint style=\"warning\" %}
**Look out**

Text 1\\.2.
{% endhint %}

<details>

<summary>Details</summary>

Folded.

</details>

{% tabs %}
{% tab title=\"a.js\" %}
```js{1}
let a
:::
```
{% endtab %}
{% tab title=\"b.ts\" %}
```ts
let b
```
{% endtab %}
{% endtabs %}

```md
::: tip
:::
```
";
    assert_eq!(text(vitepress(source, false)), expected);
}

#[test]
fn myst_directives_become_ours() {
    let source = "\
(top)=
# Title

% a comment

```{toctree}
:maxdepth: 2

a
```

:::{note}
:class: x
See {doc}`a`.
:::

::::{tab-set}
:::{tab-item} One
```{code-block} python
:caption: a.py
:emphasize-lines: 1
x = 1
```
:::
::::

```{admonition} Own title
:class: tip
Text.
```

```{figure} img/a.png
:alt: A picture

The caption.
```
";
    let expected = "\
# Title <a href=\"#top\" id=\"top\"></a>



{% hint style=\"info\" %}
See [a](<a>).
{% endhint %}

{% tabs %}
{% tab title=\"One\" %}
{% code title=\"a.py\" highlight=\"1\" %}
```python
x = 1
```
{% endcode %}
{% endtab %}
{% endtabs %}

{% hint style=\"success\" %}
**Own title**

Text.
{% endhint %}

![A picture](<img/a.png>)

The caption.
";
    assert_eq!(text(myst(source, MystOptions::default())), expected);
    let source = "```{custom}\nx\n```\n\n```py\n{doc}`a`\n```\n";
    let page = myst(source, MystOptions::default());
    assert_eq!(page.left, ["{custom}"]);
    assert!(page.text.contains("```py\n{doc}`a`\n```"));
}

#[test]
fn translated_markup_is_read_as_blocks() {
    let pages: [(&str, Translate); 4] = [
        ("!!! note\n    a\n", |text| mkdocs(text, MkDocsOptions::default())),
        (":::note\na\n:::\n", mdx),
        ("::: tip\na\n:::\n", |text| vitepress(text, false)),
        (":::{note}\na\n:::\n", |text| myst(text, MystOptions::default())),
    ];
    for (source, translate) in pages {
        let document = parse(&translate(source).text, &StableRefs);
        assert_eq!(document.nodes[0].kind, crate::BlockKind::Hint, "{source}");
        assert_eq!(plain_text(&document), "a");
    }
}

/// The Markdown of the document that a translation becomes.
fn shown(translated: &Translated) -> String {
    print(&parse(&translated.text, &StableRefs), &StableRefs)
}

#[test]
fn blocks_of_pymdown_between_slashes_become_ours() {
    let options = MkDocsOptions::default();
    let source = "/// note | Mind\n\n*it*\n\n///\n\n//// tab | One\n\nA\n\n/// warning\n    type: danger\n\nB\n\n///\n\n////\n\n//// tab | Two\n\nC\n\n////\n\n/// details | More **bold**\n    open: true\n\nD\n\n///\n";
    assert_eq!(
        shown(&mkdocs(source, options)),
        "{% hint style=\"info\" %}\n**Mind**\n\n_it_\n{% endhint %}\n\n{% tabs %}\n{% tab title=\"One\" %}\nA\n\n{% hint style=\"danger\" %}\nB\n{% endhint %}\n{% endtab %}\n\n{% tab title=\"Two\" %}\nC\n{% endtab %}\n{% endtabs %}\n\n<details open>\n\n<summary>More <strong>bold</strong></summary>\n\nD\n\n</details>\n"
    );
    for text in ["/// note\n\nNever closed.\n", "// comment\n", "///\n"] {
        assert_eq!(mkdocs(text, options).text, text);
    }
}

#[test]
fn marks_of_mkdocs_become_elements() {
    let options = MkDocsOptions { has_math: true, ..MkDocsOptions::default() };
    for (source, expected) in [
        ("H~2~O and x^2^ and ~~gone~~\n", "H<sub>2</sub>O and x<sup>2</sup> and ~~gone~~\n"),
        ("1~99, 1~69\n", "1\\~99, 1\\~69\n"),
        ("{++new++} {--old--} {~~a~>b~~}\n", "new ~~old~~ ~~a~~b\n"),
        ("`#!python f()`\n", "`f()`\n"),
        ("\\(y^2\\) and $z_1$\n", "$$y^2$$ and $$z_1$$\n"),
        ("-   :material-x:{ .lg } __A__\n\n    ---\n\n    Body\n", "*   **A**\n\n    ***\n\n    Body\n"),
    ] {
        assert_eq!(shown(&mkdocs(source, options)), expected, "{source}");
    }
    let themed = mkdocs("![A](l.png#only-light)![A](d.png#only-dark)\n", options);
    assert!(themed.text.contains("srcset=\"d.png\"") && !themed.text.contains("only-"), "{}", themed.text);
}

#[test]
fn vue_syntax_of_vitepress_is_left_out() {
    let source = "## Lazy <sup data-text=\"3.5+\" /> {#lazy}\n\n<Custom :a=\"b\" @click=\"c\">\n\nText ~5~ **b**{{ c }}.\n\n</Custom>\n\n::: info\n- a\n  :::\n\nAfter.\n\n    <Indented>\n";
    let page = vitepress(source, false);
    assert_eq!(
        shown(&page),
        "## Lazy <sup>3.5+</sup> <a href=\"#lazy\" id=\"lazy\"></a>\n\nText \\~5\\~ **b**.\n\n{% hint style=\"info\" %}\n* a\n{% endhint %}\n\nAfter.\n\n```\n<Indented>\n```\n"
    );
    assert_eq!(page.left, ["<Custom>", "{{ c }}"]);
    let literal = "::: v-pre\n{{ a }}\n:::\n\n<span v-pre>{{ b }}</span>\n";
    assert!(vitepress(literal, false).left.is_empty());
}

#[test]
fn myst_listings_have_no_empty_first_line() {
    let page = myst(
        "```{code-block} python\n:emphasize-lines: 1\n\nx = 1\n```\n\nTerm\n: Definition\n",
        MystOptions::default(),
    );
    let shown = shown(&page);
    assert!(
        shown.contains("<code class=\"lang-python\"><strong>x = 1\n")
            && shown.contains("*   **Term**\n\n    Definition"),
        "{shown}"
    );
}

#[test]
fn options_of_directives_are_in_one_form() {
    let read = |source| myst(source, MystOptions::default()).text;
    // Behind other options, lines of hyphens are content.
    let listing = "```yaml\n---\ntitle: Thesis\n---\n```\n";
    assert_eq!(
        read("```{code-block} yaml\n:filename: a.md\n---\ntitle: Thesis\n---\n```\n"),
        format!("{{% code title=\"a.md\" %}}\n{listing}{{% endcode %}}\n")
    );
    // Options may follow the name.
    assert_eq!(
        read(":::{tip .dropdown #x open=\"a b\" y} Title\nText.\n:::\n").trim_end(),
        "<a id=\"x\"></a>\n\n{% hint style=\"success\" %}\nTitle\n\nText.\n{% endhint %}"
    );
}

#[test]
fn abbreviations_annotate_their_first_use() {
    let source = "# About HTML\n\nThe HTML of `HTML` and HTML5, HTML.\n\n*[HTML]: Hypertext <Markup>\n*[CSS]: unused\n";
    let page = mkdocs(source, MkDocsOptions::default());
    assert_eq!(
        shown(&page),
        "## About HTML\n\nThe [HTML](#user-content-fn-1)[^1] of `HTML` and HTML5, HTML.\n\n[^1]: Hypertext \\<Markup>\n"
    );
    assert!(page.left.is_empty());
}

#[test]
fn blocks_of_mkdocs_contain_their_fences_and_tabs_may_be_empty() {
    let source = "=== \"A\"\n\n    a\n    ```\n\n=== \"B\"\n\n=== \"C\"\n\nAfter.\n";
    let page = mkdocs(source, MkDocsOptions::default());
    assert_eq!(
        shown(&page),
        "{% tabs %}\n{% tab title=\"A\" %}\na\n\n```\n```\n{% endtab %}\n\n{% tab title=\"B\" %}\n{% endtab %}\n\n{% tab title=\"C\" %}\n{% endtab %}\n{% endtabs %}\n\nAfter.\n"
    );
}

#[test]
fn formulas_of_mdx_keep_their_braces() {
    for (source, expected) in [
        ("$a=\\sqrt{b^2}$ and $5 {gone}.\n", "$$a=\\sqrt{b^2}$$ and $5 .\n"),
        ("$$\n\\frac{a}{b}\n$$\n", "$$\n\\frac{a}{b}\n$$\n"),
        ("`$x$` and $$ open {gone}\n", "`$x$` and $$ open \n"),
    ] {
        assert_eq!(mdx_with_math(source).text, expected);
    }
}

#[test]
fn objects_of_mkdocstrings_are_named() {
    let page = mkdocs("a\n::: a.b.C\n    options:\n      x: y\n\nText.\n", MkDocsOptions::default());
    assert_eq!(
        (shown(&page).as_str(), page.left),
        ("a\n\n`a.b.C`\n\nText.\n", vec!["::: object".to_owned()])
    );
}

#[test]
fn directives_of_myst_are_never_raw() {
    let list = "```{list-table} Title\n:header-rows: 1\n\n* - A\n  - B\n* - c | d\n    more\n  - e\n```\n";
    let options = MystOptions { has_substitutions: true, ..MystOptions::default() };
    for (source, expected) in [
        (list, "**Title**\n\n| A           | B |\n| ----------- | - |\n| c \\| d more | e |\n"),
        ("```{parsed-literal}\na *b*\n```\n", "```\na *b*\n```\n"),
        ("```{autoclass} a.B\n:members:\n```\n", "`a.B`\n"),
        ("Since {{ version }}, `{{ x }}`.\n", "Since , `{{ x }}`.\n"),
    ] {
        assert_eq!(shown(&myst(source, options)), expected, "{source}");
    }
}

#[test]
fn targets_attributes_and_formulas_of_myst_are_read() {
    let options = MystOptions { has_math: true, has_attributes: true, ..MystOptions::default() };
    for (source, expected) in [
        (
            "(one)=\n(two)=\n## H\n",
            "## H <a href=\"#one\" id=\"one\"></a> <a href=\"#two\" id=\"two\"></a>\n",
        ),
        ("{#p .wide}\nText.\n", "<a href=\"#p\" id=\"p\"></a>Text.\n"),
        (
            "A [word *b*]{#w .c} and [l](a.md){.c} `x`{#y}.\n",
            "A word *b*<a id=\"w\"></a> and [l](a.md) `x`<a id=\"y\"></a>.\n",
        ),
        ("{.wide}\n- a {b} `{#c}`\n", "- a {b} `{#c}`\n"),
        ("(last)=\n", "\n<a id=\"last\"></a>\n"),
        ("```{math}\n:label: eq\na\n```\n", "<a id=\"eq\"></a>\n\n$$\na\n$$\n"),
        (
            ":::{note}\n:name: n\n$a^2$ is 5\\$.\n:::\n",
            "<a id=\"n\"></a>\n\n{% hint style=\"info\" %}\n$$a^2$$ is 5\\$.\n{% endhint %}\n",
        ),
    ] {
        assert_eq!(myst(source, options).text, expected, "{source}");
    }
    let plain = "{#p}\n$a$ [b]{.c}\n";
    assert_eq!(myst(plain, MystOptions::default()).text, plain);
}

#[test]
fn definitions_and_fields_of_html_are_lists_and_listings() {
    for (markdown, expected) in [
        (
            "<dl>\n<dt>A <i>b</i></dt>\n<dt>C</dt>\n<dd>d</dd>\n\n<dt>E</dt>\n<dd>\n\n*f*\n\n</dd>\n</dl>\n",
            "*   **A _b_**\n\n    **C**\n\n    d\n*   **E**\n\n    _f_\n",
        ),
        (
            "<textarea class=\"x\">\na: 1\n- b\n</textarea>\n\n<textarea></textarea>\n",
            "```\na: 1\n- b\n```\n",
        ),
    ] {
        assert_eq!(print(&parse(markdown, &StableRefs), &StableRefs), expected, "{markdown}");
    }
}

#[test]
fn containers_of_myst_are_replaced_by_their_content() {
    let page = myst(":::bg-primary\na *b*\n:::\n\n```\n:::\n```\n", MystOptions::default());
    assert_eq!(page.text, "a *b*\n\n```\n:::\n```\n");
}

#[test]
fn listings_of_jekyll_contain_fences_and_blocks_of_html_end() {
    let text = "<div class=\"x\" markdown=\"1\">\n[a](b){: .btn }\n</div>\n```markdown\n[a](b){: .btn }\n```\n\n{% highlight md %}\n```js\nc\n```\n{% endhighlight %}\n";
    let page = jekyll(text, &[]);
    assert_eq!(
        print(&parse(&page.text, &StableRefs), &StableRefs),
        "[a](b)\n\n```markdown\n[a](b){: .btn }\n```\n\n````md\n```js\nc\n```\n````\n"
    );
}
