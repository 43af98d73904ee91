// Side panel of a page, and the bars of narrow screens.
import { base, call, page as inserted, space as created, write } from "../../support/api.ts";
import { caretAfter, draft, edit, headers, status, stored } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
  await replaceAssets(page);
});

test("the panel shows the outline or the comments of a page", async ({ reader, page }) => {
  const space = await created("Panels");
  await write(space, [inserted("Guide", "Words.\n\n## First\n\nMore.\n\n## Second\n\nEnd."), inserted("Later", "Words.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const address = `${base}/s/${space}/${pages[0].path}`;
  await page.setViewportSize(WIDE);
  await reader.open(address);
  const panel = page.getByRole("navigation", { name: "Panel" });
  const outline = page.getByRole("navigation", { name: "On this page" });
  const field = page.getByRole("textbox", { name: "New comment" });
  await expect(outline).toBeVisible();
  await expect(field).toBeHidden();
  await panel.getByRole("link", { name: "Comments" }).click();
  await expect(field).toBeVisible();
  await expect(outline).toBeHidden();
  await expect(panel.getByRole("link", { name: "Comments" })).toHaveAttribute("aria-current", "true");
  await reader.isAccessible("the comments of the panel");
  await panel.getByRole("link", { name: "Outline" }).click();
  await expect(outline).toBeVisible();

  // Starting a comment on a block shows the comments. A page with comments shows them too.
  await page.getByRole("main").getByText("Words.").hover();
  await page.keyboard.press("c");
  await expect(field).toBeFocused();
  await page.keyboard.type("Which?");
  await page.getByRole("button", { name: "Comment", exact: true }).last().click();
  await expect(panel.getByRole("link", { name: "Comments 1" })).toBeVisible();
  await reader.open(address);
  await expect(page.getByRole("article", { name: /^Comment by/ })).toBeVisible();
  await expect(outline).toBeHidden();
  await page.screenshot({ path: `${folder}/workspace-panel-1440.png` });

  await page.setViewportSize(NARROW);
  await expect(outline).toBeVisible();
  await expect(field).toBeVisible();
  // A narrow screen has all parts below the page: none is the current one.
  await expect(panel.locator('[aria-current="true"]')).toHaveCount(0);
  await reader.fits();
  await page.setViewportSize(MEDIUM);
  const links = [page.getByRole("link", { name: "Next Later" }), page.getByRole("article").first()];
  const [next, text] = await Promise.all(links.map((one) => one.boundingBox()));
  expect(next!.width).toBeLessThan(text!.width / 2);
  expect(next!.x + next!.width).toBe(text!.x + text!.width);
  await panel.getByRole("link", { name: "History" }).click();
  await expect(page).toHaveURL(/\/~\/history\?page=/);
});

test("a narrow screen has a bar above the keyboard", async ({ reader, page }) => {
  await page.setViewportSize(NARROW);
  const at = await draft("Pocket", "One.\n\nTwo.");
  await edit(page, at);
  const bar = page.getByRole("toolbar", { name: "Format" });
  await caretAfter(page, "Two.");
  await expect(bar).toBeVisible();
  await page.keyboard.type(" ");
  await bar.getByRole("button", { name: "Bold" }).click();
  await expect(bar.getByRole("button", { name: "Bold" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.type("Strong");
  await bar.getByRole("button", { name: "Bulleted list" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toContainText("Two. Strong");
  await expect(status(page)).toHaveText("Saved");
  expect(await stored(at)).toContain('"type":"bold"');
  expect(await stored(at)).toContain('"list-unordered"');
  await bar.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await reader.isAccessible(`the bar in ${colorScheme}`);
    await page.screenshot({ path: `${folder}/workspace-format-390-${colorScheme}.png` });
  }
  await bar.getByRole("button", { name: "Add a block" }).click();
  await expect(page.getByRole("listbox", { name: "Blocks" })).toBeVisible();
  await reader.fits();
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Comment" }).click();
  await expect(page.getByRole("textbox", { name: "New comment" })).toBeFocused();
  await expect(bar).toBeHidden();
});

test("a narrow screen has the next steps of a change request at its end", async ({ reader, page }) => {
  const at = await draft("Steps", "One.");
  await call("PATCH", `/spaces/${at.space}/change-requests/${at.number}`, { status: "open" });
  await page.setViewportSize(NARROW);
  await reader.open(`${base}/s/${at.space}/~/changes/${at.number}`);
  const merge = page.getByRole("button", { name: "Merge", exact: true });
  await expect(merge).toBeInViewport();
  await page.getByRole("textbox", { name: "New comment" }).scrollIntoViewIfNeeded();
  await expect(merge).toBeInViewport();
  await reader.isAccessible("the next steps");
  await page.screenshot({ path: `${folder}/workspace-steps-390.png` });
});

test("comments in a listing are in its lines, and a listing in a comment is not under its button", async ({ reader, page }) => {
  const at = await draft("Listings", "```toml\nport = 1 # of the relay\n```");
  const markdown = "```sh\nferry push --target backup --verify --compress=zstd /srv/data\n```";
  await call("POST", `/spaces/${at.space}/change-requests/${at.number}/comments`, { page: at.pageId, body: { markdown } });
  await page.setViewportSize(WIDE);
  await reader.open(`${base}/s/${at.space}/~/changes/${at.number}/listings`);
  const main = page.getByRole("main");
  const [number, note] = await Promise.all(["1", "# of the relay"].map((text) => main.getByText(text, { exact: true }).boundingBox()));
  expect(note!.y).toBe(number!.y);
  const panel = page.getByRole("complementary", { name: "About this page" });
  const [code, copy] = await Promise.all([panel.getByRole("code"), panel.getByRole("button", { name: "Copy" })].map((one) => one.boundingBox()));
  expect(code!.x + code!.width).toBeLessThanOrEqual(copy!.x);
});
