// Imported pages that differ from hand-written examples: right-to-left text, large trees, long words.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { quire, site, space } from "../support/api.ts";
import { expect, NARROW, test, WIDE } from "../support/reader.ts";

/** Imports these files and publishes them. */
async function published(title: string, files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "quire-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const id = await space(title);
  quire("import", folder, "--space", id);
  rmSync(folder, { recursive: true });
  return (await site({ title, visibility: "public", spaces: [id] })).url;
}

test("listings and sentences of pages from right to left have their own directions", async ({ page, reader }) => {
  const listing = "```sh\n(Reading database ... 100%)\n/usr/share/doc\n```";
  const url = await published("دليل", {
    "README.md": `# الدليل\n\nهذه صفحة عن النظام وكيفية استعماله.\n\nDocker هو برنامج لتشغيل الحاويات على النظام.\n\n${listing}\n`,
  });
  await reader.open(url);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator(".document pre code")).toHaveCSS("direction", "ltr");
  await expect(page.getByText("Docker هو برنامج")).toHaveCSS("direction", "rtl");
  await reader.fits();
});

test("a tree of more than 400 pages keeps its marks and groups", async ({ page, reader }) => {
  const files: Record<string, string> = { "README.md": "# Start\n\n[gone](missing.md) and [other](part-1/page-1.md).\n" };
  const entries = ["# Table of contents\n", "* [Start](README.md)\n", "## For users\n"];
  for (let part = 1; part <= 14; part++) {
    const title = part === 1 ? "A first part whose title is so long that it takes two lines" : `Part ${part}`;
    entries.push(part === 8 ? `\n## Reference\n\n* [${title}](part-${part}/README.md)` : `* [${title}](part-${part}/README.md)`);
    files[`part-${part}/README.md`] = `# ${title}\n`;
    for (let number = 1; number <= 30; number++) {
      files[`part-${part}/page-${number}.md`] = `# Page ${part}.${number}\n\nText.\n`;
      entries.push(`  * [Page ${part}.${number}](part-${part}/page-${number}.md)`);
    }
  }
  files["SUMMARY.md"] = `${entries.join("\n")}\n`;
  const url = await published("Large", files);
  await reader.open(url);
  const tree = page.getByRole("navigation", { name: "Pages" });
  for (const group of ["For users", "Reference"]) await expect(tree.getByText(group, { exact: true })).toBeVisible();
  await expect(tree.locator("a.more"), "parts are marked as having pages").toHaveCount(14);
  const long = tree.getByRole("link", { name: /^A first part/ });
  const overlap = await long.evaluate((link) => {
    const text = document.createRange();
    text.selectNodeContents(link);
    const mark = getComputedStyle(link, "::after");
    return Math.max(...[...text.getClientRects()].map((box) => box.right)) > link.getBoundingClientRect().right - parseFloat(mark.width);
  });
  expect(overlap, "the mark covers the title").toBe(false);
  await expect(page.locator(".document .broken", { hasText: "gone" })).toBeVisible();
  await reader.open(`${url}/for-users/part-2`);
  await expect(page.getByRole("main").getByRole("link", { name: "Page 2.1", exact: true }), "a page without text lists its pages").toBeVisible();
});

test("long words, labels and quotes of imported pages cover nothing", async ({ page, reader }) => {
  const long = "`tidb_enable_a_very_long_setting_whose_name_does_not_end_soon_enough`";
  const url = await published("Long", {
    "README.md": `# Long\n\n| Setting | Value |\n| --- | --- |\n| ${long} | ${long} |\n\n\`\`\`javascript\nconst line = "${"x".repeat(200)}";\n\`\`\`\n\n- Item\n\n  > Quote\n`,
  });
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    await reader.open(url);
    await reader.fits();
    const inside = await page.locator("td code").evaluateAll((all) =>
      all.every((code) => code.getBoundingClientRect().right <= code.closest("td")!.getBoundingClientRect().right + 1),
    );
    expect(inside, "code stays in its cell").toBe(true);
  }
  const label = await page.locator(".code-language").boundingBox();
  const line = await page.locator("pre code").first().evaluate((code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    return range.getClientRects()[0].top;
  });
  expect(label!.y + label!.height, "the label is above the first line").toBeLessThanOrEqual(line + 1);
  await expect(page.locator("li > blockquote")).toHaveCSS("margin-top", "12px");
});
