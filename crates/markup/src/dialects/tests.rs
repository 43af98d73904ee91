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
    assert_eq!(text(mkdocs(source)), expected);
}

#[test]
fn mkdocs_blocks_in_lists_stay_in_them() {
    let source = "1. One\n\n    !!! note\n        In it.\n\n2. Two\n";
    let document = parse(&text(mkdocs(source)), &StableRefs);
    assert_eq!(document.nodes.len(), 1, "{}", print(&document, &StableRefs));
    assert!(print(&document, &StableRefs).contains("{% hint"));
    let code = "Text.\n\n    !!! note\n        No.\n\n```\n=== \"No\"\n    x\n```\n";
    assert_eq!(text(mkdocs(code)), code);
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
        assert_eq!(text(mkdocs(source)), expected);
    }
    let icons = mkdocs(":material-home: Home at 10:30:00\n");
    assert_eq!(
        (icons.text.as_str(), &icons.left[..]),
        (" Home at 10:30:00\n", &[":material-home:".to_owned()][..])
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
---
id: a
---




{% hint style=\"info\" %}
Outer.
{% hint style=\"success\" %}
**Inner *title***

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


<img src=\"./a.png\" />
";
    assert_eq!(text(docusaurus(source)), expected);
}

#[test]
fn prose_that_looks_like_modules_stays() {
    for source in ["import taxes are high.\n", "exports are low.\n", "Text\nimport x from 'y';\n"] {
        assert_eq!(text(docusaurus(source)), source);
    }
}

#[test]
fn unsupported_docusaurus_markup_is_reported() {
    let page = docusaurus("<Chart data={x} />\n\n:::custom\nText.\n:::\n\n<Tabs>\n\nOpen.\n");
    assert_eq!(page.left, [":::custom", "<Chart>", "<Tabs>"]);
    assert!(
        page.text.contains("<Tabs>\n\nOpen.") && page.text.contains(":::custom\nText.\n:::"),
        "{}",
        page.text
    );
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
    assert_eq!(text(vitepress(source)), expected);
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
    assert_eq!(text(myst(source)), expected);
    let page = myst("```{eval-rst}\n.. note:: x\n```\n\n```py\n{doc}`a`\n```\n");
    assert_eq!(page.left, ["{eval-rst}"]);
    assert!(page.text.contains("```py\n{doc}`a`\n```"));
}

#[test]
fn translated_markup_is_read_as_blocks() {
    let pages: [(&str, Translate); 4] = [
        ("!!! note\n    a\n", mkdocs),
        (":::note\na\n:::\n", docusaurus),
        ("::: tip\na\n:::\n", vitepress),
        (":::{note}\na\n:::\n", myst),
    ];
    for (source, translate) in pages {
        let document = parse(&translate(source).text, &StableRefs);
        assert_eq!(document.nodes[0].kind, crate::BlockKind::Hint, "{source}");
        assert_eq!(plain_text(&document), "a");
    }
}
