// An authenticator app and recovery codes.
import type { Page } from "@playwright/test";
import { base, call, organization } from "../../support/api.ts";
import { unused } from "../../support/person.ts";
import { expect, test } from "../../support/reader.ts";
import { codeOf } from "../../support/totp.ts";

const PASSWORD = "ferry lantern quilt";

async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(`${base}/~/sign-in`);
  await page.getByLabel("E-mail address").fill(address);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${base}/~/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page).toHaveURL(/sign-in/);
}

test("a sign-in asks for a code of the app, a recovery code works once, and the factor is removed", async ({ reader, page }) => {
  const address = unused("radia@factors.example");
  const { invites } = await call("POST", `/orgs/${organization}/invites`, { emails: [address], role: "read" });
  await page.goto(`${base}/~/invite/${invites[0].id}?secret=${invites[0].secret}`);
  await page.getByLabel("Your name").fill("Radia Perlman");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page).toHaveURL(`${base}/`);

  await reader.open(`${base}/~/account`);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const url = (await page.getByRole("link", { name: "Open in an app on this device" }).getAttribute("href"))!;
  await reader.isAccessibleEverywhere();
  await page.getByLabel("Code").fill(codeOf(url));
  await page.getByRole("button", { name: "Turn on" }).click();
  const recovery = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allTextContents();
  expect(recovery.length).toBeGreaterThan(4);
  await reader.isAccessibleEverywhere();
  await page.getByRole("link", { name: "Done" }).click();
  await signOut(page);

  for (const pattern of ["/~/sign-in", "/~/sign-in/code", "/~/code"]) reader.awaits(`${base}${pattern}`);
  await signIn(page, address);
  // The code of the setup is used up. The code of the next time step is new.
  await enter(page, codeOf(url, 1));
  await expect(page).toHaveURL(`${base}/`);
  await signOut(page);
  await signIn(page, address);
  await enter(page, recovery[0]!);
  await expect(page).toHaveURL(`${base}/`);
  await signOut(page);
  await signIn(page, address);
  await enter(page, recovery[0]!);
  await expect(page.getByRole("alert")).toBeVisible();
  await reader.isAccessibleEverywhere();
  await enter(page, recovery[1]!);
  await expect(page).toHaveURL(`${base}/`);

  await page.goto(`${base}/~/account`);
  await page.getByRole("button", { name: "Remove second factor" }).click();
  await expect(page.getByRole("button", { name: "Set up an app" })).toBeVisible();
  await signOut(page);
  await signIn(page, address);
  await expect(page).toHaveURL(`${base}/`);
});
