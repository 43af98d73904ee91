// The appearance of a site is previewed before it is saved.
import { base, call, organization, page as inserted, site, space, token, write } from "../../support/api.ts";
import { expect, MEDIUM, NARROW, replaceAssets, reloaded, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

async function published(title: string) {
  const id = await space(`Guide of ${title}`);
  await write(id, [inserted("Harbour", "Ships *moor* here.\n\n{% hint style=\"info\" %}\nMind the tide.\n{% endhint %}"), inserted("Pier", "Second.")]);
  const made = await site({ title, spaces: [id] });
  return { ...made, look: `${base}/o/${organization}/sites/${made.id}/look` };
}

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("the frame follows the form, and nothing is stored", async ({ reader, page }) => {
  await replaceAssets(page);
  const made = await published("Quay");
  await reader.open(made.look);
  const shown = page.frameLocator('iframe[title="Preview of the site"]');
  const root = shown.locator("html");
  await expect(shown.getByRole("heading", { level: 1 })).toHaveText("Harbour");
  await expect(shown.getByText("with settings that are not saved")).toBeVisible();
  await page.getByLabel("Title that visitors see").fill("Quayside");
  await page.getByLabel("Main color on light pages").fill("#aa0000");
  await page.getByLabel("Corners").selectOption("Straight");
  await page.getByLabel("Links to the previous and next page").uncheck();
  await expect(shown.getByRole("link", { name: "Quayside" }).first()).toBeVisible();
  await expect(shown.getByRole("link", { name: /Pier/ }).and(shown.locator('[rel="next"]'))).toHaveCount(0);
  await expect.poll(() => root.evaluate((element) => getComputedStyle(element).getPropertyValue("--radius").trim())).toBe("0");
  for (const [label, theme] of [["Dark", "dark"], ["Light", "light"]]) {
    await page.getByRole("radio", { name: label, exact: true }).check();
    await expect(root).toHaveAttribute("data-theme", theme);
  }
  for (const [name, viewport] of [["1440", WIDE], ["820", MEDIUM], ["390", NARROW]] as const) {
    await page.setViewportSize(viewport);
    await reader.fits();
    await reader.isAccessible(`look ${name}`);
    await page.screenshot({ path: `${folder}/workspace-look-${name}-light.png`, fullPage: true });
  }
  await page.setViewportSize(WIDE);
  await page.getByRole("radio", { name: "Phone" }).check();
  await expect.poll(() => root.evaluate(() => innerWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("radio", { name: "Dark", exact: true }).check();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.screenshot({ path: `${folder}/workspace-look-phone-dark.png` });
  await reader.isAccessible("look, phone, dark");
  const stored = await call("GET", `${made.path}/customization`);
  expect([stored.title, stored.styling.corners]).toEqual([undefined, "rounded"]);
  // The API refuses a title that is too short, and the preview remains.
  const refused = page.waitForResponse((response) => response.url().includes("customization=") && response.status() === 400);
  page.on("request", (request) => request.url().includes("customization=") && reader.awaits(request.url()));
  await page.getByLabel("Title that visitors see").fill("Q");
  await refused;
  await expect(page.getByRole("status").filter({ hasText: "last valid values" })).toBeVisible();
  await page.getByLabel("Title that visitors see").fill("Quayside");
  await expect(page.getByRole("status").filter({ hasText: "last valid values" })).toBeHidden();
  await reloaded(page, () => page.getByRole("button", { name: "Save the look" }).click());
  expect((await call("GET", `${made.path}/customization`)).title).toBe("Quayside");
});

test("without a script, a button shows the values of the form", async ({ browser }) => {
  const made = await published("Wharf");
  const context = await browser.newContext({ javaScriptEnabled: false, extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  const page = await context.newPage();
  await page.goto(made.look);
  await page.getByLabel("Title that visitors see").fill("Wharfside");
  await page.getByLabel("Links to the previous and next page").uncheck();
  await page.getByRole("radio", { name: "Dark", exact: true }).check();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByLabel("Title that visitors see")).toHaveValue("Wharfside");
  await expect(page.getByLabel("Links to the previous and next page")).not.toBeChecked();
  const shown = page.frameLocator('iframe[title="Preview of the site"]');
  await expect(shown.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(shown.getByRole("link", { name: "Wharfside" }).first()).toBeVisible();
  expect((await call("GET", `${made.path}/customization`)).title).toBeUndefined();
  await context.close();
});
