use super::*;

fn translated(text: &str) -> (String, Vec<String>) {
    let mut left = Left::default();
    let text = templates(text, &mut left);
    (text, left.0.into_iter().collect())
}

#[test]
fn shortcodes_become_blocks() {
    for (text, expected) in [
        ("{{< youtube abc_1 >}}\n", "{% embed url=\"https://www.youtube.com/watch?v=abc_1\" %}\n"),
        (
            "{{% notice warning \"Mind\" %}}\nThe *gap*.\n{{% /notice %}}\n",
            "{% hint style=\"warning\" %}\n**Mind**\n\nThe *gap*.\n{% endhint %}\n",
        ),
        (
            "{{< tabs >}}\n{{% tab name=\"A\" %}}\na\n{{% /tab %}}\n{{< /tabs >}}\n",
            "{% tabs %}\n{% tab title=\"A\" %}\na\n\n{% endtab %}\n{% endtabs %}\n",
        ),
        (
            "{{< tabpane >}}\n{{< tab header=\"Shells:\" disabled=true />}}\n{{< tab header=\"A\" lang=\"sh\" >}}\n# x\n{{< /tab >}}\n{{< /tabpane >}}\n",
            "{% tabs %}\n\n{% tab title=\"A\" %}\n```sh\n# x\n```\n\n{% endtab %}\n{% endtabs %}\n",
        ),
        (
            "{{% alert color=\"warning\" %}}\na\n{{% /alert %}}.\n",
            "{% hint style=\"warning\" %}\na\n{% endhint %}\n.\n",
        ),
        ("{{< figure\n  src=\"a.png\"\n  alt=\"A\"\n>}}\n", "![A](<a.png>)\n"),
        ("{{< highlight go >}}\n    x\n{{< /highlight >}}\n", "```go\n    x\n```\n"),
        ("{% highlight ruby linenos %}\n# x\n{% endhighlight %}\n", "```ruby\n# x\n```\n"),
        (
            "[a]({{< ref \"b.md\" >}}) [c]({% link d.md %}) [e]({{ '/f' | relative_url }})\n",
            "[a](b.md) [c](/d.md) [e](/f)\n",
        ),
        ("{{< button text=\"Go\" url=\"https://x.y\" >}}\n", "[Go](<https://x.y>)\n"),
        (
            "1. a\n\n   {{< notice tip >}}\nb\n\n{{< /notice >}}\nc\n",
            "1. a\n\n   {% hint style=\"success\" %}\n   b\n\n   {% endhint %}\nc\n",
        ),
        (
            "1. a\n\n   {{< notice tip >}}\n   b\n\n- c\n  - d\n\n{{< /notice >}}\n",
            "1. a\n\n   {% hint style=\"success\" %}\n   b\n\n   - c\n     - d\n\n   {% endhint %}\n",
        ),
        ("{{% box color=\"info\" %}}\na\n{{% /box %}}\n", "{% hint style=\"info\" %}\na\n{% endhint %}\n"),
        (
            "{{< card code=true header=\"**C**\" lang=\"C\" >}}\n\n#include <a>\n\n{{< /card >}}\n",
            "**C**\n\n```C\n#include <a>\n```\n",
        ),
        ("[e]({{ \"/f\" | relative_url }})\n", "[e](/f)\n"),
        ("# A\n{: #b }\n", "# A {#b}\n\n"),
        ("{{< code-toggle file=hugo >}}\n[[a]]\n{{< /code-toggle >}}\n", "```\n[[a]]\n```\n"),
        (
            "{{< tabs >}}\n{{% tab \"A\" %}}\na\n{{% /tab %}} {{< /tabs >}}\n",
            "{% tabs %}\n{% tab title=\"A\" %}\na\n\n{% endtab %}\n{% endtabs %}\n",
        ),
        ("{{< figure src=\"a b.png\" caption=\"C\" >}}\n", "![C](<a b.png>)\n"),
        ("```\n{{< x >}}\n```\n`{{< x >}}`\n", "```\n{{< x >}}\n```\n`{{< x >}}`\n"),
    ] {
        assert_eq!(translated(text), (expected.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn attributes_in_quotes_are_dropped() {
    assert_eq!(translated("> {: .wide }\n> a\n"), (">\n> a\n".to_owned(), vec!["{: .wide }".to_owned()]));
}

#[test]
fn calls_without_an_equivalent_are_dropped_and_named() {
    let (text, left) = translated(
        "{{< copyable \"sql\" >}}\n\n{% include nav.html %}\n\n[a](b){: .c } [d][e]{: .f } {{< icon x >}} b\n{: .note }\nText {% block %} here.\n",
    );
    assert_eq!(text, "\n\n\n\n[a](b) [d][e]  b\n\nText {% block %} here.\n");
    assert_eq!(
        left,
        ["{% include %}", "{: .c }", "{: .f }", "{: .note }", "{{< copyable >}}", "{{< icon >}}"]
    );
}

#[test]
fn methods_of_the_former_gitbook_become_tabs() {
    let source = "{% method %}\nText.\n{% sample lang=\"js\" %}\n```js\na\n```\n{% sample lang=\"go\" %}\nb\n{% common %}\nEnd.\n{% endmethod %}\n";
    let expected = "\nText.\n{% tabs %}\n\n{% tab title=\"js\" %}\n```js\na\n```\n{% endtab %}\n\n{% tab title=\"go\" %}\nb\n\n{% endtab %}\n{% endtabs %}\n\nEnd.\n\n";
    assert_eq!(translated(source), (expected.to_owned(), Vec::new()));
}

#[test]
fn templates_that_run_are_dropped() {
    let mut left = Left::default();
    let source = "{% if a %}\nShown {{ x.y }}.\n{% endif %}\n{% for a in b %}\n* {{ a }}\n{% endfor %}\n{% raw %}{{ kept }}{% endraw %}\n`{{ code }}`\n{%\n  include-markdown \"x.md\"\n%}\nEnd {% open\n";
    assert_eq!(
        without_templates(source, &|_| false, &mut left),
        "Shown .\n{{ kept }}\n`{{ code }}`\nEnd {% open\n"
    );
    let left: Vec<String> = left.0.into_iter().collect();
    assert_eq!(left, ["{% for %}", "{% if %}", "{% include-markdown %}", "{{ x.y }}"]);
}

#[test]
fn statements_of_jekyll_are_dropped_and_named_except_in_raw_text() {
    let mut left = Left::default();
    let source = "\
## New {%- include badge.html version=\"3\" -%}
[a]({% link _docs/a.md %}) {{ page.title }}
{% comment %}
Not shown.
{% endcomment %}
{% raw %}{% if x %} {{ y }}{% endraw %}
{% highlight sh %}
ls
{% endhighlight %}
{% for x in y %} open
";
    let text = without_liquid(source, &mut left);
    let expected = "\
## New\x20
[a]({% link _docs/a.md %})\x20
{% if x %} {{ y }}
{% highlight sh %}
ls
{% endhighlight %}
 open
";
    assert_eq!(text, expected);
    let left: Vec<String> = left.0.into_iter().collect();
    assert_eq!(left, ["{% comment %}", "{% for %}", "{% include %}", "{{ page.title }}"]);
}

#[test]
fn strong_text_stays_strong_without_its_calls() {
    let (text, _) = translated("**A {{< x >}}** **{{< y >}} b** **c**{{< x >}} d {{< x >}}**e**\n");
    assert_eq!(text, "**A** **b** **c** d **e**\n");
}
