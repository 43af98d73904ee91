// Importing, publishing and adding pictures in the browser.
import { call, organization, page as inserted, space as createSpace, token, write } from "../../support/api.ts";
import { expect, NARROW, test, WIDE } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
const folder = process.env.QUIRE_SCREENS ?? "";

// A picture of one pixel.
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8BQDwAEgAF/posBPQAAAABJRU5ErkJggg==", "base64");

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("a file is imported, and its report leads to the page", async ({ reader, page }) => {
  const space = await createSpace("Imported");
  await reader.open(`${base}/s/${space}`);
  await page.getByRole("link", { name: "Import pages" }).click();
  await reader.isAccessibleEverywhere();
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: "tides.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("# Tides\n\nHigh and [low](gone.md)."),
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("Imported 1 of 1 page or file.")).toBeVisible({ timeout: 30_000 });
  await reader.isAccessibleEverywhere();
  await page.getByRole("link", { name: "tides.md" }).last().click();
  await expect(page.getByRole("heading", { name: "Tides" })).toBeVisible();
});

test("a space is published with three clicks", async ({ reader, page }) => {
  const space = await createSpace("Harbor manual");
  await write(space, [inserted("Start", "Welcome.")]);
  await reader.open(`${base}/s/${space}`);
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish as a site" });
  await dialog.getByLabel("Name in the address").fill("harbor-manual");
  await reader.isAccessible("dialog of publishing");
  await dialog.getByRole("button", { name: "Publish it" }).click();
  const address = page.getByRole("link", { name: /\/sites\/.*harbor-manual$/ });
  await expect(address).toBeVisible();
  await reader.isAccessibleEverywhere();
  for (const name of ["Structure", "Look", "Address", "Access", "Redirects"]) {
    await page.getByRole("navigation", { name: "Pages of the site" }).getByRole("link", { name }).click();
    await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toContainText(name);
    await reader.isAccessibleEverywhere();
    await page.setViewportSize(WIDE);
    await page.screenshot({ path: `${folder}/site-${name.toLowerCase()}.png`, fullPage: true });
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
    await page.setViewportSize(WIDE);
  }
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Harbor manual" }).click();
  await address.click();
  await expect(page.getByText("Welcome.")).toBeVisible();
});

test("a pasted picture is uploaded and described", async ({ page, reader }) => {
  const space = await createSpace("Pictures");
  await write(space, [inserted("Boats", "A boat.")]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Pictures" });
  await reader.open(`${base}/s/${space}/~/changes/${number}/boats`);
  await expect(page.getByRole("textbox", { name: "Boats", exact: true })).toBeFocused();
  await page.getByText("A boat.").click();
  await page.keyboard.press("End");
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "boat.png", { type: "image/png" }));
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, [...PICTURE]);
  const form = page.getByRole("dialog", { name: "Pictures" });
  await form.getByLabel("Description of picture for those who can't see it").fill("A red boat");
  await reader.isAccessible("form of a picture");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("img", { name: "A red boat" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("status").first()).toHaveText("Saved");
  const { pages } = await call("GET", `/spaces/${space}/change-requests/${number}/content/pages`);
  const { document } = await call("GET", `/spaces/${space}/change-requests/${number}/content/page/${pages[0].id}`);
  expect(JSON.stringify(document)).toContain('"alt":"A red boat"');
  await page.goto(`${base}/s/${space}/~/files?change=${number}`);
  await expect(page.getByRole("link", { name: "boat.png" })).toBeVisible();
  await expect(page.getByText("1 use", { exact: false })).toBeVisible();
  await reader.isAccessibleEverywhere();
  // The page shows the file that replaces the picture.
  await page.getByRole("button", { name: "Replace boat.png" }).click();
  const replacing = page.getByRole("dialog", { name: "Replace boat.png" });
  await replacing.getByLabel("File").setInputFiles({ name: "ship.png", mimeType: "image/png", buffer: Buffer.concat([PICTURE, Buffer.from("ship")]) });
  await replacing.getByRole("button", { name: "Replace" }).click();
  await expect(page.getByRole("link", { name: "ship.png" })).toBeVisible();
  await expect(page.getByRole("link", { name: "boat.png" })).toBeHidden();
  await expect(page.getByText("1 use", { exact: false })).toBeVisible();
});

test("a failed upload can be tried again", async ({ page }) => {
  const space = await createSpace("Storm");
  await write(space, [inserted("Boats", "A boat.")]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Storm" });
  await page.goto(`${base}/s/${space}/~/changes/${number}/boats`);
  await expect(page.getByRole("textbox", { name: "Boats", exact: true })).toBeFocused();
  await page.getByText("A boat.").click();
  await page.route("**/content/files", (route) => route.abort(), { times: 1 });
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "log.txt", { type: "text/plain" }));
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, [65]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Try again" })).toBeHidden();
  await expect(page.getByRole("link", { name: /^log\.txt/ })).toBeVisible();
});

test("the progress of an upload is shown, and it can be cancelled", async ({ page, context }) => {
  const space = await createSpace("Cargo");
  await write(space, [inserted("Boats", "A boat.")]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Cargo" });
  await page.goto(`${base}/s/${space}/~/changes/${number}/boats`);
  await expect(page.getByRole("textbox", { name: "Boats", exact: true })).toBeFocused();
  await page.getByText("A boat.").click();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const upload = async (rate: number) => {
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: rate });
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(1_000_000).fill(65)], "cargo.txt", { type: "text/plain" }));
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
  };
  await upload(100_000);
  const bar = page.getByRole("progressbar", { name: "Upload of cargo.txt" });
  await expect.poll(() => bar.evaluate((shown) => (shown as HTMLProgressElement).position), { timeout: 20_000 }).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(bar).toBeHidden();
  await expect(page.getByRole("link", { name: /^cargo\.txt/ })).toBeHidden();
  await page.getByText("A boat.").click();
  await upload(-1);
  await expect(page.getByRole("link", { name: /^cargo\.txt/ })).toBeVisible();
});

test("a formula is written in a form, in one step", async ({ page }) => {
  const space = await createSpace("Formulas");
  await write(space, [inserted("Tides", "Text.")]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Formulas" });
  await page.goto(`${base}/s/${space}/~/changes/${number}/tides`);
  await expect(page.getByRole("textbox", { name: "Tides", exact: true })).toBeFocused();
  await page.getByRole("main").getByText("Text.").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/formula");
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "Formula" });
  await form.getByLabel("Formula (TeX)").fill("e = mc^2");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("math")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("math")).toBeHidden();
});

test("settings, order and deletion of a page are made in the draft", async ({ page, reader }) => {
  const space = await createSpace("Order");
  await write(space, [inserted("One", "First."), inserted("Two", "Second.")]);
  await reader.open(`${base}/s/${space}/two`);
  await page.getByText("Page", { exact: true }).click();
  await page.getByRole("button", { name: "Settings…" }).click();
  const settings = page.getByRole("dialog", { name: "Page settings" });
  await settings.getByRole("textbox", { name: "Description" }).fill("The second page");
  await reader.isAccessible("settings of a page");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/~\/changes\/1$/);
  await page.goto(`${base}/s/${space}/~/changes/1/two`);
  await page.getByText("Page", { exact: true }).click();
  await page.getByRole("button", { name: "Move up" }).click();
  await expect(page.getByRole("navigation", { name: "Space" }).getByRole("link", { name: /^(One|Two)$/ }).first()).toHaveText("Two");
});
