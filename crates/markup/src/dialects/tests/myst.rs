use super::{shown, text};
use crate::dialects::{MystOptions, myst};

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
fn directives_of_myst_are_never_raw() {
    let list = "```{list-table} Title\n:header-rows: 1\n\n* - A\n  - B\n* - c | d\n    more\n  - e\n```\n";
    let options = MystOptions { has_substitutions: true, ..MystOptions::default() };
    for (source, expected) in [
        (list, "**Title**\n\n| A           | B |\n| ----------- | - |\n| c \\| d more | e |\n"),
        ("```{parsed-literal}\na *b*\n```\n", "```\na *b*\n```\n"),
        ("```{autoclass} a.B\n:members:\n```\n", "`a.B`\n"),
        ("Since {{ version }}, `{{ x }}`.\n", "Since , `{{ x }}`.\n"),
        ("```{note}\nOf {{ x }}.\n```\n", "{% hint style=\"info\" %}\nOf .\n{% endhint %}\n"),
    ] {
        assert_eq!(shown(&myst(source, options)), expected, "{source}");
    }
}

#[test]
fn cells_of_list_tables_may_be_listings() {
    let source =
        "````{list-table}\n* - ````md\n    {role}`*x*`\n\n      | y\n    ````\n  - {kbd}`a`\n````\n\nEnd.\n";
    let page = myst(source, MystOptions::default());
    let words = crate::plain_text(&crate::parse(&page.text, &crate::StableRefs));
    assert!(words.starts_with("{role}`*x*`\n") && words.contains("| y\n"), "{words:?}: {}", page.text);
    assert!(words.ends_with("a\nEnd."), "{words:?}");
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
fn containers_of_myst_are_replaced_by_their_content() {
    let page = myst(":::bg-primary\na *b*\n:::\n\n```\n:::\n```\n", MystOptions::default());
    assert_eq!(page.text, "a *b*\n\n```\n:::\n```\n");
}

#[test]
fn content_for_other_formats_is_left_out() {
    for (condition, is_shown) in [
        ("html", true),
        ("not latex", true),
        ("latex or html", true),
        ("latex", false),
        ("not html", false),
        ("comment", false),
    ] {
        let page = myst(&format!(":::{{only}} {condition}\nText.\n:::\n"), MystOptions::default());
        let expected = if is_shown { ("Text.", vec![]) } else { ("", vec!["{only}".to_owned()]) };
        assert_eq!((page.text.trim(), page.left), expected, "{condition}");
    }
}

#[test]
fn listings_may_be_tabs_and_unknown_directives_may_contain_others() {
    let source = "\
````{tab-set-code}
```{code-block} python
a
```
```{code-block} js
b
```
````

`````{example-block}
```{note}
Text.
```
`````

```{custom}
a {b}
```
";
    let page = myst(source, MystOptions::default());
    let tab = |name: &str, code: &str| {
        format!("{{% tab title=\"{name}\" %}}\n```{name}\n{code}\n```\n{{% endtab %}}\n")
    };
    let tabs = format!("{{% tabs %}}\n{}{}{{% endtabs %}}\n", tab("python", "a"), tab("js", "b"));
    assert!(page.text.starts_with(&tabs), "{}", page.text);
    assert!(page.text.contains("{% hint style=\"info\" %}\nText.\n{% endhint %}"), "{}", page.text);
    assert!(page.text.ends_with("```{custom}\na {b}\n```\n"), "{}", page.text);
    assert_eq!(page.left, ["{custom}", "{example-block}"]);
}
