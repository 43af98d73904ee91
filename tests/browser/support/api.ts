// Client of the API for test data, and the commands of the tested program.
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";

export const base = process.env.QUIRE_BASE_URL ?? "";
const owner: { organization: string; user: string; token: string } = JSON.parse(process.env.QUIRE_WALK ?? "{}");
export const organization = owner.organization;
export const user = owner.user;
export const token = owner.token;

/** Sends a request as the administrator. Fails unless it succeeds. */
export async function call(method: string, path: string, body?: unknown): Promise<any> {
  // A new connection each time, since the server may close an idle one just before it is reused.
  const headers: Record<string, string> = { authorization: `Bearer ${owner.token}`, connection: "close" };
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(`${base}/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text ? JSON.parse(text) : undefined;
}

const ofOrganization = (path: string) => `/orgs/${organization}${path}`;

/** Runs the tested program. */
export function quire(...args: string[]): string {
  const env = { ...process.env, QUIRE_URL: base, QUIRE_TOKEN: owner.token };
  return execFileSync(process.env.QUIRE_BIN ?? "", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export async function space(title: string): Promise<string> {
  return (await call("POST", ofOrganization("/spaces"), { title })).id;
}

export const write = (id: string, changes: unknown[]) => call("POST", `/spaces/${id}/content`, { changes });

export const page = (title: string, markdown: string, more: object = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

export interface Site {
  id: string;
  /** API path of the site. */
  path: string;
  /** URL of the first page. */
  url: string;
}

/** Creates and publishes a site. `prepare` creates its structure. */
export async function site(settings: object, prepare: (path: string) => Promise<unknown> = async () => {}): Promise<Site> {
  const { id } = await call("POST", ofOrganization("/sites"), settings);
  const path = ofOrganization(`/sites/${id}`);
  await prepare(path);
  const published = await call("POST", `${path}/publish`);
  return { id, path, url: published.urls.published };
}

/** Signs a visitor's claims with the organization's key. The token is valid for an hour. */
export function visitorToken(claims: object): string {
  const { visitorKey } = JSON.parse(quire("admin", "visitor-key", "--organization", organization));
  const key = Buffer.from(visitorKey, "base64");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({ ...claims, exp })}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

/** Polls until a condition holds, for background work. */
export async function eventually<T>(what: string, look: () => Promise<T>, holds: (found: T) => boolean, most = 60_000): Promise<T> {
  const deadline = Date.now() + most;
  for (;;) {
    const found = await look();
    if (holds(found)) return found;
    if (Date.now() > deadline) throw new Error(`${what}: ${JSON.stringify(found).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
