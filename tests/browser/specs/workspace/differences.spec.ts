// Changes of a change request and a revision, as reviewers see them.
import { call, page as inserted, space as createSpace, token, write } from "../../support/api.ts";
import { expect, NARROW, test, WIDE } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
const headers = { authorization: `Bearer ${token}` };

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
});

const BEFORE = `Ferry sends a folder to one host.

Stop the server before the upgrade.

| Option | Meaning |
| --- | --- |
| a | sends all files |

\`\`\`sh
ferry init
ferry push
\`\`\`
`;
const AFTER = `Ferry sends two folders to one host.

| Option | Meaning |
| --- | --- |
| a | sends all the files |
| z | packs the files |

\`\`\`sh
ferry init --quiet
ferry push
\`\`\`

Watch the log afterwards.
`;

async function changed(title: string) {
  const space = await createSpace(`Space of ${title}`);
  await write(space, [inserted(title, BEFORE)]);
  const { pages } = await call("GET", `/spaces/${space}/content/pages`);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: `Edit ${title}` });
  const changes = [{ operation: "update_page", page: pages[0].id, document: { markdown: AFTER } }];
  await call("POST", `/spaces/${space}/change-requests/${number}/content`, { changes });
  return { space, number };
}

test("a change request shows the differences of its pages", async ({ reader, page }) => {
  const { space, number } = await changed("Reviewed");
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await reader.open(`${base}/s/${space}/~/changes/${number}`);
    const difference = page.getByRole("region", { name: "Reviewed" });
    await expect(difference.locator("p ins").first()).toHaveText("two folders");
    await expect(difference.locator("p del").first()).toHaveText("a folder");
    await expect(difference.getByText("Removed", { exact: true }).first()).toBeVisible();
    await expect(difference.getByRole("row", { name: /Added/ })).toContainText("packs the files");
    await expect(difference.locator("ins.line")).toContainText("+ ferry init --quiet");
    await expect(difference.getByText("Watch the log afterwards.")).toBeVisible();
    await reader.isAccessible("differences");
  }
});

test("buttons lead through the changes, and choose the view", async ({ reader, page }) => {
  const { space, number } = await changed("Stepped");
  await page.setViewportSize(NARROW);
  await reader.open(`${base}/s/${space}/~/changes/${number}`);
  const position = page.getByRole("status").filter({ hasText: / of \d+$/ });
  await page.getByRole("button", { name: "Next change, J" }).click();
  await expect(position).toHaveText(/^1 of \d+$/);
  await page.getByRole("button", { name: "Next change, J" }).click();
  await expect(position).toHaveText(/^2 of \d+$/);
  await page.keyboard.press("k");
  await expect(position).toHaveText(/^1 of \d+$/);
  await page.setViewportSize(WIDE);
  await page.getByRole("button", { name: "Side by side" }).click();
  await expect(page.getByRole("button", { name: "Side by side" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".chg-row").first()).toContainText("Before");
  await reader.isAccessible("side by side");
  await page.getByRole("button", { name: "Inline" }).click();
  await expect(page.locator(".chg-row")).toHaveCount(0);
});

test("a page of an earlier revision is restored into a draft", async ({ reader, page }) => {
  const { space, number } = await changed("Restored");
  await call("PATCH", `/spaces/${space}/change-requests/${number}`, { status: "open" });
  await call("POST", `/spaces/${space}/change-requests/${number}/merge`, {});
  await reader.open(`${base}/s/${space}/~/history`);
  await reader.isAccessible("history");
  await page.getByRole("link", { name: "Merged a change request" }).click();
  await expect(page.locator("p ins").first()).toHaveText("two folders");
  await page.getByRole("link", { name: "Side by side" }).click();
  await expect(page.locator(".chg-row").first()).toContainText("Before");
  await reader.isAccessible("side by side");
  await page.getByRole("link", { name: "Revision before" }).click();
  await page.getByRole("button", { name: "Restore this page" }).click();
  await expect(page).toHaveURL(/\/~\/changes\/\d+$/);
  await expect(page.locator("p ins").first()).toHaveText("a folder");
});
