// Dropped documentation is imported: progress is shown, and the report links to the pages.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { base, call, space as createSpace } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, test } from "../../support/reader.ts";

/** First archive in QUIRE_ARCHIVES. */
const [own] = (process.env.QUIRE_ARCHIVES ?? "").split(":").filter(Boolean);

/** Returns that archive, or the documentation of the tests. */
function archive(out: string): Buffer {
  if (own) return readFileSync(own);
  execFileSync("python3", ["-m", "zipfile", "-c", out, `${process.env.QUIRE_PROJECT}/crates/markup/tests/corpus/fluentd-docs`]);
  return readFileSync(out);
}

test("an archive that is dropped is imported with three clicks, and each line of the report leads to its page", async ({ reader, page }, info) => {
  test.setTimeout(180_000);
  await page.setExtraHTTPHeaders(headers);
  const space = await createSpace("Dropped");
  await reader.open(`${base}/s/${space}`);
  let clicks = 0;
  const click = async (role: "link" | "button", name: string) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).click();
  };
  await click("link", "Import pages");
  const bytes = archive(info.outputPath("docs.zip")).toString("base64");
  await page.getByLabel("File", { exact: true }).evaluate((field, text) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], "docs.zip", { type: "application/zip" }));
    for (const type of ["dragover", "drop"]) field.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, bytes);
  // Records the times of visible progress, until the report.
  await page.addInitScript(() => {
    const moved = ((window as any).moved = [performance.now()]);
    new MutationObserver(() => moved.push(performance.now())).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["value"] });
  });
  await click("button", "Import");
  const report = page.getByText(/^Imported \d+ of \d+ pages or files?\.|^Imported \d+ of \d+/);
  await expect(report).toBeVisible({ timeout: 120_000 });
  const still = await page.evaluate(() => {
    const moved = (window as any).moved as number[];
    return Math.max(...moved.map((time, at) => time - (moved[at - 1] ?? time)));
  });
  console.log(`${await report.textContent()} Longest time without a sign: ${Math.round(still)} ms`);
  // In a debug build, a step of a large archive takes longer.
  if (!own) expect(still, "longest time without a sign of progress").toBeLessThanOrEqual(1_000);
  await reader.isAccessibleEverywhere();
  const lines = page.getByRole("main").getByRole("listitem").filter({ has: page.getByRole("link") });
  expect(await lines.count(), "lines of the report").toBeGreaterThan(0);
  // Each line names what happened, and lines about pages lead to them.
  const all = await page.getByRole("main").locator("ul.report").getByRole("listitem").allInnerTexts();
  const linked = await lines.allInnerTexts();
  for (const line of all) {
    expect.soft(line).toMatch(/(Failed|Broken links|Changed|Left out): \S/);
    if (/(Broken links|Changed): /.test(line)) expect.soft(linked, line).toContain(line);
  }
  const addresses = await page.getByRole("main").getByRole("listitem").getByRole("link").evaluateAll((links) => [...new Set(links.map((link) => (link as HTMLAnchorElement).href))]);
  for (const address of addresses) {
    const answer = await fetch(address, { headers: { ...headers, connection: "close" } });
    expect.soft(answer.status, address).toBe(200);
  }
  clicks += 1;
  await lines.first().getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(clicks, "clicks").toBeLessThanOrEqual(3);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  expect(pages.length).toBeGreaterThan(0);
});
