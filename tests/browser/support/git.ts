// Git server: `git http-backend` with one repository and one account.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface GitServer {
  /** Host with port. */
  host: string;
  /** URL of the repository. */
  url: string;
  username: string;
  token: string;
  /** Commits files to `main`. */
  commit(files: Record<string, string>): void;
  /** Commits files to a pull request on this host. Returns the commit. */
  propose(number: number, files: Record<string, string>): string;
  /** Commit statuses in the order of their arrival. */
  statuses: string[];
  /** Returns a file of `main`. */
  read(path: string): string;
  stop(): void;
}

const isolated = { ...process.env, GIT_CONFIG_NOSYSTEM: "1" };

/** Returns the path of `git http-backend`. Undefined without Git. */
function backendPath(): string | undefined {
  try {
    const path = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Starts a server on a free port of this machine. Undefined without Git. */
export async function startGitServer(): Promise<GitServer | undefined> {
  const backend = backendPath();
  if (backend === undefined) return undefined;
  const root = mkdtempSync(join(tmpdir(), "quire-git-"));
  const bare = join(root, "docs.git");
  const git = (args: string[], input = "", more: Record<string, string> = {}) => {
    const person = { NAME: "Ada Example", EMAIL: "ada@example.org" };
    const names = Object.entries(person).flatMap(([key, value]) => [[`GIT_AUTHOR_${key}`, value], [`GIT_COMMITTER_${key}`, value]]);
    const env = { ...isolated, HOME: root, ...Object.fromEntries(names), ...more };
    return execFileSync("git", ["--git-dir", bare, ...args], { env, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] }).trim();
  };
  git(["init", "--quiet", "--bare", "--initial-branch=main"]);
  git(["config", "http.receivepack", "true"]);
  git(["config", "uploadpack.allowFilter", "true"]);
  const [username, token] = ["bot", "s3cret"];
  const expected = `Basic ${Buffer.from(`${username}:${token}`).toString("base64")}`;
  const statuses: string[] = [];
  const open: object[] = [];
  const server = createServer((request, response) => {
    const [, part] = /^\/api\/v1\/repos\/docs\/(.*)$/.exec(request.url ?? "") ?? [];
    if (part !== undefined) {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        if (part.startsWith("statuses/")) statuses.push(JSON.parse(Buffer.concat(chunks).toString()).state);
        response.writeHead(request.method === "POST" ? 201 : 200).end(JSON.stringify(part.startsWith("pulls") ? open : {}));
      });
      return;
    }
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const env = {
        ...isolated,
        HOME: root,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        CONTENT_LENGTH: String(body.length),
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        REMOTE_USER: username,
        REMOTE_ADDR: "127.0.0.1",
      };
      const child = spawn(backend, [], { env, stdio: ["pipe", "pipe", "inherit"] });
      const output: Buffer[] = [];
      child.stdout.on("data", (chunk) => output.push(chunk));
      child.on("close", () => {
        const answer = Buffer.concat(output);
        const end = answer.indexOf("\r\n\r\n");
        const lines = answer.subarray(0, end).toString().split("\r\n").map((line) => line.split(": "));
        const status = lines.find(([name]) => name === "Status")?.[1] ?? "200";
        const headers = Object.fromEntries(lines.filter(([name]) => name !== "Status"));
        response.writeHead(Number.parseInt(status, 10), headers).end(answer.subarray(end + 4));
      });
      // A refused request is not read to its end.
      child.stdin.on("error", () => {});
      child.stdin.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const commit = (files: Record<string, string>): string => {
    const index = { GIT_INDEX_FILE: join(root, "index") };
    const head = git(["for-each-ref", "--format=%(objectname)", "refs/heads/main"]);
    if (head) git(["read-tree", head], "", index);
    for (const [path, text] of Object.entries(files)) {
      const id = git(["hash-object", "-w", "--stdin"], text);
      git(["update-index", "--add", "--cacheinfo", `100644,${id},${path}`], "", index);
    }
    const tree = git(["write-tree"], "", index);
    const made = git(["commit-tree", tree, "-m", "Edit files", ...(head ? ["-p", head] : [])]);
    git(["update-ref", "refs/heads/main", made]);
    return made;
  };
  const propose = (number: number, files: Record<string, string>) => {
    const main = git(["rev-parse", "refs/heads/main"]);
    const sha = commit(files);
    git(["update-ref", "refs/heads/main", main]);
    git(["update-ref", `refs/pull/${number}/head`, sha]);
    const repo = { id: 1 };
    const html_url = `http://${host}/docs/pulls/${number}`;
    open.push({ number, state: "open", title: "Explain the tides", html_url, base: { ref: "main", repo }, head: { ref: "tides", sha, repo } });
    return sha;
  };
  const stop = () => {
    server.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { host, url: `http://${host}/docs.git`, username, token, commit, propose, statuses, read: (path) => git(["show", `refs/heads/main:${path}`]), stop };
}
