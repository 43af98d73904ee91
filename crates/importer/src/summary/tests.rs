use proptest::prelude::*;

use super::*;

/// Returns the outline with one entry per line, indented by two spaces per level.
fn outline(text: &str) -> String {
    fn write(entries: &[Entry], depth: usize, out: &mut String) {
        for entry in entries {
            let target = entry.block.as_ref().map(|block| format!("{block:?}"));
            let target = target.or(entry.target.clone()).unwrap_or_else(|| "-".to_owned());
            out.push_str(&format!("{}{} -> {target}\n", "  ".repeat(depth), entry.title));
            write(&entry.children, depth + 1, out);
        }
    }
    let mut out = String::new();
    for part in parse(text) {
        out.push_str(&format!("== {}\n", part.title.as_deref().unwrap_or("")));
        write(&part.entries, 0, &mut out);
    }
    out
}

#[test]
fn the_gitbook_dialect() {
    let text = "\
# Table of contents

* [Introduction](README.md)
* [Overview](quickstart/README.md)
  * [Install by RPM \\(Red Hat\\)](installation/install-by-rpm.md)
  * Obsolete Installation
    * [Old \\[v3\\]](<old pages/v3 (1).md>)
* [Site](https://example.com/a_(b))

## Guides & more <a href=\"#guides\" id=\"guides\"></a>

* [First](guides/first.md \"mention\")
* [Spaces](guides/my page.md)
";
    assert_eq!(
        outline(text),
        "\
== 
Introduction -> README.md
Overview -> quickstart/README.md
  Install by RPM \\(Red Hat\\) -> installation/install-by-rpm.md
  Obsolete Installation -> -
    Old \\[v3\\] -> old pages/v3 (1).md
Site -> https://example.com/a_(b)
== Guides & more <a href=\"#guides\" id=\"guides\"></a>
First -> guides/first.md
Spaces -> guides/my page.md
"
    );
}

#[test]
fn the_mdbook_dialect() {
    let text = "\
# Summary

[Foreword](foreword.md)

---

# User Guide

- [Installation](guide/installation.md)
    - [`match` and `[x]`](guide/match.md)
- [Draft]()

# Reference

1. [Formats](format/README.md)
\t1. [Summary](format/summary.md)

-----------

[Contributors](misc/contributors.md)
";
    assert_eq!(
        outline(text),
        "\
== 
Foreword -> foreword.md
== User Guide
Installation -> guide/installation.md
  `match` and `[x]` -> guide/match.md
Draft -> -
== Reference
Formats -> format/README.md
  Summary -> format/summary.md
== 
Contributors -> misc/contributors.md
"
    );
}

#[test]
fn a_suffix_chapter_leaves_its_part_without_a_separator() {
    assert_eq!(outline("# S\n# Part\n- [A](a.md)\n[Z](z.md)\n"), "== Part\nA -> a.md\n== \nZ -> z.md\n");
}

#[test]
fn a_separator_under_a_heading_keeps_the_part() {
    assert_eq!(outline("## Part\n\n---\n\n* [A](a.md)\n"), "== Part\nA -> a.md\n");
}

#[test]
fn comments_and_front_matter_are_no_entries() {
    let text = "---\ntitle: x\n---\n# S\n<!-- * [Old](old.md)\n* [Older](older.md) -->\nSome words.\n* [A](a.md) <!-- x -->\n";
    assert_eq!(outline(text), "== \nA -> a.md\n");
}

#[test]
fn uneven_indents_nest_by_the_lines_above() {
    let text = "* [A](a.md)\n   * [B](b.md)\n      * [C](c.md)\n  * [D](d.md)\n * [E](e.md)\n* [F](f.md)\n";
    assert_eq!(
        outline(text),
        "== \nA -> a.md\n  B -> b.md\n    C -> c.md\n  D -> d.md\n  E -> e.md\nF -> f.md\n"
    );
}

#[test]
fn hostile_nesting_stays_bounded() {
    let text: String = (0..500).map(|depth| format!("{}* [x](x.md)\n", " ".repeat(depth))).collect();
    let parts = parse(&text);
    let mut depth = 0;
    let mut entries = &parts[0].entries;
    while let Some(last) = entries.last() {
        depth += 1;
        entries = &last.children;
    }
    assert_eq!(depth, MAX_DEPTH);
}

#[test]
fn broken_lines_never_panic() {
    for text in [
        "* [",
        "* [a](",
        "* [a](<b",
        "[a]()",
        "* []()",
        "#",
        "##",
        "* ",
        "1.",
        "<!--",
        "[a](b \"c",
        "* [é](ü.md)",
    ] {
        parse(text);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "([-*+#\\[\\]()<>!\\\\`\"' \t\n1.aé]|<!--|-->){0,60}") {
        parse(&text);
    }
}

#[test]
fn fenced_yaml_is_an_entry_of_its_own() {
    let text = "\
# Table of contents

* [Overview](README.md)
* ```yaml
  type: builtin:openapi
  props:
    models: true
  ```
* [Below](below/README.md)
  * ~~~~ YAML

    a: |
      ```
      * [not](a.md)
    ~~~~
    * [Child](below/child.md)
\t* ```yml
\t  b:
\t    c: 1
\t  ```

## Open

1. ```yaml
   c: 2
";
    assert_eq!(
        outline(text),
        "\
== 
Overview -> README.md
 -> \"type: builtin:openapi\\nprops:\\n  models: true\\n\"
Below -> below/README.md
   -> \"\\na: |\\n  ```\\n  * [not](a.md)\\n\"
    Child -> below/child.md
     -> \"b:\\n  c: 1\\n\"
== Open
 -> \"c: 2\\n\"
"
    );
    // Blocks of other languages, and fences outside lists, are text.
    assert_eq!(outline("* ```js\n* [A](a.md)\n"), "== \n```js -> -\nA -> a.md\n");
    assert_eq!(outline("```yaml\n* [A](a.md)\n```\n"), "== \nA -> a.md\n");
}
