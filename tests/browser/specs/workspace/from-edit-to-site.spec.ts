// An author changes pages, a reviewer comments, approves and merges, and the published site shows the result.
import type { Locator } from "@playwright/test";
import { base, call, organization, page as inserted, site, space as createSpace, write } from "../../support/api.ts";
import { caretAfter, headers, status } from "../../support/editor.ts";
import { member } from "../../support/person.ts";
import { expect, replaceAssets, test } from "../../support/reader.ts";

const TIDES = `Ferry sends a folder to one host.

Stop the server before the upgrade.

Watch the log.

| Option | Meaning |
| --- | --- |
| a | sends all files |

\`\`\`sh
ferry init
ferry push
\`\`\`
`;

/** Performs user actions and counts them. */
class Clicks {
  count = 0;

  async on(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }
}

test("one click of an author and four of a reviewer lead from edits to the site", async ({ reader, page, browser }) => {
  test.setTimeout(120_000);
  await page.setExtraHTTPHeaders(headers);
  const space = await createSpace("From edit to site");
  await write(space, [inserted("Tides", TIDES), inserted("Harbor", "One.\n\nTwo.\n\nThree."), inserted("Pier", "Gone soon.")]);
  const published = await site({ title: "From edit to site", visibility: "public", spaces: [space] });
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "From edit to site" });
  const request = `${base}/s/${space}/~/changes/${number}`;
  const open = async (path: string) => {
    await page.goto(`${request}/${path}`);
    await expect(status(page)).toHaveText("Saved");
  };
  const tree = page.getByRole("navigation", { name: "Space" });

  // Changes words, a cell, a line of code, a moved block, a new page and a deleted one.
  await open("tides");
  await caretAfter(page, "Ferry sends a folder to one host.");
  await page.keyboard.type(" And to others.");
  await caretAfter(page, "sends all files");
  await page.keyboard.type(" and links");
  await caretAfter(page, "ferry init");
  await page.keyboard.type(" --quiet");
  await expect(status(page)).toHaveText("Saved");
  await open("harbor");
  await caretAfter(page, "Three.");
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(status(page)).toHaveText("Saved");
  await tree.getByRole("link", { name: "Pier", exact: true }).focus();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Deleted “Pier”.")).toBeVisible();
  await page.getByRole("button", { name: "Add a page" }).click();
  await expect(tree.getByRole("textbox", { name: "Title of the page" })).toBeFocused();
  await page.keyboard.type("Lighthouse");
  await page.keyboard.press("Enter");
  await expect(tree.getByRole("link", { name: "Lighthouse", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Lighthouse", exact: true })).toBeFocused();
  await page.keyboard.type("It is lit at night.");

  // The text is saved before the review is requested.
  const author = new Clicks();
  await author.on(page.getByRole("button", { name: "Request review" }));
  await expect(page.getByRole("main").getByText("Open", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("It is lit at night.");
  expect(author.count, "clicks of the author").toBe(1);

  const context = await browser.newContext({ extraHTTPHeaders: await member("Rosa Reviewer", "review") });
  const other = await context.newPage();
  await replaceAssets(other);
  const clicks = new Clicks();
  await other.goto(`${base}/o/${organization}`);
  await clicks.on(other.getByRole("main").getByRole("link", { name: "From edit to site" }).first());
  const changes = other.getByRole("main");
  const tides = changes.getByRole("region", { name: "Tides" });
  await expect(tides.getByRole("insertion").filter({ hasText: "And to others." }).first()).toBeVisible();
  await expect(tides.getByRole("row").filter({ hasText: "and links" }).getByRole("insertion").first()).toContainText("and links");
  await expect(tides.getByRole("insertion").filter({ hasText: "ferry init --quiet" }).first()).toBeVisible();
  await expect(tides.getByText("Stop the server before the upgrade.")).not.toHaveRole("insertion");
  await expect(changes.getByRole("region", { name: "Harbor" }).getByText("Moved here", { exact: true })).toBeVisible();
  await expect(changes.getByRole("region", { name: "Lighthouse" })).toContainText("It is lit at night.");
  await expect(changes.getByRole("region", { name: "Pier" })).toContainText("Gone soon.");

  // J moves to the next change, and K back.
  const seen: string[] = [];
  const focused = () => other.evaluate(() => document.activeElement?.textContent ?? "");
  for (let at = 0; at < 20; at += 1) {
    await other.keyboard.press("j");
    const text = await focused();
    if (text === seen.at(-1)) break;
    seen.push(text);
  }
  for (const words of ["And to others.", "and links", "--quiet", "Three.", "It is lit at night.", "Gone soon."]) {
    expect(seen.join("\n"), "changes on the way of J").toContain(words);
  }
  await other.keyboard.press("k");
  expect(await focused()).toBe(seen.at(-2));

  await other.keyboard.press("v");
  await expect(changes.getByText("1 of 4 viewed")).toBeVisible();
  await other.reload();
  await expect(changes.getByText("1 of 4 viewed")).toBeVisible();
  await other.keyboard.press("c");
  await expect(other.getByRole("textbox", { name: "New comment" })).toBeFocused();
  await other.keyboard.type("Well said.");
  await other.keyboard.press("Control+Enter");
  await expect(other.getByRole("article", { name: "Comment by Rosa Reviewer" })).toContainText("Well said.");
  // In a field, shortcut keys are text.
  await clicks.on(other.getByRole("heading", { level: 1 }));
  await other.keyboard.press("a");
  await clicks.on(other.getByRole("button", { name: "Approve it" }));
  await expect(changes.getByText("1 approval")).toBeVisible();
  await other.keyboard.press("m");
  await clicks.on(other.getByRole("button", { name: "Merge it" }));
  await expect(changes.getByText("Merged", { exact: true })).toBeVisible();
  expect(clicks.count, "clicks of the reviewer").toBeLessThanOrEqual(4);

  // The next request of a visitor gets the change.
  const visitor = async (path: string) => fetch(`${published.url}${path}`, { headers: { connection: "close" } });
  expect(await (await visitor("/tides")).text()).toContain("And to others.");
  expect(await (await visitor("/lighthouse")).text()).toContain("It is lit at night.");
  expect((await visitor("/pier")).status).toBe(404);
  await reader.open(`${published.url}/tides`);
  await context.close();
});
