// Previews of change requests on the sites of their space.
import { base, call, page as inserted, site, space as createSpace, write } from "../../support/api.ts";
import { caretAfter, headers, status } from "../../support/editor.ts";
import { expect, test } from "../../support/reader.ts";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

test("a change request is previewed on the site, at the page that is edited, and the preview leads back", async ({ page, reader }) => {
  const space = await createSpace("Previews");
  await write(space, [inserted("Start", "First."), inserted("Tides", "Twice a day.")]);
  await site({ title: "Previews", visibility: "public", spaces: [space] });
  await call("POST", `/spaces/${space}/change-requests`, { subject: "Explain the tides" });
  await page.goto(`${base}/s/${space}/~/changes/1/tides`);
  await expect(status(page)).toHaveText("Saved");
  await caretAfter(page, "Twice a day.");
  await page.keyboard.type(" Look at the moon.");
  // The link waits until the text is saved.
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await page.getByRole("link", { name: "Preview on the site" }).click();
  await expect(page.getByRole("complementary", { name: "Preview" })).toContainText("Change request #1 “Explain the tides”");
  await expect(page.getByRole("heading", { name: "Tides", level: 1 })).toBeVisible();
  await expect(page.getByText("Twice a day. Look at the moon.")).toBeVisible();
  await reader.settled();
  await page.getByRole("link", { name: "Change request", exact: true }).click();
  await expect(page).toHaveURL(`${base}/s/${space}/~/changes/1`);
  await page.getByRole("link", { name: "Preview on the site" }).click();
  await expect(page.getByRole("heading", { name: "Start", level: 1 })).toBeVisible();
});

test("of several sites one is chosen for the preview, and without a site the page says so", async ({ page, reader }) => {
  const space = await createSpace("Two sites");
  await write(space, [inserted("Start", "First.")]);
  await call("POST", `/spaces/${space}/change-requests`, { subject: "Two" });
  await reader.open(`${base}/s/${space}/~/changes/1/~preview`);
  await expect(page.getByText("The space is on no site")).toBeVisible();
  for (const title of ["North", "South"]) await site({ title, visibility: "public", spaces: [space] });
  await reader.open(`${base}/s/${space}/~/changes/1/~preview`);
  await reader.isAccessible("choice of a site");
  await page.getByRole("link", { name: "South" }).click();
  await expect(page.getByRole("complementary", { name: "Preview" })).toContainText("Change request #1");
});
