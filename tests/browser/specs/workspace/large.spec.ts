// A space of 10,000 pages.
import { base, call, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const PARTS = 100;
const CHAPTERS = 99;
const BATCH = 50;

const p95 = (times: number[]) => [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;

test("a space of 10,000 pages opens, unfolds and is searched fast @full", async ({ page }) => {
  test.setTimeout(900_000);
  await page.setExtraHTTPHeaders(headers);
  await replaceAssets(page);
  const space = await createSpace("Ten thousand");
  const parts = Array.from({ length: PARTS }, (_, at) => inserted(`Part ${at}`, "Text."));
  for (let from = 0; from < PARTS; from += BATCH) await write(space, parts.slice(from, from + BATCH));
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  for (const { id, title } of pages) {
    const chapters = Array.from({ length: CHAPTERS }, (_, at) => inserted(`${title}, chapter ${at}`, "Text.", { into: id }));
    for (let from = 0; from < CHAPTERS; from += BATCH) await write(space, chapters.slice(from, from + BATCH));
  }

  await page.goto(`${base}/s/${space}/part-50`);
  const elements = await page.evaluate(() => document.getElementsByTagName("*").length);
  const tree = page.getByRole("navigation", { name: "Space" });
  const openings: number[] = [];
  for (let part = 0; part < 20; part += 1) {
    await page.goto(`${base}/s/${space}/part-${part + 60}`);
    const branch = tree.getByLabel(`Pages below Part ${part}`, { exact: true });
    const took = await branch.evaluate(async (summary) => {
      const start = performance.now();
      (summary as HTMLElement).click();
      const details = summary.closest("details")!;
      while (details.querySelectorAll("a").length < 50 && performance.now() - start < 5_000) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    });
    openings.push(took);
    await expect(tree.getByRole("link", { name: `Part ${part}, chapter 0`, exact: true })).toBeVisible();
  }

  const answers: number[] = [];
  const shown: number[] = [];
  for (let part = 0; part < 20; part += 1) {
    const title = `Part ${part}, chapter ${part + 7}`;
    await page.keyboard.press("Control+k");
    const answered = page.waitForResponse((response) => response.url().includes("/titles?"));
    const start = performance.now();
    await page.getByRole("combobox", { name: "Search" }).fill(title);
    await expect(page.getByRole("option", { name: title }).first()).toBeVisible();
    shown.push(performance.now() - start);
    const response = await answered;
    await response.finished();
    answers.push(response.request().timing().responseEnd);
    await page.keyboard.press("Escape");
  }
  console.log(`| 10,000 pages: elements, branch opened (p95), page found by title (p95 of the answer, of what is shown) | ${elements}, ${p95(openings).toFixed(0)}, ${p95(answers).toFixed(0)}, ${p95(shown).toFixed(0)} ms |`);
  expect(elements).toBeLessThanOrEqual(1_500);
  expect(p95(openings)).toBeLessThanOrEqual(300);
  // The goal is 100 ms. This is a debug build on a busy machine.
  expect(p95(answers)).toBeLessThanOrEqual(300);
});
