// The bell shows the number of unread entries, and the inbox links to their subjects.
import type { Page } from "@playwright/test";
import { base, call, organization, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { as, member } from "../../support/person.ts";
import { expect, MEDIUM, NARROW, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";

const bell = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^Inbox/ });

test("the number of unread entries follows the inbox, whose links lead to what they are about", async ({ reader, page }) => {
  // Uses its own user, since other tests fill the inbox of the administrator.
  const ada = await member("Ada Byron", "admin");
  const { id: user } = await as(ada)("GET", "/user");
  const mia = as(await member("Mia Okafor", "admin"));
  await page.setExtraHTTPHeaders(ada);
  const space = await createSpace("Harbor manual");
  await write(space, [inserted("Home", "Start."), inserted("Tides", "High and low.")]);
  await reader.open(`${base}/o/${organization}`);
  await expect(bell(page)).toHaveAccessibleName("Inbox");

  // On a page that watches no content.
  const mention = await mia("POST", `/spaces/${space}/comments`, { body: { markdown: `Look at the second step, [Ada](/users/${user} "mention").` } });
  await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");

  // On a page that watches content.
  await reader.open(`${base}/s/${space}`);
  await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
  const request = await mia("POST", `/spaces/${space}/change-requests`, { subject: "Tables of tides" });
  await mia("POST", `/spaces/${space}/change-requests/${request.id}/requested-reviewers`, { users: [user] });
  await expect(bell(page)).toHaveAccessibleName("Inbox 2 unread");

  await bell(page).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Inbox", level: 1 })).toBeVisible();
  const entries = main.getByRole("listitem");
  await expect(entries).toHaveCount(2);
  await expect(entries.nth(0)).toContainText("Mia Okafor asks for your review of “Tables of tides”");
  await expect(entries.nth(1)).toContainText("Look at the second step, Ada.");
  for (const [width, viewport] of [["390", NARROW], ["820", MEDIUM], ["1440", WIDE]] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/workspace-inbox-${width}-${colorScheme}.png`, fullPage: true });
      await reader.isAccessible(`inbox ${width} ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect.soft(overflow, `overflow of the inbox at ${width}`).toBeLessThanOrEqual(0);
    }
  }

  // Following a link marks its entry as read.
  await main.getByRole("link", { name: /asks for your review/ }).click();
  await expect(page).toHaveURL(new RegExp(`/~/changes/${request.number}$`));
  await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
  await bell(page).click();
  await main.getByRole("link", { name: /mentioned you/ }).click();
  await expect(page).toHaveURL(new RegExp(`#comment-${mention.id}$`));
  await expect(bell(page)).toHaveAccessibleName("Inbox");

  await mia("POST", `/spaces/${space}/comments`, { body: { markdown: `And [Ada](/users/${user} "mention").` } });
  await bell(page).click();
  await main.getByRole("button", { name: "Mark all as read" }).click();
  await expect(main).toContainText("You have read everything");
  await main.getByRole("link", { name: "All", exact: true }).click();
  await expect(entries.first()).toContainText("Mia Okafor mentioned you");
});

test("a request for a review is sent and withdrawn", async ({ reader, page }) => {
  await page.setExtraHTTPHeaders(await member("Ada Byron", "admin"));
  await member("Mia Okafor", "admin");
  const space = await createSpace("Pilot book");
  await write(space, [inserted("Home", "Start.")]);
  const request = await call("POST", `/spaces/${space}/change-requests`, { subject: "Lights" });
  await reader.open(`${base}/s/${space}/~/changes/${request.number}`);
  const review = page.getByRole("complementary", { name: "Review" });
  await expect(review).toContainText("No reviews yet.");
  await review.getByText("Ask for a review", { exact: true }).click();
  await review.getByRole("combobox", { name: "Reviewer" }).selectOption({ label: "Mia Okafor" });
  await review.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(review.getByRole("listitem").filter({ hasText: "Mia Okafor" })).toContainText("Waiting");
  await review.getByRole("button", { name: "Withdraw the request to Mia Okafor" }).click();
  await expect(review).toContainText("No reviews yet.");
});
