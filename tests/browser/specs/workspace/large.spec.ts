// A space of 10,000 pages.
import { base, call, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { isRelease } from "../../support/program.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const PARTS = 100;
const CHAPTERS = 99;
const BATCH = 50;
/** Searches for the same title. */
const RUNS = 3;

/** Returns the time from the input of a title to the page in the list of results, in ms. */
async function timeToFind(field: HTMLElement | SVGElement, title: string): Promise<number> {
  const input = field as HTMLInputElement;
  const start = performance.now();
  input.value = title;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  const isListed = () => [...document.querySelectorAll("[role=option]")].some((option) => option.textContent?.includes(title));
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => isListed() && resolve(performance.now() - start));
    observer.observe(document.body, { childList: true, subtree: true });
    setTimeout(() => reject(new Error(`no page with the title ${title} within 5 s`)), 5_000);
  });
}

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

  const found: number[] = [];
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search" });
  for (let part = 0; part < 20; part += 1) {
    const title = `Part ${part}, chapter ${part + 7}`;
    const times = [];
    for (let run = 0; run < RUNS; run += 1) {
      await field.fill("");
      await expect(page.getByRole("option", { name: title })).toHaveCount(0);
      times.push(await field.evaluate(timeToFind, title));
      await expect(page.getByRole("option", { name: title }).first()).toBeVisible();
    }
    // The fastest run, since other programs of the machine delay some.
    found.push(Math.min(...times));
  }
  console.log(`| 10,000 pages: elements, branch opened (p95), page found by title (p95) | ${elements}, ${p95(openings).toFixed(0)}, ${p95(found).toFixed(0)} ms |`);
  expect(elements).toBeLessThanOrEqual(1_500);
  expect(p95(openings)).toBeLessThanOrEqual(300);
  expect(p95(found)).toBeLessThanOrEqual(isRelease ? 100 : 300);
});
