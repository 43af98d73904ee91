// Creates the test data once before all tests.
import { readFileSync, writeFileSync } from "node:fs";
import { base, call, eventually, organization, page, quire, site, space, user, visitorToken, write } from "./api.ts";
import type { Sites } from "./sites.ts";

/** Folder of the project. */
const project = process.env.QUIRE_PROJECT ?? "";
const read = (path: string) => readFileSync(`${project}/${path}`, "utf8");

const picture = (width: number, height: number, sky: string, sea: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
  `<rect width="${width}" height="${height}" fill="${sky}"/><rect y="${height * 0.7}" width="${width}" height="${height * 0.3}" fill="${sea}"/>` +
  `<path d="M${width * 0.35} ${height * 0.62}h${width * 0.3}l-${width * 0.04} ${height * 0.12}h-${width * 0.22}z" fill="#fff"/></svg>`;

const file = (name: string, contentType: string, content: string, ref: string) => ({
  name,
  contentType,
  ref,
  base64: Buffer.from(content).toString("base64"),
});

async function imported(title: string, folder: string): Promise<string> {
  const id = await space(title);
  quire("import", `${project}/${folder}`, "--space", id);
  return id;
}

const of = async (title: string, spaces: string[]) => (await site({ title, visibility: "public", spaces })).url;

/** Creates a space with the page of all blocks, which refers to its other pages and files. */
async function blocks(): Promise<string> {
  const id = await space("Blocks");
  await call("PUT", `/orgs/${organization}/openapi/pets`, { source: { text: read("crates/render/tests/support/pets.json") } });
  await eventually(
    "the specification is read",
    () => call("GET", `/orgs/${organization}/openapi/pets`),
    (spec) => spec.lastVersion !== undefined && spec.lastVersion !== null,
  );
  await write(id, [
    { operation: "insert_files", files: [
      file("harbor.svg", "image/svg+xml", picture(1200, 500, "#cfe3f5", "#3d6d9c"), "f1"),
      file("boat.svg", "image/svg+xml", picture(480, 240, "#f5efe0", "#4a8a86"), "f2"),
      file("transfer.log", "text/plain", "done\n".repeat(9000), "f3"),
      file("harbor-night.svg", "image/svg+xml", picture(1200, 500, "#0d1b2e", "#1d3a5c"), "f4"),
    ] },
    page("Quick start", "Send the first file in a minute.", { ref: "p1", emoji: "1f680" }),
    page("Configuration", "All options.", { ref: "p2", description: "All options, with examples." }),
    { operation: "insert_reusable_content", title: "Note", ref: "r1", document: { markdown: "This part is shared by *several* pages.\n\n### From elsewhere\n\nWith a heading of its own." } },
  ]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const { items: files } = await call("GET", `/spaces/${id}/content/files`);
  const { reusableContents } = await call("GET", `/spaces/${id}/content`);
  const ids: Record<string, string> = { u1: user, u2: user };
  pages.forEach((made: any, index: number) => (ids[`p${index + 1}`] = made.id));
  const names = ["harbor.svg", "boat.svg", "transfer.log", "harbor-night.svg"];
  for (const made of files) ids[`f${names.indexOf(made.name) + 1}`] = made.id;
  if (reusableContents?.[0]) ids.r1 = reusableContents[0].id;
  const markdown = read("crates/render/tests/support/gallery.txt").replace(
    /\/(pages|files|users|reusable-contents)\/(\w+)/g,
    (_, kind, name) => `/${kind}/${ids[name] ?? "0190a5d2-7c1e-7000-8000-000000000001"}`,
  );
  await write(id, [page("Every block", markdown, { emoji: "26f4", description: "A page that shows all that a document can hold.", at: 0 })]);
  return id;
}

/** Attack texts for all fields of a document, including those of the API tests. */
export const ATTACKS = [
  "<script>window.hostile=1</script>",
  "\"><img src=x onerror=\"window.hostile=1\">",
  "'><svg onload='window.hostile=1'>",
  "javascript:window.hostile=1",
  "JaVaScRiPt:window.hostile=1//",
  "java\tscript:window.hostile=1",
  " \u0001javascript:window.hostile=1",
  "javascript&colon;window.hostile=1",
  "vbscript:msgbox(1)",
  "data:text/html,<script>window.hostile=1</script>",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.hostile=1'/>",
  "blob:https://evil.example/1",
  "file:///etc/passwd",
  "//evil.example/x",
  "\\\\evil.example\\x",
  "https://evil.example/x.png",
  "https://evil.example@127.0.0.1/",
  "</code></pre></figure></article></main><script>window.hostile=1</script>",
  "</title></style></textarea><script>window.hostile=1</script>",
  "--><script>window.hostile=1</script><!--",
  "]]><script>window.hostile=1</script>",
  "\\operatorname{<img src=x onerror=window.hostile=1>}",
  "\\href{javascript:window.hostile=1}{x}",
  "{{constructor.constructor('window.hostile=1')()}}",
  "x\" onmouseover=\"window.hostile=1\" style=\"position:fixed;inset:0",
  "red; background: url(https://evil.example/x)",
  "../../../../v1/user",
  "%0d%0aSet-Cookie: a=b",
];

/** Creates a space whose documents have an attack in each field. */
async function hostile(): Promise<{ id: string; pages: string[] }> {
  const id = await space("Hostile");
  const template = read("crates/render/tests/support/hostile.json");
  const pages = [];
  for (const [index, attack] of ATTACKS.entries()) {
    const quoted = JSON.stringify(attack).slice(1, -1);
    const document = JSON.parse(template.replaceAll("TEXT", () => quoted));
    const slug = `attack-${index + 1}`;
    const shared = { operation: "insert_page", slug, title: attack, description: attack };
    // If the API refuses a document, sends it as Markdown, which the API always accepts.
    try {
      await write(id, [{ ...shared, document }]);
    } catch {
      const markdown = `${attack}\n\n[${attack}](<${attack}>)\n\n![${attack}](<${attack}>)\n\n# ${attack}\n\n\`\`\`html\n${attack}\n\`\`\`\n\n$$\n${attack}\n$$`;
      await write(id, [{ ...shared, document: { markdown } }]);
    }
    pages.push(slug);
  }
  return { id, pages };
}

async function structured(ferry: string): Promise<string> {
  const [next, german, french, api, cli] = await Promise.all(
    ["Version 2", "Deutsch", "Français", "API", "Command line"].map((title) => space(title)),
  );
  await write(next, [page("Welcome", "# Welcome\n\nVersion 2 of Ferry."), page("Upgrade", "Move your jobs.")]);
  await write(german, [page("Willkommen", "Ferry kopiert Ordner auf andere Rechner.")]);
  await write(french, [page("Bienvenue", "Ferry copie des dossiers vers d’autres machines.")]);
  await write(api, [page("Authentication", "Send a token."), page("Jobs", "List and run jobs.")]);
  await write(cli, [page("Commands", "All commands of `ferry`."), page("Exit codes", "What the numbers mean.")]);
  const made = await site({ title: "Ferry", visibility: "public" }, async (path) => {
    const guides = await call("POST", `${path}/sections`, { spaceId: ferry, title: "Guides" });
    const languages = await call("POST", `${path}/sections`, { spaceId: german, title: "Languages" });
    const ofApi = await call("POST", `${path}/sections`, { spaceId: api, title: "API" });
    const ofCli = await call("POST", `${path}/sections`, { spaceId: cli, title: "Command line" });
    await call("POST", `${path}/section-groups`, { title: "Reference", sections: [ofApi.id, ofCli.id] });
    await call("POST", `${path}/site-spaces`, { spaceId: next, sectionId: guides.id });
    await call("POST", `${path}/site-spaces`, { spaceId: french, sectionId: languages.id });
  });
  return made.url;
}

async function dressed(ferry: string): Promise<string> {
  const made = await site({ title: "Dressed", visibility: "public", spaces: [ferry] });
  const to = (url: string) => ({ kind: "url", url });
  await call("PUT", `${made.path}/customization`, {
    title: "Ferry docs",
    styling: { primaryColor: { light: "#ffcc00", dark: "#334400" }, corners: "circular" },
    header: { links: [
      { title: "Blog", to: to("https://blog.example") },
      { title: "Community", links: [{ title: "Forum", to: to("https://forum.example") }, { title: "Chat", to: to("https://chat.example") }] },
      { title: "Download", to: to("https://example.com/download"), style: "button-primary" },
    ] },
    footer: { copyright: "© 2026 Ferry", groups: [
      { title: "Project", links: [{ title: "Source", to: to("https://example.com/source") }, { title: "License", to: to("https://example.com/license") }] },
      { title: "Help", links: [{ title: "Questions", to: to("https://example.com/questions") }] },
    ] },
    announcement: { enabled: true, message: "Version 2 is out.", style: "info", link: { title: "Read the notes", to: to("https://example.com/2") } },
    favicon: { emoji: "26f4" },
    themes: { default: "dark", toggeable: true },
  });
  return made.url;
}

export default async function seed(): Promise<void> {
  const [ferry, fluentd, book, every, attacks] = await Promise.all([
    imported("Ferry", "tests/ferry"),
    imported("Fluentd", "crates/markup/tests/corpus/fluentd-docs"),
    imported("The Rust Programming Language", "crates/markup/tests/corpus/rust-book"),
    blocks(),
    hostile(),
  ]);
  const plans = await space("Plans");
  await write(plans, [
    page("Plans", "For all.\n\n{% if visitor.claims.plan == \"pro\" %}\nFor professionals.\n{% endif %}"),
    page("Prices", "Ask us."),
  ]);
  const shared = await site({ title: "Shared", visibility: "share-link", spaces: [plans] });
  const link = await call("POST", `${shared.path}/share-links`, { name: "Press" });
  const vouched = await site({ title: "Vouched", visibility: "visitor-auth", spaces: [plans] });
  await call("PATCH", vouched.path, { adaptiveContent: { enabled: true } });
  const hosted = await site({ title: "Hosted", visibility: "public", spaces: [ferry] });
  await call("PATCH", hosted.path, { hostname: "docs.ferry.example" });
  const made: Sites = {
    ferry: await of("Ferry", [ferry]),
    fluentd: await of("Fluentd", [fluentd]),
    book: await of("Rust", [book]),
    blocks: await of("Blocks", [every]),
    hostile: await of("Hostile", [attacks.id]),
    hostilePages: attacks.pages,
    structured: await structured(ferry),
    dressed: await dressed(ferry),
    shared: shared.url,
    sharedWithKey: link.urls.published,
    vouched: vouched.url,
    token: visitorToken({ sub: "eve" }),
    tokenOfPro: visitorToken({ sub: "ada", plan: "pro" }),
    hosted: `http://docs.ferry.example:${new URL(base).port}`,
    ferrySpace: ferry,
    blocksSpace: every,
    fluentdSpace: fluentd,
    bookSpace: book,
    hostileSpace: attacks.id,
  };
  // The search index of the node is updated in the background.
  await eventually(
    "the search finds imported pages",
    async () => (await fetch(`${made.ferry}/~quire/search?q=verify`)).json(),
    (found) => found.hits?.length > 0,
  );
  writeFileSync(process.env.QUIRE_SITES ?? "", JSON.stringify(made));
}
