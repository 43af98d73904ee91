use super::text;
use crate::dialects::{mdx, mdx_with_math};
use crate::{StableRefs, print};

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
    // The tags and marks go, the content stays.
    assert_eq!(page.text.split_whitespace().collect::<Vec<_>>(), ["Text.", "Open."]);
    assert_eq!(mdx(":::custom[A *b*]{x}\nText.\n:::\n").text, "\n**A *b***\n\nText.\n\n");
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
fn fences_in_texts_of_statements_end_with_them() {
    let source = "export async function A() {\n  return build(`~~~md\n${raw}\n~~~\n`)\n}\n\nText.\n\nimport { B } from './b'\n\n<B>c</B>\n";
    assert_eq!(mdx(source).text.trim(), "Text.\n\n\nc");
}

#[test]
fn listings_in_components_of_an_item_stay_whole() {
    let source = "3. A\n\n    <details>\n    <summary>B [`c`](d.md)</summary>\n\n    E\n\n    <Group>\n      <Part slot=\"f\">\n        ```js\n        g {\n          h\n        }\n        ```\n      </Part>\n    </Group>\n    </details>\n";
    let page = mdx(source);
    let document = crate::parse(&page.text, &StableRefs);
    assert_eq!(
        print(&document, &StableRefs),
        "3.  A\n\n    <details>\n\n    <summary>B <a href=\"d.md\"><code>c</code></a></summary>\n\n    E\n\n    ```js\n    g {\n      h\n    }\n    ```\n\n    </details>\n"
    );
}
