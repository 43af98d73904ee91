import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toDocument } from "./convert.js";
import { blocksOf, isMarkdown, tableFrom } from "./markdown.js";
import { schema } from "./schema.js";

/** Returns the kinds and texts of nodes, in short. */
const shape = (node) => (node.isTextblock ? `${node.type.name}:${node.textContent}` : `${node.type.name}(${node.children.map(shape).join(" ")})`);

function shapes(markdown) {
  const doc = schema.nodes.doc.create(null, blocksOf(markdown));
  doc.check();
  return doc.children.map(shape);
}

/** Returns the texts of a line with the names of their marks. */
const marked = (markdown) => blocksOf(markdown)[0].children.map((text) => [text.text, ...text.marks.map((mark) => mark.type.name)].join("/"));

describe("Markdown", () => {
  test("is told from other texts", () => {
    for (const text of ["# A", "- a\n- b", "1. a", "> a", "```\na\n```", "| a |\n|---|", "a **b**", "[a](b)", "a `b`"]) assert.ok(isMarkdown(text), text);
    for (const text of ["One.\nTwo.", "a * b * c", "#tag", "5 > 3", "a-b", "snake_case_name"]) assert.ok(!isMarkdown(text), text);
  });

  test("has headings, paragraphs, rules and quotes", () => {
    assert.deepEqual(shapes("# One\n## Two\n### Three ##\n\nFour\nfive.\n***\n> Six\n> - seven"), [
      "heading_1:One", "heading_1:Two", "heading_2:Three", "paragraph:Four five.", "divider()",
      "blockquote(paragraph:Six list_unordered(list_item(paragraph:seven)))",
    ]);
  });

  test("has nested lists, numbers and tasks", () => {
    assert.deepEqual(shapes("- a\n  - b\n\n    more\n- c\n\n3. d\n4. e"), [
      "list_unordered(list_item(paragraph:a list_unordered(list_item(paragraph:b paragraph:more))) list_item(paragraph:c))",
      "list_ordered(list_item(paragraph:d) list_item(paragraph:e))",
    ]);
    const [tasks] = blocksOf("- [ ] a\n- [x] b");
    assert.deepEqual([tasks.type.name, ...tasks.children.map((item) => item.attrs.data.checked)], ["list_tasks", false, true]);
    assert.equal(blocksOf("3. d")[0].attrs.data.start, 3);
  });

  test("has listings, also those that do not end", () => {
    const [code] = blocksOf("```sh title\nls\n\n# not a heading\n```");
    assert.equal(code.attrs.data.syntax, "sh");
    assert.equal(shape(code), "code(code_line:ls code_line: code_line:# not a heading)");
    assert.deepEqual(shapes("~~~\na"), ["code(code_line:a)"]);
  });

  test("has tables with alignment", () => {
    const [table] = blocksOf("| A | B | C |\n|:--|:-:|--:|\n| 1 | `2` |\n| a\\|b | | 3 |");
    assert.equal(shape(table), "table(table_head(table_header:A table_header:B table_header:C) "
      + "table_row(table_cell(paragraph:1) table_cell(paragraph:2) table_cell(paragraph:)) "
      + "table_row(table_cell(paragraph:a|b) table_cell(paragraph:) table_cell(paragraph:3)))");
    const [{ data }] = toDocument(schema.nodes.doc.create(null, table)).nodes;
    assert.deepEqual(Object.values(data.definition).map((column) => column.textAlignment), ["left", "center", "right"]);
  });

  test("has marks in each other, and links", () => {
    assert.deepEqual(marked("a **b *c*** `*d*` ~~e~~"), ["a ", "b /bold", "c/bold/italic", " ", "*d*/code_text", " ", "e/strikethrough"]);
    const [link] = blocksOf("[**a**](https://b.example/c_d)")[0].children;
    assert.deepEqual(link.marks.map((mark) => mark.attrs.data?.ref ?? mark.type.name), [{ kind: "url", url: "https://b.example/c_d" }, "bold"]);
    assert.deepEqual(marked("snake_case_name \\*kept\\*"), ["snake_case_name *kept*"]);
  });

  test("takes a hostile text in bounded time", () => {
    // Time of the processor: a busy machine takes longer.
    const start = process.cpuUsage();
    for (const text of [" ".repeat(200_000) + "a", `# ${" ".repeat(200_000)}a`, `|\n-${" ".repeat(200_000)}a`, "*".repeat(200_000), "[".repeat(200_000), "> ".repeat(50_000), "**a ".repeat(2_000), "- ".repeat(20_000), "`a".repeat(4_000)]) {
      isMarkdown(text);
      schema.nodes.doc.create(null, blocksOf(text)).check();
    }
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 2_000_000, `${(user + system) / 1_000} ms`);
  });
});

test("a table of texts has equal rows", () => {
  tableFrom([["a"], ["1", "2"], []]).check();
});
