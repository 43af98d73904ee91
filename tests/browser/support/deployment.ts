// A deployment of its own, without an organization.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Deployment {
  base: string;
  /** Link that the server printed for the first run. */
  welcome: string;
  stop(): Promise<void>;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts a server on an empty database, and waits for the link that it prints. */
export async function startDeployment(): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "quire-"));
  // PostgreSQL runs as another account where this runs as root, and has to get in.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const env = { ...process.env, QUIRE_DATA_DIR: join(folder, "data"), QUIRE_BIND: `127.0.0.1:${port}`, QUIRE_BASE_URL: base };
  const server = spawn(process.env.QUIRE_BIN ?? "", ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const welcome = await new Promise<string>((resolve, reject) => {
    let printed = "";
    server.stdout.on("data", (text) => {
      printed += text;
      const link = /https?:\/\/\S+\/~\/welcome\/\S+/.exec(printed);
      if (link) resolve(link[0]);
    });
    void ended.then(() => reject(new Error(`the server ended: ${printed}`)));
  });
  return { base, welcome, stop };
}
