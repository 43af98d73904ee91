// Administrators invite people, and grant and revoke roles and team memberships.
import { base, call, organization, token } from "../../support/api.ts";
import { unused } from "../../support/person.ts";
import { expect, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";
import type { Page } from "@playwright/test";

const at = (path: string) => `${base}/o/${organization}/${path}`;
const folder = process.env.QUIRE_SCREENS ?? "";

/** Confirms the question of a button. */
const confirm = async (page: Page, name: string) => {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button").last().click();
};

test.beforeEach(async ({ page }) => {
  await replaceAssets(page);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${token}` });
});

test("five people are invited by a pasted list, and one joins", async ({ reader, page, browser }) => {
  await reader.open(at("people"));
  const [ann, ben, cat, dan, eve] = ["ann", "ben", "cat", "dan", "eve"].map((name) => unused(`${name}@people.example`));
  const list = `Ann <${ann}>, ${ben}; ${cat}\n\n${dan} ${eve}`;
  await page.getByLabel("E-mail addresses").fill(list);
  await page.getByLabel("Role", { exact: true }).selectOption("Edit");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const links = page.getByRole("main").getByRole("status").getByRole("textbox");
  await expect(links).toHaveCount(5);
  const link = await page.getByLabel(`Link for ${ann}`).inputValue();

  const name = unused("Ann Other");
  const other = await browser.newContext();
  const invited = await other.newPage();
  await invited.goto(link);
  await invited.getByLabel("Your name").fill(name);
  await invited.getByLabel("Password").fill("ferry lantern quilt");
  await invited.getByRole("button", { name: "Join" }).click();
  await expect(invited).toHaveURL(`${base}/`);
  // A page without access names the required role and the people who can grant it.
  await invited.goto(at("webhooks"));
  await expect(invited.getByRole("main")).toContainText("This page needs the role admin");
  await expect(invited.getByRole("main").getByRole("button")).toHaveCount(0);
  await other.close();

  await reader.open(at("invites"));
  const open = page.getByRole("region", { name: "Open invitations" });
  await expect(open).toContainText(ben);
  await expect(open).not.toContainText(ann);
  await confirm(page, `Revoke ${ben}`);
  await expect(open).not.toContainText(ben);
  await page.getByRole("button", { name: `New link for ${cat}` }).click();
  await expect(page.getByRole("textbox", { name: `Link for ${cat}` })).toHaveValue(/invite\/.+secret=qi_/);

  await reader.open(`${at("people")}?query=${encodeURIComponent(name)}`);
  await page.getByLabel(`Role of ${name}`).selectOption("Review");
  await expect(page.getByRole("main").getByRole("status")).toHaveText("Saved.");
  await page.reload();
  await expect(page.getByLabel(`Role of ${name}`)).toHaveValue("review");
  await confirm(page, `Remove ${name}`);
  await expect(page.getByText("No members here")).toBeVisible();
});

test("a link lets people in until it is disabled", async ({ reader, page, browser }) => {
  // Links of an earlier run of a repeated test.
  const { items: former } = await call("GET", `/orgs/${organization}/link-invites`);
  for (const { id } of former) await call("DELETE", `/orgs/${organization}/link-invites/${id}`);
  await reader.open(at("invites"));
  await page.getByLabel("Role of those who join").selectOption("Comment");
  await page.getByRole("button", { name: "Create link" }).click();
  const links = page.getByRole("region", { name: "Invite links" });
  const link = await links.getByRole("textbox").first().inputValue();
  expect(link).toContain(`${base}/~/invite/`);
  const other = await browser.newContext();
  const invited = await other.newPage();
  expect((await invited.goto(link))?.status()).toBe(200);
  await links.getByRole("button", { name: /^Disable/ }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("No invite links")).toBeVisible();
  await other.close();
});

test("a team gets a member by name, a new name, and goes", async ({ reader, page }) => {
  const [writers, editors] = [unused("Writers"), unused("Editors")];
  await reader.open(at("teams"));
  await page.getByLabel("Title").fill(writers);
  await page.getByRole("button", { name: "Create team" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(writers);
  // The creator of a team is a member.
  const { displayName } = await call("GET", "/user");
  await confirm(page, `Remove ${displayName}`);
  await expect(page.getByText("No members yet")).toBeVisible();
  await page.getByLabel("Person").pressSequentially(displayName.slice(0, 4));
  const option = page.locator("datalist option").first();
  await expect(option).toBeAttached();
  await page.getByLabel("Person").fill((await option.getAttribute("value"))!);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("region", { name: "Members" })).toContainText(displayName);
  await page.getByLabel("Title").fill(editors);
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(editors);
  await confirm(page, `Delete the team ${editors}`);
  await expect(page).toHaveURL(at("teams"));
  await expect(page.getByRole("main")).not.toContainText(editors);
});

test("a name that no one has is refused at its field", async ({ reader, page }) => {
  const { id } = await call("PUT", `/orgs/${organization}/teams`, { title: "Empty" });
  await reader.open(at(`teams/${id}`));
  await page.getByLabel("Person").fill("Nobody of this name");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("Choose one of the suggestions.");
  await expect(page.getByLabel("Person")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Person")).toBeFocused();
});

for (const name of ["people", "invites", "teams"]) {
  test(`the screen ${name}`, async ({ reader, page }) => {
    await reader.open(at(name));
    await reader.isAccessibleEverywhere();
    for (const [width, viewport] of [["390", NARROW], ["1440", WIDE]] as const) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${folder}/workspace-${name}-${width}-${colorScheme}.png` });
      }
    }
  });
}
