// Other members of the organization.
import { test } from "@playwright/test";
import { base, call, organization } from "./api.ts";

/**
 * Returns a name or an e-mail address that no earlier run of a repeated test has used. The first run has the name
 * itself.
 */
export function unused(name: string): string {
  const { retry, repeatEachIndex } = test.info();
  const run = retry + repeatEachIndex > 0 ? `-${repeatEachIndex}-${retry}` : "";
  return name.includes("@") ? name.replace("@", `${run}@`) : name + run;
}

/** Returns the headers of a new member with a role. */
export async function member(name: string, role: string): Promise<Record<string, string>> {
  return registered(`${name.toLowerCase().replaceAll(/\W+/g, ".")}-${Date.now()}@members.example`, name, role);
}

/** Invites an address, accepts the invitation, and returns the headers of the new member, who has no password. */
export async function registered(email: string, name: string, role: string): Promise<Record<string, string>> {
  const { invites } = await call("POST", `/orgs/${organization}/invites`, { emails: [email], role });
  const answer = await fetch(`${base}/v1/invites/${invites[0].id}/register`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ secret: invites[0].secret, displayName: name }),
  });
  const { token } = await answer.json();
  return { authorization: `Bearer ${token}` };
}

/** Returns a client of the API with the headers of a member. */
export function as(headers: Record<string, string>): (method: string, path: string, body?: unknown) => Promise<any> {
  return async (method, path, body) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(`${base}/v1${path}`, {
      method,
      headers: { ...headers, ...type, connection: "close" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}
