// Merge rules block a merge. A bypass is confirmed and audited.
import type { Page } from "@playwright/test";
import { call, organization, page as inserted, space as createSpace, token, user, write } from "../../support/api.ts";
import { expect, NARROW, test, WIDE } from "../../support/reader.ts";

const base = process.env.QUIRE_BASE_URL ?? "";
const folder = process.env.QUIRE_SCREENS ?? "";

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

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

test("merge rules: set in the settings, named on the overview, bypassed and audited", async ({ reader, page }) => {
  const space = await createSpace("Rules for merging");
  await write(space, [inserted("Home", "Start.")]);
  const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: "Tides" });
  const request = `/spaces/${space}/change-requests/${number}`;
  await call("POST", `${request}/content`, { changes: [inserted("Tides", "High and low.")] });
  await call("PATCH", request, { status: "open" });
  await call("POST", `${request}/comments`, { body: { markdown: "Which tides?" } });

  // The space inherits the rules of the organization, which has none.
  const overview = `${base}/s/${space}/~/changes/${number}`;
  await reader.open(overview);
  await expect(page.getByRole("button", { name: "Merge", exact: true })).toBeEnabled();
  await reader.open(`${base}/s/${space}/~/settings`);
  const rules = page.getByRole("main");
  const kind = rules.getByRole("combobox", { name: "Rules for merging" });
  await expect(kind).toHaveValue("inherit");
  await kind.selectOption("The rules below");
  await rules.getByRole("combobox", { name: "Approvals", exact: true }).selectOption("1");
  await rules.getByRole("checkbox", { name: "No open comments" }).check();
  await rules.getByRole("checkbox", { name: "Up to date with the space" }).check();
  await rules.getByRole("button", { name: "Save rules" }).click();
  await expect.poll(async () => (await call("GET", `/spaces/${space}`)).mergeRules.type).toBe("rules");
  await expect(rules.getByRole("checkbox", { name: "No open comments" })).toBeChecked();
  expect((await call("GET", `/spaces/${space}`)).mergeRules.rules).toEqual([
    { rule: "require_approvals", count: 1 },
    { rule: "require_resolved_comments" },
    { rule: "require_up_to_date_change_request" },
  ]);
  await screens(page, reader, "merge-rules");

  // Merge is disabled and its reasons are shown. The rules allow no bypass.
  await write(space, [inserted("Moon", "Full.")]);
  await reader.open(overview);
  const merge = page.getByRole("button", { name: "Merge", exact: true });
  await expect(merge).toBeDisabled();
  await expect(merge).toHaveAccessibleDescription(/An approval is missing. 1 comment is open. The newest changes of the space are missing./);
  await expect(page.getByRole("complementary", { name: "Review" })).toContainText("An approval is missing.");
  await expect(page.getByRole("button", { name: "Merge without meeting the rules" })).toHaveCount(0);

  // Administrators may bypass the rules.
  await reader.open(`${base}/s/${space}/~/settings`);
  await rules.getByRole("combobox", { name: "Role that may bypass the rules" }).selectOption("Admin");
  // Saving reloads the page, which would interrupt the next navigation.
  const loaded = page.waitForEvent("load");
  await rules.getByRole("button", { name: "Save rules" }).click();
  await loaded;
  await expect.poll(async () => JSON.stringify((await call("GET", `/spaces/${space}`)).mergeRules)).toContain("allow_bypass");
  await reader.open(overview);
  await page.getByRole("button", { name: "Update from the space" }).click();
  await expect(page.getByRole("complementary", { name: "Review" })).not.toContainText("The newest changes of the space are missing.");
  await screens(page, reader, "merge-blocked");
  await page.getByRole("button", { name: "Merge without meeting the rules" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge although rules are not met?" });
  await expect(dialog).toContainText("1 comment is open.");
  await dialog.getByRole("button", { name: "Bypass and merge" }).click();
  await expect(page.getByRole("main")).toContainText("Merged");
  const merged = await call("GET", request);
  expect(merged.status).toBe("merged");
  const log = await call("GET", `/orgs/${organization}/audit-log?operation=mergeChangeRequest.bypass-rules`);
  const entry = log.items.find((item: { space: string }) => item.space === space);
  expect(entry.actor.id).toBe(user);
});

test("a rule names a person, and the rules of the organization are inherited", async ({ page }) => {
  const { displayName, email } = await call("GET", "/user");
  // Uses its own organization, since rules of the first one would affect other tests.
  const { id } = await call("POST", "/orgs", { title: "With rules" });
  const space = await call("POST", `/orgs/${id}/spaces`, { title: "Inherited rules" });
  await page.goto(`${base}/o/${id}/settings`);
  const main = page.getByRole("main");
  await main.getByRole("combobox", { name: "Rules for merging" }).selectOption("The rules below");
  const person = main.getByRole("combobox", { name: "Add to those who must all approve" });
  const suggestions = page.waitForResponse((response) => response.url().includes("/members?search="));
  await person.fill(email);
  await (await suggestions).finished();
  await person.fill(`${displayName} (${email})`);
  await main.getByRole("button", { name: "Save rules" }).click();
  await expect(main.getByRole("checkbox", { name: displayName })).toBeChecked();
  const { mergeRules } = await call("GET", `/orgs/${id}`);
  expect(mergeRules.rules).toEqual([{ rule: "require_specific_reviewers", users: [user] }]);
  await page.goto(`${base}/s/${space.id}/~/settings`);
  await expect(main).toContainText("The organization has 1 rule.");
});
