// Comments, conflicts and review requests in the browser.
import type { Page } from "@playwright/test";
import { call, page as inserted, space as createSpace, token, write } from "../../support/api.ts";
import { kept } from "../../support/editor.ts";
import { expect, NARROW, test, WIDE } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

interface Written {
  space: string;
  pageId: string;
  address: string;
}

async function written(title: string, markdown: string): Promise<Written> {
  const space = await createSpace(`Space of ${title}`);
  await write(space, [inserted("Home", "Start."), inserted(title, markdown)]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  return { space, pageId: pages[1].id, address: `${base}/s/${space}/${pages[1].path}` };
}

const edit = (path: string, page: string, change: object) =>
  call("POST", `${path}/content`, { changes: [{ operation: "update_page", page, ...change }] });

const panel = (page: Page) => page.getByRole("region", { name: /^Comments/ });
const thread = (page: Page, words: string) => page.getByRole("article", { name: /^Comment by/ }).filter({ hasText: words });

async function screens(page: Page, reader: { isAccessible(name: string): Promise<void> }, name: string): Promise<void> {
  for (const [width, viewport] of [["390", NARROW], ["820", { width: 820, height: 1180 }], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/workspace-${name}-${width}-${colorScheme}.png`, fullPage: true });
      await reader.isAccessible(`${name} ${width} ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(overflow, `overflow of ${name} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
}

test("a comment on a block: written, answered, changed, resolved, reopened and deleted", async ({ reader, page }) => {
  const at = await written("Backups", "One.\n\nCopies are kept for 30 days.\n\nThree.");
  await reader.open(at.address);
  await page.getByText("Copies are kept").hover();
  await page.getByRole("button", { name: "Comment", exact: true }).first().click();
  const field = page.getByRole("textbox", { name: "New comment" });
  await expect(field).toBeFocused();
  await expect(page.getByRole("combobox", { name: "On" })).toHaveValue("1");
  await field.fill("Is this true for *archives*?");
  await field.press("Control+Enter");
  const comment = thread(page, "archives");
  await expect(comment).toContainText("“Copies are kept for 30 days.”");
  await expect(field).toHaveValue("");
  await expect(page.getByRole("button", { name: "1 comment on: Copies are kept for 30 days." })).toBeVisible();

  await comment.getByRole("textbox", { name: "Your reply" }).fill("Yes, for all.");
  await comment.getByRole("button", { name: "Send reply" }).click();
  await expect(comment).toContainText("Yes, for all.");
  await comment.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("textbox", { name: "Text of the comment" }).fill("Is this true for archives, too?");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(comment).toContainText("archives, too?");
  await expect(comment).toContainText("edited");
  await screens(page, reader, "comments");

  // A comment stays on its block, and says when the block is deleted.
  await edit(`/spaces/${at.space}`, at.pageId, { document: { markdown: "Zero.\n\nOne.\n\nCopies are kept for 30 days.\n\nThree." } });
  await page.reload();
  await expect(page.getByRole("button", { name: "1 comment on: Copies are kept for 30 days." })).toBeVisible();
  await edit(`/spaces/${at.space}`, at.pageId, { document: { markdown: "Zero.\n\nThree." } });
  await page.reload();
  await expect(thread(page, "archives")).toContainText("On deleted text");

  await thread(page, "archives").getByRole("button", { name: "Resolve" }).click();
  await expect(panel(page)).toContainText("No open comments on this page.");
  await panel(page).getByRole("link", { name: "Resolved" }).click();
  await thread(page, "archives").getByRole("button", { name: "Reopen" }).click();
  await panel(page).getByRole("link", { name: "Open" }).click();
  await thread(page, "archives").getByRole("button", { name: "Delete" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(thread(page, "archives")).not.toContainText("Yes, for all.");
  await thread(page, "archives").getByRole("button", { name: "Delete" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(thread(page, "archives")).toBeVisible();
});

/** Selects the first occurrence of words in a page. */
const select = (page: Page, words: string) =>
  page.getByRole("main").evaluate((main, words) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const at = node.data.indexOf(words);
      if (at < 0) continue;
      getSelection()?.setBaseAndExtent(node, at, node, at + words.length);
      return;
    }
    throw new Error(`The page has no ${words}.`);
  }, words);

/** Returns the highlighted words of the page. */
const marked = (page: Page, name: string) =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map((range) => String(range)), name);

test("a comment on words: selected, marked, shown, and kept when they are gone", async ({ reader, page }) => {
  const at = await written("Quoted", "One.\n\nCopies are kept for *30* days, archives for *30* weeks.\n\nThree.");
  await reader.open(at.address);
  await select(page, "archives for ");
  await page.getByRole("button", { name: "Comment on the words" }).click();
  const field = page.getByRole("textbox", { name: "New comment" });
  await expect(field).toBeFocused();
  await expect(page.getByRole("combobox", { name: "On" })).toHaveValue("1");
  await expect(panel(page)).toContainText("“archives for”");
  await screens(page, reader, "quoting");
  await page.setViewportSize(WIDE);
  await expect.poll(() => marked(page, "shown-comment")).toEqual(["archives for"]);
  await field.fill("Which archives?");
  await field.press("Control+Enter");
  const comment = thread(page, "Which archives?");
  await expect(comment.getByRole("button", { name: "“archives for”" })).toBeVisible();
  await expect.poll(() => marked(page, "comments")).toEqual(["archives for"]);
  const { items } = await call("GET", `/spaces/${at.space}/comments`);
  expect(items[0].target.node.quote).toEqual({ text: "archives for", offset: 29 });

  await edit(`/spaces/${at.space}`, at.pageId, { document: { markdown: "Zero.\n\nAll copies are kept for *30* days, archives for *30* weeks." } });
  await page.reload();
  await expect.poll(() => marked(page, "comments")).toEqual(["archives for"]);
  await comment.getByRole("button", { name: "“archives for”" }).click();
  await expect.poll(() => marked(page, "shown-comment")).toEqual(["archives for"]);
  await screens(page, reader, "quoted");
  await page.setViewportSize(WIDE);

  await edit(`/spaces/${at.space}`, at.pageId, { document: { markdown: "All copies are kept for *30* days, others for *30* weeks." } });
  await page.reload();
  await expect(comment.getByRole("button", { name: "Words have changed “archives for”" })).toBeVisible();
  await expect.poll(() => marked(page, "comments")).toEqual([]);

  // The key uses the selected words. The button of the block drops them.
  await select(page, "others");
  await page.keyboard.press("c");
  await expect(panel(page)).toContainText("“others”");
  await panel(page).getByRole("button", { name: "Whole block" }).click();
  await expect(panel(page)).not.toContainText("“others”");
  await expect(field).toBeFocused();
});

test("C opens a comment on the page, and a reload keeps what was typed", async ({ page }) => {
  const at = await written("Kept", "One.");
  await page.goto(at.address);
  await page.getByRole("heading", { name: "Kept", exact: true }).click();
  await page.keyboard.press("c");
  const field = page.getByRole("textbox", { name: "New comment" });
  await expect(field).toBeFocused();
  await page.keyboard.type("Half a thought");
  await kept(page, "Half a thought");
  await page.reload();
  await expect(field).toHaveValue("Half a thought");
});

test("a comment while a page is edited", async ({ page }) => {
  const at = await written("Edited", "One.\n\nTwo.");
  const { number } = await call("POST", `/spaces/${at.space}/change-requests`, { subject: "Edit" });
  await page.goto(`${base}/s/${at.space}/~/changes/${number}/edited`);
  await expect(page.getByRole("textbox", { name: "Edited", exact: true })).toBeFocused();
  await page.getByText("Two.").click();
  await page.keyboard.press("Control+Alt+c");
  await expect(page.getByRole("combobox", { name: "On" })).toHaveValue("1");
  await page.keyboard.type("Of which?");
  await page.keyboard.press("Control+Enter");
  await expect(thread(page, "Of which?")).toContainText("“Two.”");
  const { items } = await call("GET", `/spaces/${at.space}/change-requests/${number}/comments`);
  expect(items[0].target.node.id).toBe("1");
  await select(page, "One");
  await page.keyboard.press("Control+Alt+c");
  await expect(panel(page)).toContainText("“One”");
  await page.keyboard.type("Or two?");
  await page.keyboard.press("Control+Enter");
  await expect(thread(page, "Or two?")).toContainText("“One”");
  await expect.poll(() => marked(page, "comments")).toEqual(["One"]);
  const quoted = await call("GET", `/spaces/${at.space}/change-requests/${number}/comments?order=asc`);
  expect(quoted.items[1].target.node).toMatchObject({ id: "0", quote: { text: "One", offset: 0 } });
  await page.goto(`${base}/s/${at.space}/~/changes/${number}`);
  await expect(page.getByRole("main")).toContainText("2 open comments");
  await page.getByRole("textbox", { name: "New comment" }).fill("About all of it");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(thread(page, "About all of it")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("3 open comments");
});

test("conflicts are settled one by one", async ({ reader, page }) => {
  const at = await written("Twice", "One.\n\nTwo.\n\nThree.");
  const { number } = await call("POST", `/spaces/${at.space}/change-requests`, { subject: "Ours" });
  const request = `/spaces/${at.space}/change-requests/${number}`;
  await edit(request, at.pageId, { title: "Ours", document: { markdown: "One of ours.\n\nTwo.\n\nThree of ours." } });
  await edit(`/spaces/${at.space}`, at.pageId, { title: "Theirs", document: { markdown: "One of theirs.\n\nTwo.\n\nThree of theirs." } });
  await call("PATCH", `/spaces/${at.space}/change-requests/${number}`, { status: "open" });
  await reader.open(`${base}/s/${at.space}/~/changes/${number}`);
  await expect(page.getByRole("main")).toContainText("3 conflicts with the space");
  await page.getByRole("link", { name: "Resolve conflicts" }).click();
  const apply = page.getByRole("button", { name: "Apply and update" });
  await expect(apply).toBeDisabled();
  const title = page.getByRole("group", { name: /^Title of/ });
  await title.getByRole("button", { name: "Use main" }).click();
  const first = page.getByRole("group", { name: /^A paragraph of/ }).first();
  await expect(first).toContainText("One of theirs.");
  await first.getByRole("button", { name: "Use both" }).click();
  const last = page.getByRole("group", { name: /^A paragraph of/ }).last();
  await last.getByRole("button", { name: "Use yours" }).click();
  await last.getByRole("heading", { level: 2 }).click();
  await last.getByRole("button", { name: "Edit" }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" And more.");
  await expect(page.getByRole("status").filter({ hasText: "settled" })).toHaveText("3 of 3 settled");
  // Each conflict has the sign of settled ones, also with an edited result.
  for (const conflict of await page.getByRole("main").locator("[data-conflict]").all()) {
    await expect(conflict.locator("h2 .merged")).toBeVisible();
    await expect(conflict.locator("h2 .open")).toBeHidden();
  }
  await screens(page, reader, "conflicts");

  // Nothing is stored before applying, and a reload keeps the choices.
  const before = await call("GET", request);
  await kept(page, "And more.");
  await page.reload();
  await expect(last).toContainText("And more.");
  expect((await call("GET", request)).revision).toBe(before.revision);
  await apply.click();
  await expect(page).toHaveURL(`${base}/s/${at.space}/~/changes/${number}`);
  await expect(page.getByRole("main")).toContainText("No conflicts with the space");
  const stored = await call("GET", `${request}/content/page/${at.pageId}`);
  expect(stored.title).toBe("Theirs");
  for (const text of ["One of ours.", "One of theirs.", "Three of ours. And more."]) {
    expect(JSON.stringify(stored.document)).toContain(text);
  }
  await page.goto(`${base}/s/${at.space}/~/changes/${number}/~conflicts`);
  await expect(page.getByRole("heading", { name: "No conflicts" })).toBeVisible();
});

test("text of a closed change request goes into a new one", async ({ page }) => {
  const at = await written("Closed early", "One.");
  const { number } = await call("POST", `/spaces/${at.space}/change-requests`, { subject: "Early" });
  await page.goto(`${base}/s/${at.space}/~/changes/${number}/closed-early`);
  await expect(page.getByRole("textbox", { name: "Closed early", exact: true })).toBeFocused();
  await call("PATCH", `/spaces/${at.space}/change-requests/${number}`, { status: "archived" });
  await page.getByText("One.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Too late");
  await page.getByRole("button", { name: "Put it into a new change request" }).click();
  await expect(page).toHaveURL(`${base}/s/${at.space}/~/changes/${number + 1}`);
  const { document } = await call("GET", `/spaces/${at.space}/change-requests/${number + 1}/content/page/${at.pageId}`);
  expect(JSON.stringify(document)).toContain("One. Too late");
});
