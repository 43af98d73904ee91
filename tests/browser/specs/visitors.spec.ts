// Sites with restricted access.
import { expect, test } from "../support/reader.ts";

test("a share link opens a site, and its key stays in all addresses", async ({ reader, page, at }) => {
  await reader.open(at.shared, 404);
  await reader.open(at.sharedWithKey);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plans");
  await reader.isAccessibleEverywhere();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Prices" }).click();
  await expect(page).toHaveURL(`${at.sharedWithKey}/prices`);
  await page.keyboard.press("/");
  await page.locator("dialog input").fill("prices");
  await expect(page.locator("dialog a").first()).toHaveAttribute("href", new URL(`${at.sharedWithKey}/prices`).pathname);
  await reader.settled();
});

test("a visitor token opens a site and shows what is for this visitor", async ({ reader, page, at }) => {
  await reader.open(at.vouched, 404);
  await reader.open(`${at.vouched}/prices?jwt_token=${at.token}`);
  await expect(page, "the token is not in the address").toHaveURL(`${at.vouched}/prices`);
  await reader.open(at.vouched);
  await expect(page.getByText("For all.")).toBeVisible();
  await expect(page.getByText("For professionals.")).toHaveCount(0);
  await reader.open(`${at.vouched}?jwt_token=${at.tokenOfPro}`);
  await expect(page.getByText("For professionals.")).toBeVisible();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: "quire-visitor", httpOnly: true, sameSite: "Lax" },
  ]);
  await reader.isAccessibleEverywhere();
});
