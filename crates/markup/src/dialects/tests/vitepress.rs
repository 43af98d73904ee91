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

#[test]
fn code_in_a_title_is_not_a_list_of_attributes() {
    let page = vitepress("::: warning Use `{}` instead\nA\n:::\n\n::: details B {open}\nC\n:::\n", false);
    assert!(page.text.contains("**Use `{}` instead**"), "{}", page.text);
    assert!(page.text.contains("<details open>\n\n<summary>B</summary>"), "{}", page.text);
}

#[test]
fn tabs_of_vuepress_begin_with_marks() {
    let source = "\
::: code-tabs#shell
@tab pnpm

```sh
pnpm i
@tab no
```

@tab:active npm#b

```sh
npm i
```

:::

:::: tabs

@tab A *b*

Text.

::: tip
Inner.
:::

::::

@tab outside

::: center
Words.
:::
";
    let expected = "\
{% tabs %}
{% tab title=\"pnpm\" %}

```sh
pnpm i
@tab no
```

{% endtab %}
{% tab title=\"npm\" %}

```sh
npm i
```

{% endtab %}
{% endtabs %}

{% tabs %}

{% tab title=\"A *b*\" %}

Text.

{% hint style=\"success\" %}
Inner.
{% endhint %}

{% endtab %}
{% endtabs %}

@tab outside

Words.
";
    let page = vitepress(source, false);
    assert_eq!(page.text, expected);
    assert!(page.left.is_empty(), "{:?}", page.left);
    let page = vitepress(":::tabs\n== a\nA\n== b\nB\n:::\n", false);
    assert_eq!(
        page.text,
        "{% tabs %}\n{% tab title=\"a\" %}\nA\n{% endtab %}\n{% tab title=\"b\" %}\nB\n{% endtab %}\n{% endtabs %}\n"
    );
}
