// Screenshots of pages at three widths in light and dark, for review: target/screens.
import type { Page } from "@playwright/test";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../support/reader.ts";
import { sites } from "../support/sites.ts";

const folder = process.env.QUIRE_SCREENS ?? "";
const at = sites();

/** Scrolls a heading to just below the header. */
const to = (heading: string) => async (page: Page) => {
  await page.evaluate((text) => {
    const found = [...document.querySelectorAll("h2, h3")].find((heading) => heading.textContent?.startsWith(text));
    if (!found) throw new Error(`no heading ${text}`);
    scrollTo({ top: found.getBoundingClientRect().top + scrollY - 96, behavior: "instant" });
  }, heading);
};

const search = (words: string) => async (page: Page) => {
  await page.keyboard.press("/");
  await page.locator("dialog input").fill(words);
  await expect(page.locator("dialog a").first()).toBeVisible();
};

const menu = async (page: Page) => {
  const button = page.locator(".bar button");
  if (await button.isVisible()) await button.click();
};

const paper = async (page: Page) => {
  await page.emulateMedia({ media: "print" });
  await to("Messages you may see")(page);
};

/** Name of the screenshot, address of the page, and preparation. */
const PICTURES: [string, string, ((page: Page) => Promise<void>)?][] = [
  ["home", at.ferry],
  ["top", `${at.ferry}/guides/jobs`],
  ["code", `${at.ferry}/guides/jobs`, to("Define a job")],
  ["table", `${at.ferry}/guides/jobs`, to("Install the agent")],
  ["blocks", `${at.ferry}/guides/jobs`, to("Messages you may see")],
  ["steps", `${at.ferry}/guides/jobs`, to("Restore a file")],
  ["math", `${at.ferry}/guides/jobs`, to("How long a run takes")],
  ["api", `${at.ferry}/reference/command-line`],
  ["search", `${at.ferry}/guides/jobs`, search("verify")],
  ["menu", `${at.ferry}/guides/jobs`, menu],
  ["every-top", at.blocks],
  ["every-lists", at.blocks, to("Lists")],
  ["every-code", at.blocks, to("Code")],
  ["every-tabs", at.blocks, to("Tabs")],
  ["every-tables", at.blocks, to("Tables")],
  ["every-cards", at.blocks, to("Cards")],
  ["every-pictures", at.blocks, to("Pictures and files")],
  ["every-references", at.blocks, to("References")],
  ["every-math", at.blocks, to("Mathematics")],
  ["every-updates", at.blocks, to("Conditions, updates")],
  ["every-api", at.blocks, to("An API")],
  ["every-scripts", at.blocks, to("طرق")],
  ["sections", at.structured],
  ["dressed", at.dressed],
  ["missing", `${at.ferry}/nothing`],
  ["results", `${at.ferry}/~quire/search?q=verify`],
  ["print", `${at.ferry}/guides/jobs`, paper],
  ["server", new URL("/", at.ferry).href],
  ["fluentd", `${at.fluentd}/geoip`],
  ["book", `${at.book}/ch07-01-packages-and-crates`],
];

for (const [name, url, prepare] of PICTURES) {
  test(`pictures of ${name}`, { tag: "@full" }, async ({ page }) => {
    await replaceAssets(page);
    for (const viewport of [WIDE, MEDIUM, NARROW]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ media: "screen", colorScheme, reducedMotion: "reduce" });
        await page.goto(url);
        await prepare?.(page);
        await page.screenshot({ path: `${folder}/${name}-${viewport.width}-${colorScheme}.png`, animations: "disabled" });
      }
    }
  });
}
