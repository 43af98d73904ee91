// Sign-in with an identity provider.
import { readFileSync } from "node:fs";

import { startDeployment } from "../../support/deployment.ts";
import { startIdentityProvider } from "../../support/identity-provider.ts";
import { expect, test } from "../../support/reader.ts";

test("a provider is set up, tested, and signs people in", async ({ reader, browser }) => {
  // Starts a server of its own, and checks many pages.
  test.slow();
  const provider = await startIdentityProvider({
    sub: "grace",
    email: "grace@example.com",
    email_verified: true,
    name: "Grace Hopper",
    groups: ["docs-leads"],
  });
  const deployment = await startDeployment({ QUIRE_FETCH_ALLOW: new URL(provider.issuer).host });
  try {
    const { base } = deployment;
    const { page } = reader;
    await reader.open(deployment.welcome);
    await page.getByLabel("Organization").fill("Acme");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill("ferry lantern quilt");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page).toHaveURL(`${base}/`);
    const organizations = await (await page.request.get(`${base}/v1/orgs`)).json();

    await reader.open(`${base}/o/${organizations.items[0].id}/sign-in`);
    await reader.isAccessibleEverywhere();
    await page.getByLabel("Label").fill("Acme accounts");
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client id").fill(provider.clientId);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByLabel("Role of new members").selectOption("Edit");
    await page.getByRole("button", { name: "Create provider" }).click();
    await expect(page.getByRole("heading", { name: "Acme accounts" })).toBeVisible();
    await page.getByRole("link", { name: "Test the provider" }).click();
    await expect(page.getByRole("region", { name: "Claims", exact: true })).toContainText("grace@example.com");
    await reader.isAccessibleEverywhere();

    const rules = page.getByRole("region", { name: "Roles and teams by claims" }).locator("tbody").getByRole("row");
    await rules.nth(0).getByLabel("Claim").fill("groups");
    await rules.nth(0).getByLabel("Value").fill("docs-leads");
    // A rule without effect is refused.
    const provided = new URL(page.url()).pathname.split("/").at(-1);
    reader.awaits(`${base}/v1/orgs/${organizations.items[0].id}/oidc/${provided}`);
    await page.getByRole("button", { name: "Save rules" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await rules.nth(0).getByLabel("Role").selectOption("Create");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await rules.nth(1).getByLabel("Claim").fill("groups");
    await rules.nth(1).getByLabel("Value").fill("guests");
    await rules.nth(1).getByLabel("Role").selectOption("Read");
    await page.getByRole("button", { name: "Save rules" }).click();
    await expect(rules.nth(0)).toContainText("Matches");
    await expect(rules.nth(1)).toContainText("No match");
    await reader.isAccessibleEverywhere();
    await rules.nth(1).getByRole("button", { name: "Remove the rule" }).click();
    await expect(page.getByRole("button", { name: "Add a rule" })).toBeFocused();
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Save rules" }).click();
    await loaded;
    await expect(rules).toHaveCount(1);
    await expect(rules.nth(0)).toContainText("Matches");

    await reader.open(`${base}/o/${organizations.items[0].id}/sign-in`);
    await expect(page.getByRole("textbox", { name: "SCIM base URL" })).toHaveValue(`${base}/scim/v2/${organizations.items[0].id}`);
    await page.getByRole("button", { name: "Create token" }).click();
    const token = page.getByRole("textbox", { name: "token", exact: true });
    await expect(token).toHaveValue(/^qp_/);
    const headers = { Authorization: `Bearer ${await token.inputValue()}` };
    const users = `${base}/scim/v2/${organizations.items[0].id}/Users`;
    expect((await page.request.get(users, { headers })).status()).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("The token was created")).toBeVisible();
    await reader.isAccessibleEverywhere();
    await page.getByRole("button", { name: "Revoke the SCIM token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByRole("button", { name: "Create token" })).toBeVisible();
    expect((await page.request.get(users, { headers })).status()).toBe(401);

    const other = await browser.newContext();
    const second = await other.newPage();
    await second.goto(`${base}/~/account`);
    await second.getByRole("link", { name: "Continue with Acme accounts" }).click();
    await expect(second).toHaveURL(`${base}/~/account`);
    await expect(second.getByLabel("Name", { exact: true })).toHaveValue("Grace Hopper");
    await expect(second.getByRole("region", { name: "Single sign-on" })).toContainText("Signs you in");
    await other.close();
    const members = await (await page.request.get(`${base}/v1/orgs/${organizations.items[0].id}/members`)).json();
    const grace = members.items.find((member: { user: { displayName: string } }) => member.user.displayName === "Grace Hopper");
    expect(grace.role).toBe("create");

    await reader.open(`${base}/o/${organizations.items[0].id}/sign-in`);
    await page.getByLabel("Member", { exact: true }).pressSequentially("Grace");
    const option = page.locator("datalist option").first();
    await expect(option).toBeAttached();
    await page.getByLabel("Member", { exact: true }).fill((await option.getAttribute("value"))!);
    await page.getByRole("button", { name: "Add member" }).click();
    await expect(page).toHaveURL(/\/people$/);
    await expect(page.getByRole("row", { name: /Grace Hopper/ })).toContainText("Single sign-on");
    await expect(page.getByRole("row", { name: /Ada Lovelace/ })).not.toContainText("Single sign-on");
    await reader.isAccessibleEverywhere();

    provider.claims.nonce = "of another sign-in";
    const third = await (await browser.newContext()).newPage();
    await third.goto(`${base}/~/sign-in`);
    await third.getByRole("link", { name: "Continue with Acme accounts" }).click();
    await expect(third.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
    await expect(third.getByRole("alert")).toContainText("belongs to another sign-in");
    await third.context().close();
    // Leaves the page, whose event stream would reconnect to the stopped server.
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
    provider.stop();
  }
});

test("a SAML provider is set up and deleted", async ({ reader }) => {
  const deployment = await startDeployment({});
  try {
    const { base } = deployment;
    const { page } = reader;
    await reader.open(deployment.welcome);
    await page.getByLabel("Organization").fill("Acme");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill("ferry lantern quilt");
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page).toHaveURL(`${base}/`);
    const organizations = await (await page.request.get(`${base}/v1/orgs`)).json();
    const list = `${base}/o/${organizations.items[0].id}/sign-in`;

    await reader.open(list);
    await page.getByRole("link", { name: "New SAML provider" }).click();
    await expect(page.getByRole("heading", { name: "New SAML provider" })).toBeVisible();
    await reader.isAccessibleEverywhere();
    await page.getByLabel("Label").fill("Acme accounts");
    await page.getByRole("button", { name: "Create provider" }).click();
    await expect(page.getByRole("heading", { name: "Acme accounts" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "ACS URL" })).toHaveValue(/\/saml\/[^/]+\/acs$/);
    await expect(page.getByRole("link", { name: "Test the provider" })).toHaveCount(0);
    await reader.isAccessibleEverywhere();

    const certificate = readFileSync(`${process.env.QUIRE_PROJECT}/crates/auth/tests/saml/responses/provider.pem`, "utf8");
    await page.getByLabel("Entity id", { exact: true }).fill("https://id.example.com/metadata");
    await page.getByLabel("Sign-in address").fill("https://id.example.com/saml");
    await page.getByLabel("Certificate").fill(certificate);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("link", { name: "Test the provider" })).toBeVisible();
    await reader.isAccessibleEverywhere();

    await reader.open(list);
    await expect(page.getByRole("listitem").filter({ hasText: "Acme accounts" })).toContainText("Not tested");
    await reader.isAccessibleEverywhere();
    await page.getByRole("link", { name: "Acme accounts" }).click();
    await page.getByRole("button", { name: "Delete the provider" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page).toHaveURL(list);
    await expect(page.getByRole("link", { name: "Acme accounts" })).toHaveCount(0);
    await page.goto("about:blank");
  } finally {
    await deployment.stop();
  }
});
