// Writing, reviewing and merging in the browser, without loss of typed text.
import type { Browser, Page } from "@playwright/test";
import { call, organization, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { type Draft, draft, edit, headers, kept, paste, status, stored, textbox, typeAfter } from "../../support/editor.ts";
import { unused } from "../../support/person.ts";
import { expect, MEDIUM, NARROW, type Reader, test, WIDE } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

/** Opens the editor in another browser. */
async function elsewhere(browser: Browser, at: Draft): Promise<Page> {
  const context = await browser.newContext({ extraHTTPHeaders: headers });
  const page = await context.newPage();
  await page.goto(at.address);
  return page;
}

test("from an empty space to a merged page", async ({ reader, page }) => {
  await reader.open(`${base}/o/${organization}`);
  await page.getByRole("button", { name: "New space" }).click();
  const dialog = page.getByRole("dialog", { name: "New space" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Written here");
  await reader.isAccessible("dialog");
  await dialog.getByRole("button", { name: "Create space" }).click();
  await expect(page.getByText("No pages yet")).toBeVisible();
  await page.getByRole("button", { name: "New page" }).click();
  await page.getByRole("dialog", { name: "New page" }).getByRole("textbox", { name: "Title" }).fill("First steps");
  await page.getByRole("button", { name: "Add page" }).click();
  await expect(textbox(page, "First steps")).toBeFocused();
  await page.keyboard.type("## Install");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Run the installer.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/code");
  await expect(page.getByRole("option", { name: "Code" })).toHaveAttribute("aria-selected", "true");
  await reader.isAccessible("menu of blocks");
  await page.keyboard.press("Enter");
  await page.keyboard.type("ferry init");
  await expect(status(page)).toHaveText("Saved");
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await expect(page.getByRole("main")).toContainText("First steps");
  await page.getByRole("button", { name: "Request review" }).click();
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByRole("button", { name: "Merge it" }).click();
  await expect(page.getByRole("main").getByText("Merged", { exact: true })).toBeVisible();
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Written here" }).click();
  await expect(page.getByRole("heading", { name: "Install" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("ferry init");
  // A page is edited in the user's own draft.
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page).toHaveURL(/~\/changes\/2\/first-steps$/);
  await expect(textbox(page, "First steps")).toBeFocused();
});

test("a page with the longest title is edited, and its text moves to a new change request", async ({ page }) => {
  const title = `${"x".repeat(92)} and 🚢🚢🚢`;
  const space = await createSpace("Longest title");
  await write(space, [inserted(title, "One.")]);
  await page.goto(`${base}/s/${space}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(textbox(page, title)).toBeFocused();
  await call("PATCH", `/spaces/${space}/change-requests/1`, { status: "archived" });
  await typeAfter(page, "One.", " Too late");
  await page.getByRole("button", { name: "Put it into a new change request" }).click();
  await expect(page).toHaveURL(`${base}/s/${space}/~/changes/2`);
});

test("a click before the editor has started puts the caret there", async ({ page }) => {
  const at = await draft("Early", "One.\n\nTwo.\n\nThree.");
  let start = () => {};
  const held = new Promise<void>((resolve) => (start = resolve));
  await page.route("**/revisions/*/page/*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(at.address);
  await page.getByRole("main").getByText("Three.").click();
  start();
  await expect(textbox(page, "Early")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" Typed");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toContain("Three. Typed");
});

/** Blocks with the same size in the editor. */
const PLAIN = [
  "A sentence with *some* **marks**, `code` and [a link](https://example.com).",
  "## Install",
  "1. Get the tool.\n2. Run it.\n   - From a folder.",
  "- One\n- Two",
  "- [ ] Open\n- [x] Done",
  "> Quoted.",
  '{% hint style="warning" %}\nStop the database first.\n{% endhint %}',
  '```sh title="install.sh"\nferry install --quiet\n```',
  "```sh\nls\n```",
  "```\nuntitled\n```",
  "1. First.\n\n   With a paragraph.\n2. Second.",
  "| Option | Meaning |\n| --- | --- |\n| `--quiet` | says nothing |\n| `--keep` | days |",
  "|  |  |\n| --- | --- |\n| a | b |",
  "1. In a list:\n\n   ```sh\n   ls\n   ```\n\n   {% hint style=\"info\" %}\n   Noted.\n   {% endhint %}\n2. Last.",
  "---",
  "$$\nx^2\n$$",
  "- A formula:\n\n  $$\n  y^2\n  $$\n- *One* of $$e^x$$ in a line.\n- [ ] To do:\n\n  $$\n  z^2\n  $$",
  "| | Formula |\n| --- | --- |\n| Growth | $$e^t$$ |",
  "{% content-ref url=\"later.md\" %}\n[later.md](later.md)\n{% endcontent-ref %}",
  "The end.",
].join("\n\n");

/** Returns the places of the blocks of the page by their keys, and of what follows them. */
function places(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const editor = document.querySelector(".ProseMirror") as any;
    const read = () => [...document.querySelectorAll<HTMLElement>("[data-editor] > [data-block]")].map((element) => ({ key: element.dataset.block, element }));
    const blocks: { key: string; element: Element }[] = editor?.blocks() ?? read();
    return [...blocks, { key: "end", element: document.querySelector(".neighbors")! }].map(({ key, element }) => {
      const { left, top } = element.getBoundingClientRect();
      return `block ${key} at ${left}, ${top}`;
    });
  });
}

/** Checks that the editor of a page, which starts late, leaves all blocks where readers see them. */
async function movesNothing(page: Page, reader: Reader, address: string): Promise<void> {
  for (const viewport of [WIDE, NARROW]) {
    let start = () => {};
    const held = new Promise<void>((resolve) => (start = resolve));
    await page.route("**/revisions/*/page/*", async (route) => {
      await held;
      await route.continue();
    }, { times: 1 });
    await page.setViewportSize(viewport);
    await page.goto(address);
    await expect(status(page)).toHaveText("Loading the editor…");
    await reader.settled();
    const before = await places(page);
    start();
    await expect(status(page)).toHaveText("Saved");
    await reader.settled();
    expect(await places(page)).toEqual(before);
  }
  expect(reader.requests.filter((url) => url.endsWith("/content/render"))).toEqual([]);
}

test("an editor that starts late moves nothing", async ({ reader, page }) => {
  const at = await draft("Late", PLAIN, inserted("Later", "More."));
  await movesNothing(page, reader, at.address);
});

test("blocks that are pasted together are shown by one request", async ({ reader, page }) => {
  const formulas = ["x^2", "y^2", "z^2"].map((formula) => `$$\n${formula}\n$$`);
  const at = await draft("Formulas", ["First.", ...formulas, "Last."].join("\n\n"));
  await edit(page, at);
  const shown = page.getByRole("main").getByRole("math");
  await expect(shown).toHaveCount(3);
  await page.getByText("First.").click();
  await page.keyboard.press("Control+a");
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement?.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return Object.fromEntries([...clipboardData.types].map((type) => [type, clipboardData.getData(type)]));
  });
  await page.keyboard.press("ArrowRight");
  await paste(page, copied);
  await expect(shown).toHaveCount(6);
  expect(reader.requests.filter((url) => url.endsWith("/content/render"))).toHaveLength(1);
  await expect(status(page)).toHaveText("Saved");
});

test("each kind of block looks in the editor as readers see it", async ({ reader, page, at }) => {
  const { pages } = await call("GET", `/spaces/${at.blocksSpace}/content/pages`);
  const { number } = await call("POST", `/spaces/${at.blocksSpace}/change-requests`, { subject: "Look" });
  await movesNothing(page, reader, `${base}/s/${at.blocksSpace}/~/changes/${number}/${pages[0].path}`);
});

const FOLDED = [
  '{% tabs %}\n{% tab title="Linux" %}\nFor Linux.\n{% endtab %}\n\n{% tab title="macOS" %}\nFor macOS.\n{% endtab %}\n{% endtabs %}',
  "<details>\n\n<summary>More</summary>\n\nFolded words.\n\n</details>",
  '{% code expandable="true" collapsedLineCount="3" %}\n```sh\none\ntwo\nthree\nfour\nlast line\n```\n{% endcode %}',
  "The end.",
].join("\n\n");

test("a tab opens by mouse and by keyboard, and its title is typed in the strip", async ({ reader, page }) => {
  const at = await draft("Tabs", FOLDED);
  await edit(page, at);
  const titles = page.getByRole("textbox", { name: "Title of the tab" });
  const [linux, macos] = ["For Linux.", "For macOS."].map((text) => page.getByRole("main").getByText(text));
  await expect(linux).toBeVisible();
  await expect(macos).toBeHidden();
  await titles.nth(1).click();
  await expect(macos).toBeVisible();
  await expect(linux).toBeHidden();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("-");
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => stored(at)).toContain('"title":"macO-S"');
  await page.keyboard.press("Shift+Tab");
  await expect(linux).toBeVisible();
  await expect(titles.nth(0)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(textbox(page, "Tabs")).toBeFocused();
  await typeAfter(page, "For Linux.", " And BSD.");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toContain("For Linux. And BSD.");
  await reader.isAccessible("tabs in the editor");
});

test("what readers unfold opens for the caret", async ({ page }) => {
  const at = await draft("Folded", FOLDED);
  await edit(page, at);
  const main = page.getByRole("main");
  const folded = main.getByText("Folded words.");
  await expect(folded).toBeHidden();
  await main.getByText("More", { exact: true }).click();
  await expect(folded).toBeVisible();
  // The sign before the title folds it, and unfolds it.
  const { x, y } = (await main.getByText("More", { exact: true }).boundingBox())!;
  await page.mouse.click(x - 18, y + 12);
  await expect(folded).toBeHidden();
  await page.mouse.click(x - 18, y + 12);
  await expect(folded).toBeVisible();
  await typeAfter(page, "Folded words.", " Typed");
  await main.getByText("two", { exact: true }).click();
  for (let line = 0; line < 3; line += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type(" in view");
  await expect(main.getByText("last line in view")).toBeInViewport();
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toContain("Folded words. Typed");
});

test("reading in the editor changes nothing, and a letter changes one block", async ({ page }) => {
  const { ferrySpace } = (await import("../../support/sites.ts")).sites();
  const { pages } = await call("GET", `/spaces/${ferrySpace}/content/pages`);
  const { number } = await call("POST", `/spaces/${ferrySpace}/change-requests`, { subject: "Look" });
  const before = await call("GET", `/spaces/${ferrySpace}/change-requests/${number}`);
  for (const { path, type } of pages.filter((page: { type: string }) => page.type === "document")) {
    await page.goto(`${base}/s/${ferrySpace}/~/changes/${number}/${path}`);
    await expect(status(page), `${type} ${path}`).toHaveText("Saved");
  }
  await page.goto("about:blank");
  const after = await call("GET", `/spaces/${ferrySpace}/change-requests/${number}`);
  expect(after.revision).toBe(before.revision);
});

test("typing that a reload interrupts comes back", async ({ page }) => {
  const at = await draft("Reloaded", "One.\n\nTwo.");
  await page.goto(at.address);
  await expect(status(page)).toHaveText("Saved");
  await page.route("**/content", (route) => route.abort());
  await typeAfter(page, "One.", " And more");
  await page.waitForFunction(() => document.querySelector("[data-status]")?.textContent?.startsWith("Not saved"));
  await page.unroute("**/content");
  await page.reload();
  await expect(page.getByText("You have unsaved text")).toBeVisible();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("main")).toContainText("One. And more");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toContain("One. And more");
});

test("a server that is away for a while gets all of it", async ({ page }) => {
  const at = await draft("Away", "One.\n\nTwo.");
  await page.goto(at.address);
  await expect(status(page)).toHaveText("Saved");
  await page.route("**/content", (route) => route.abort());
  await typeAfter(page, "One.", " Typed without a network");
  await expect(status(page)).toHaveText("Not saved, kept on this device");
  await page.keyboard.type(" and still typing");
  await page.unroute("**/content");
  await expect(status(page)).toHaveText("Saved", { timeout: 15_000 });
  expect(await stored(at)).toContain("One. Typed without a network and still typing");
});

test("two people on different blocks both keep their text", async ({ page, browser }) => {
  const at = await draft("Shared", "One.\n\nTwo.\n\nThree.");
  await page.goto(at.address);
  const other = await elsewhere(browser, at);
  for (const each of [page, other]) await expect(status(each)).toHaveText("Saved");
  await typeAfter(page, "One.", " From the first");
  await typeAfter(other, "Three.", " From the second");
  for (const each of [page, other]) await expect(status(each)).toHaveText("Saved");
  const text = await stored(at);
  expect(text).toContain("One. From the first");
  expect(text).toContain("Three. From the second");
  // Each sees the text of the other, and continues at the same caret.
  for (const each of [page, other]) {
    await expect(each.getByRole("main")).toContainText("From the first", { timeout: 2_000 });
    await expect(each.getByRole("main")).toContainText("From the second", { timeout: 2_000 });
  }
  await page.keyboard.type(", and on");
  await other.keyboard.type(", and on");
  for (const each of [page, other]) {
    await expect(each.getByRole("main")).toContainText("One. From the first, and on");
    await expect(each.getByRole("main")).toContainText("Three. From the second, and on");
  }
  await other.context().close();
});

test("two people see who else is here", async ({ reader, page, browser }) => {
  const at = await draft("Together", "One.\n\nTwo.");
  const invited = await call("POST", `/orgs/${organization}/invites`, { emails: [unused("clo@editing.example")], role: "edit" });
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(invited.invites[0].urls.app);
  await other.getByLabel("Your name").fill("Clo Other");
  await other.getByLabel("Password").fill("ferry lantern quilt");
  await other.getByRole("button", { name: "Join" }).click();
  await expect(other).toHaveURL(`${base}/`);
  await other.goto(at.address);
  await page.goto(at.address);
  for (const each of [page, other]) await expect(status(each)).toHaveText("Saved");
  await expect(page.getByRole("banner")).toContainText("Clo Other is on this page.");
  await typeAfter(other, "Two.", " Added");
  await expect(page.getByRole("banner")).toContainText("Clo Other edits this page.");
  await expect(page.getByRole("main")).toContainText("Two. Added");
  for (const size of [WIDE, MEDIUM, NARROW]) {
    await page.setViewportSize(size);
    await reader.isAccessible("faces");
  }
  await page.setViewportSize(WIDE);
  await page.screenshot({ path: `${folder}/faces.png` });
  await context.close();
});

test("a page that is read says that it has changed, and shows new comments", async ({ reader, page }) => {
  const space = await createSpace("Space that is read");
  await write(space, [inserted("Read", "One.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  await page.goto(`${base}/s/${space}`);
  await expect(page.getByRole("heading", { name: "Read", exact: true })).toBeVisible();
  await call("POST", `/spaces/${space}/comments`, { body: { markdown: "Is this so?" }, page: pages[0].id });
  await expect(page.getByText("Is this so?")).toBeVisible();
  await write(space, [inserted("Another page", "Two.")]);
  await write(space, [{ operation: "update_page", page: pages[0].id, document: { markdown: "One, changed." } }]);
  await expect(page.getByText("This page has changed.")).toBeVisible();
  await reader.isAccessible("changed page");
  await page.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("main")).toContainText("One, changed.");
});

test("two people in the same paragraph see both versions", async ({ reader, page, browser }) => {
  const at = await draft("Contested", "One.\n\nTwo.");
  const other = await elsewhere(browser, at);
  await expect(status(other)).toHaveText("Saved");
  await page.goto(at.address);
  await expect(status(page)).toHaveText("Saved");
  // Both type before either has received the other's text.
  await typeAfter(other, "One.", " Theirs");
  await typeAfter(page, "One.", " Mine");
  await expect(status(other)).toHaveText("Saved");
  const notice = page.getByText("Somebody else changed the same paragraph");
  await expect(notice).toBeVisible();
  await expect(page.getByRole("main")).toContainText("One. Theirs");
  await reader.isAccessible("conflict");
  await page.getByRole("button", { name: "Add mine below it" }).click();
  await expect(notice).toBeHidden();
  await expect(status(page)).toHaveText("Saved");
  const text = await stored(at);
  expect(text).toContain("One. Theirs");
  expect(text).toContain("One. Mine");
  await other.context().close();
});

test("a merged change request refuses the text and gives it back", async ({ page }) => {
  const at = await draft("Closed", "One.");
  await page.goto(at.address);
  await expect(status(page)).toHaveText("Saved");
  await call("PATCH", `/spaces/${at.space}/change-requests/${at.number}`, { status: "archived" });
  await typeAfter(page, "One.", " Too late");
  await expect(page.getByText("The text was not saved")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy the text" })).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download it" }).click()]);
  expect(download.suggestedFilename()).toBe("Closed.json");
});

test("text of a page that somebody else deletes goes into a new change request", async ({ reader, page }) => {
  const at = await draft("Deleted", "One.", inserted("Other", "Text."));
  const failed: string[] = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`));
  await edit(page, at);
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/content`, { changes: [{ operation: "delete_page", page: at.pageId }] });
  const notice = page.getByText("Somebody else deleted this page. Your text is on this device.");
  await expect(notice).toBeVisible();
  await expect(status(page)).toHaveText("Not saved, kept on this device");
  await typeAfter(page, "One.", " And more");
  await kept(page, "One. And more");
  await expect(notice).toBeVisible();
  await reader.isAccessible("a deleted page");
  await page.getByRole("button", { name: "Put it into a new change request" }).click();
  await expect(page).toHaveURL(`${base}/s/${at.space}/~/changes/${at.number + 1}`);
  expect(await stored({ ...at, number: at.number + 1 })).toContain("One. And more");
  expect(failed).toEqual([]);
});

test("text that is typed while somebody else deletes the page is saved when the page is restored", async ({ reader, page }) => {
  const at = await draft("Restored", "One.", inserted("Other", "Text."));
  const failed: string[] = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`));
  await reader.open(at.address);
  await expect(status(page)).toHaveText("Saved");
  const request = `/spaces/${at.space}/change-requests/${at.number}`;
  const change = (operation: object) => call("POST", `${request}/content`, { changes: [{ ...operation, page: at.pageId }] });
  const { revision } = await call("GET", request);
  // The page is deleted while the text is on its way.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/change-requests/*/content", async (route) => {
    await held;
    await route.continue();
  }, { times: 1 });
  const sent = page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/content"));
  await typeAfter(page, "One.", " And more");
  await sent;
  await change({ operation: "delete_page" });
  release();
  const notice = page.getByText("Somebody else deleted this page. Your text is on this device.");
  await expect(notice).toBeVisible();
  await kept(page, "One. And more");
  await change({ operation: "revert_page", revision });
  await expect(status(page)).toHaveText("Saved");
  await expect(notice).toBeHidden();
  expect(await stored(at)).toContain("One. And more");
  expect(failed).toEqual([]);
});

test("the screen of the editor", async ({ reader, page }) => {
  const at = await draft("Every block", "One.\n\n{% hint style=\"info\" %}\nMind.\n{% endhint %}\n\n```sh\nferry\n```\n\n- [ ] Do\n\n| A | B |\n| - | - |\n| 1 | 2 |");
  await reader.open(at.address);
  await expect(status(page)).toHaveText("Saved");
  for (const [width, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/workspace-editor-${width}-${colorScheme}.png` });
      if (width !== "820") await reader.isAccessible(`editor ${width} ${colorScheme}`);
    }
  }
  await reader.fits();
});
