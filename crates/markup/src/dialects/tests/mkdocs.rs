use super::{shown, text};
use crate::dialects::{MkDocsOptions, mkdocs};
use crate::{StableRefs, parse, print};

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
        ("^^new^^ and ^^two words^^\n", "new and two words\n"),
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
fn objects_of_mkdocstrings_are_named() {
    let page = mkdocs("a\n::: a.b.C\n    options:\n      x: y\n\nText.\n", MkDocsOptions::default());
    assert_eq!(
        (shown(&page).as_str(), page.left),
        ("a\n\n`a.b.C`\n\nText.\n", vec!["::: object".to_owned()])
    );
}
