use super::{shown, text};
use crate::dialects::vitepress;

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
fn slots_of_vue_are_their_content() {
    let page = vitepress(
        "<Team>\n  <template #title>The *team*</template>\n  <template v-slot:lead>\n    Words.\n  </template>\n</Team>\n\n<template>no</template>\n",
        false,
    );
    assert_eq!(shown(&page), "The _team_\n\nWords.\n");
}
