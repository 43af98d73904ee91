// Pages of every site, up to a maximum number.
import { expect, test } from "../support/reader.ts";

const MOST = 40;

for (const name of ["ferry", "fluentd", "book", "structured", "dressed", "sharedWithKey"] as const) {
  test(`all pages of the site ${name} hold`, { tag: "@full" }, async ({ reader, page, at }) => {
    test.setTimeout(600_000);
    const root = at[name];
    const waiting = [root];
    const seen = new Set(waiting);
    for (let url = waiting.shift(), count = 0; url && count < MOST; url = waiting.shift(), count++) {
      await reader.open(url);
      await reader.isAccessibleEverywhere();
      const links = await page.$$eval(":is(.sidebar, .sections, .variants) a[href]", (links) => links.map((link) => (link as HTMLAnchorElement).href.replace(/#.*/, "")));
      for (const link of links) {
        if (!link.startsWith(root) || /\.(md|pdf|xml|txt)$|~quire/.test(link) || seen.has(link)) continue;
        seen.add(link);
        waiting.push(link);
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });
}
