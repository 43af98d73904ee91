// Pages of a change request are marked as viewed, and a review is submitted by keyboard.
import { call, page as inserted, space as createSpace, token, write } from "../../support/api.ts";
import { expect, test } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("viewed pages are counted, persist over a reload and end with an edit", async ({ reader, page }) => {
  const space = await createSpace("Viewed pages");
  await write(space, [inserted("Home", "Start."), inserted("Tides", "High and low.\n\nTwice a day.")]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Views" });
  const request = `/spaces/${space}/change-requests/${number}`;
  const edit = (id: string, markdown: string) => ({ operation: "update_page", page: id, document: { markdown } });
  await call("POST", `${request}/content`, { changes: [edit(pages[0].id, "Begin."), edit(pages[1].id, "High and low.\n\nThree times a day."), inserted("Moon", "Full.")] });
  await reader.open(`${base}/s/${space}/~/changes/${number}`);
  const main = page.getByRole("main");
  const progress = main.getByRole("status").filter({ hasText: "viewed" });
  await expect(progress).toHaveText("0 of 3 viewed");
  await main.getByRole("checkbox", { name: "Viewed: Tides" }).check();
  await expect(progress).toHaveText("1 of 3 viewed");
  await expect.poll(async () => Object.keys((await call("GET", `${request}/viewed`)).pages)).toEqual([pages[1].id]);

  // N moves to the next page, and V marks it.
  await page.keyboard.press("n");
  await expect(main.getByRole("region", { name: "Home" })).toBeFocused();
  await page.keyboard.press("v");
  await expect(main.getByRole("checkbox", { name: "Viewed: Home" })).toBeChecked();
  await expect(progress).toHaveText("2 of 3 viewed");
  await page.reload();
  await expect(progress).toHaveText("2 of 3 viewed");
  await expect(main.getByRole("checkbox", { name: "Viewed: Tides" })).toBeChecked();
  await expect(main.getByRole("checkbox", { name: "Viewed: Moon" })).not.toBeChecked();
  await reader.isAccessible("viewed pages");
  await call("POST", `${request}/content`, { changes: [edit(pages[1].id, "Low.")] });
  await page.reload();
  await expect(progress).toHaveText("1 of 3 viewed");
  await expect(main.getByRole("checkbox", { name: "Viewed: Tides" })).not.toBeChecked();
});
