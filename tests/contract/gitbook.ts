// Calls a server with the published client of the API family, @gitbook/api, and validates the answers against the OpenAPI
// document in that package. `gitbook-deviations.txt` lists the known deviations with their reasons. Fails when the answers
// deviate in another way, and when a listed deviation does not occur.
// QUIRE_BASE_URL names the server, QUIRE_WALK is what `quire admin bootstrap` printed, QUIRE_MEMBER what
// `quire admin create-user` printed of a member with the role `review`.
import { readFileSync } from "node:fs";
import { GitBookAPI } from "@gitbook/api";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = { [key: string]: any };
type Operation = { id: string; method: string; path: string; spec: Json };

const [documentFile = "", ourDocumentFile = "", deviationsFile = ""] = process.argv.slice(2);
const baseUrl = process.env.QUIRE_BASE_URL ?? "";
const walk: { organization: string; user: string; token: string } = JSON.parse(process.env.QUIRE_WALK ?? "{}");
const member: { user: string; token: string } = JSON.parse(process.env.QUIRE_MEMBER ?? "{}");
const readJson = (file: string): Json => JSON.parse(readFileSync(file, "utf8"));
const spec = readJson(documentFile);

/** Names of schemas, and of the places in them that have no name, for messages. */
const names = new WeakMap<object, string>();

function name(schema: unknown, path: string): void {
  if (typeof schema !== "object" || schema === null || names.has(schema)) {
    return;
  }
  names.set(schema, path);
  for (const [key, inner] of Object.entries(schema)) {
    switch (key) {
      case "properties":
        for (const [property, value] of Object.entries(inner as Json)) {
          name(value, `${path}.${property}`);
        }
        break;
      case "items":
      case "additionalProperties":
        name(inner, `${path}[]`);
        break;
      case "allOf":
      case "oneOf":
      case "anyOf":
        (inner as unknown[]).forEach((branch) => name(branch, path));
    }
  }
}

/** Follows references. */
function resolve(schema: Json): Json {
  let found = schema;
  while (found.$ref) {
    found = (found.$ref as string).slice(2).split("/").reduce((at: Json, key) => at[key], spec);
  }
  return found;
}

/** Returns the values of the required properties of a schema that have enumerated values, also of its parts and branches. */
function choices(schema: Json): Map<string, unknown[]> {
  const whole = resolve(schema);
  const found = new Map<string, unknown[]>();
  for (const part of whole.allOf ?? []) {
    choices(part).forEach((values, property) => found.set(property, values));
  }
  for (const [property, value] of Object.entries<Json>(whole.properties ?? {})) {
    const values = resolve(value).enum;
    if (values !== undefined && whole.required?.includes(property)) {
      found.set(property, values);
    }
  }
  const [first, ...others] = (whole.oneOf ?? whole.anyOf ?? []).map(choices) as Map<string, unknown[]>[];
  first?.forEach((values, property) => {
    const all = others.map((other) => other.get(property));
    if (all.every((values) => values !== undefined)) {
      found.set(property, [values, ...all].flat());
    }
  });
  return found;
}

/** Replaces unions whose branches differ in a property by conditions, so that errors are those of the branch that is meant. */
function discriminate(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) {
    return;
  }
  const union = schema as Json;
  for (const key of ["oneOf", "anyOf"]) {
    const branches = union[key];
    if (!Array.isArray(branches) || branches.length < 2) {
      continue;
    }
    const of: Map<string, unknown[]>[] = branches.map(choices);
    const differs = (property: string): boolean => {
      const values = of.flatMap((each) => each.get(property) ?? []);
      return of.every((each) => each.has(property)) && new Set(values).size === values.length;
    };
    const property = [...(of[0]?.keys() ?? [])].find(differs);
    if (property !== undefined) {
      const values = of.map((each) => each.get(property)!);
      conditions.push({ union, key, property, values });
    }
  }
  Object.values(union).forEach(discriminate);
}

/** Unions to be replaced, once all are found: those found later are parts of earlier ones. */
const conditions: { union: Json; key: string; property: string; values: unknown[][] }[] = [];

function replaceUnions(): void {
  for (const { union, key, property, values } of conditions) {
    const branches: Json[] = union[key];
    delete union[key];
    const any = { type: "object", required: [property], properties: { [property]: { enum: values.flat() } } };
    names.set(any, names.get(union) ?? property);
    names.set(any.properties[property]!, `${names.get(union)}.${property}`);
    union.allOf = [
      ...(union.allOf ?? []),
      any,
      ...branches.map((branch, at) => ({
        if: { required: [property], properties: { [property]: { enum: values[at] } } },
        then: branch,
      })),
    ];
  }
}

const allOperations = (document: Json, prefix: string): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([method]) => ["get", "put", "post", "patch", "delete"].includes(method))
      .map(([method, operation]) => ({
        id: operation.operationId,
        method,
        path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
        spec: operation,
      })),
  );
const shape = ({ method, path }: Operation): string => `${method} ${path.replace(/\{[^}]+\}/g, "{}")}`;

for (const [schema, value] of Object.entries(spec.components.schemas)) {
  name(value, schema);
}
const ours = new Set(allOperations(readJson(ourDocumentFile), "/v1").map(shape));
const common = new Map(
  allOperations(spec, "")
    .filter((operation) => ours.has(shape(operation)))
    .map((operation) => [operation.id, operation] as const),
);
for (const { id, spec: operation } of common.values()) {
  for (const answer of Object.values<Json>(operation.responses)) {
    name(answer.content?.["application/json"]?.schema, id);
  }
}
discriminate(spec);
replaceUnions();

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false });
addFormats.default(ajv);
ajv.addSchema({ ...spec, $id: "family" });

const found = new Set<string>();
const answered = new Set<string>();

function describe(error: ErrorObject, operation: string): string {
  const path = error.instancePath.replace(/\/\d+/g, "[]").replaceAll("/", ".");
  const at = names.get(error.parentSchema as object) ?? `${operation}${path}`;
  switch (error.keyword) {
    case "required":
      return `${at} lacks ${error.params.missingProperty}`;
    case "type":
      return `${at} is not ${error.params.type}`;
    case "additionalProperties":
      return `${at} has ${error.params.additionalProperty}`;
    default:
      return `${at} violates ${error.keyword}`;
  }
}

/** Validates an answer of an operation. */
function validate(operation: Operation, status: number, body: unknown): void {
  answered.add(operation.id);
  const response = operation.spec.responses[status];
  if (response === undefined) {
    found.add(`${operation.id} answers ${status}`);
  }
  const code = response ? String(status) : Object.keys(operation.spec.responses).find((code) => code.startsWith("2"));
  if (status === 204 || code === undefined || !resolve(operation.spec.responses[code]).content?.["application/json"]) {
    return;
  }
  const at = ["paths", operation.path, operation.method, "responses", code, "content", "application/json", "schema"];
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const check = ajv.getSchema(`family#/${pointer}`);
  if (check === undefined) {
    throw new Error(`${operation.id} has no schema of its answer`);
  }
  if (check(body)) {
    return;
  }
  const errors = check.errors ?? [];
  const unions = errors.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf");
  for (const error of errors) {
    // Errors of the branch of a condition say what is wrong; those of the branches of a union do not.
    const isOfBranch = unions.some(
      (union) =>
        union.instancePath === error.instancePath &&
        (union.schema as Json[]).some((branch) => resolve(branch) === error.parentSchema),
    );
    if (error.keyword !== "if" && !isOfBranch) {
      found.add(describe(error, operation.id));
    }
  }
}

let status = 0;
let body: unknown;
const clientOf = (authToken: string): GitBookAPI =>
  new GitBookAPI({
    endpoint: baseUrl,
    authToken,
    serviceBinding: {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        status = response.status;
        body = await response.clone().json().catch(() => undefined);
        return response;
      },
    },
  });
const admin = clientOf(walk.token);
const reviewer = clientOf(member.token);

/** Ids by the names of the parameters in paths. */
const ids: Record<string, string> = { organizationId: walk.organization, userId: member.user };

/** Methods of a client by their names in lower case, since the generator of the client changes the case of some. */
const methods = (client: GitBookAPI): Map<string, (...values: unknown[]) => Promise<unknown>> =>
  new Map(
    Object.values(client as unknown as Json)
      .filter((group) => typeof group === "object" && group !== null)
      .flatMap((group) => Object.entries<any>(group))
      .filter(([, method]) => typeof method === "function")
      .map(([name, method]) => [name.toLowerCase(), method]),
  );

type Call = { body?: Json; query?: Json; path?: Record<string, string>; as?: GitBookAPI };

/** A page with a block of most kinds. */
const markdown = `# Start

{% hint style="info" %}
Read **this**, \`that\` and [more](https://example.com/).
{% endhint %}

* one
* two
  * three

1. first

- [x] done

> quoted

| a | b |
| - | - |
| 1 | 2 |

{% tabs %}
{% tab title="One" %}
Text.
{% endtab %}
{% endtabs %}

\`\`\`js
let x;
\`\`\`

$$x^2$$

***

<details><summary>More</summary>Text.</details>
`;

/** Calls an operation with the method of the client, validates the answer and returns it. */
async function call(id: string, { body: data, query, path = {}, as = admin }: Call = {}): Promise<any> {
  const operation = common.get(id);
  const method = methods(as).get(id.toLowerCase());
  if (operation === undefined || method === undefined) {
    throw new Error(`${id} is not in both documents`);
  }
  const parameters = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => path[parameter!] ?? ids[parameter!]);
  const queried = (operation.spec.parameters ?? []).map(resolve).filter((parameter: Json) => parameter.in === "query");
  const parts = [
    ...(queried.length > 0 ? [{ value: query ?? {}, required: queried.some((each: Json) => each.required) }] : []),
    ...(operation.spec.requestBody ? [{ value: data ?? {}, required: resolve(operation.spec.requestBody).required }] : []),
  ];
  // Required parameters of a method come before optional ones.
  const sent = [...parts.filter((part) => part.required), ...parts.filter((part) => !part.required)];
  [status, body] = [0, undefined];
  try {
    await method(...parameters, ...sent.map((part) => part.value));
  } catch (error) {
    if (status < 200 || status > 299) {
      console.error(`failed: ${id}: ${status} ${JSON.stringify(body) ?? error}`);
      return undefined;
    }
  }
  validate(operation, status, body);
  return body;
}

async function organization(): Promise<void> {
  await call("updateOrganizationById", { body: { title: "Walked", hostname: "walked-docs" } });
  ids.subdomain = "walked-docs";
  ids.emailDomain = "example.com";
  second = (await call("createOrganization", { body: { title: "Second" } })).id;
  ids.teamId = (await call("createOrganizationTeam", { body: { title: "Writers", members: [member.user] } })).id;
  await call("updateTeamInOrganizationById", { body: { title: "Editors" } });
  await call("updateMembersInOrganizationTeam", { body: { add: [walk.user] } });
  await call("deleteMemberFromOrganizationTeamById");
  await call("addMemberToOrganizationTeamById", { body: { role: "member" } });
  await call("updateMemberInOrganizationById", { body: { role: "review" } });
  await call("setUserAsSSOMemberForOrganization");
  await call("updateOrganizationMemberLastSeenAt");
  ids.inviteId = (await call("createOrganizationInvite", { body: { role: "read" } })).id;
  await call("updateOrganizationInviteById", { body: { role: "comment" } });
  await call("inviteUsersToOrganization", { body: { emails: ["bea@example.net"], role: "read" } });
  const spare = await call("createOrganizationInvite", { body: { role: "read" } });
  await call("deleteOrganizationInviteById", { path: { inviteId: spare.id } });
  ids.samlProviderId = (await call("createOrganizationSAMLProvider", { body: { label: "Sign-in" } })).id;
  await call("updateOrganizationSAMLProvider", { body: { label: "Single sign-on" } });
  const source = { text: readFileSync(ourDocumentFile, "utf8") };
  ids.specSlug = (await call("createOpenAPISpec", { body: { slug: "api", source } })).slug;
  await call("createOrUpdateOpenAPISpecBySlug", { body: { source } });
  // Another operation has an `id` of this name. Body of this deployment's resource: the family's has no title.
  ids.translationId = (await call("createTranslation", { body: { title: "All", languages: ["fr"] } })).id;
  await call("updateTranslation", { body: { title: "All languages", languages: ["fr", "de"] } });
  for (let tries = 0; tries < 300; tries++) {
    const spec = await call("getOpenAPISpecBySlug");
    if (spec.processingState === "complete") {
      ids.versionId = spec.lastVersion;
      return;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("the specification was not processed");
}

async function content(): Promise<void> {
  ids.collectionId = (await call("createCollection", { body: { title: "Guides" } })).id;
  const space = await call("createSpace", { body: { title: "Guide", emoji: "📘", parent: ids.collectionId } });
  ids.spaceId = space.id;
  await call("updateCollectionById", { body: { title: "All guides" } });
  await call("updateSpaceById", { body: { title: "The guide" } });
  await call("inviteToSpace", { body: { users: [member.user], teams: [ids.teamId], role: "review" } });
  await call("updateUserPermissionInSpace", { body: { role: "review" } });
  await call("updateTeamPermissionInSpace", { body: { role: "edit" } });
  await call("inviteToCollection", { body: { users: [member.user], teams: [ids.teamId], role: "review" } });
  await call("updateUserPermissionInCollection", { body: { role: "review" } });
  await call("updateTeamPermissionInCollection", { body: { role: "edit" } });

  // The family writes content in change requests alone.
  const form = new FormData();
  form.append("file", new Blob(["walked"], { type: "text/plain" }), "walk.txt");
  const headers = { Authorization: `Bearer ${walk.token}` };
  const upload = await fetch(`${baseUrl}/v1/spaces/${ids.spaceId}/content/files`, { method: "POST", headers, body: form });
  ids.fileId = ((await upload.json()) as Json).items[0].id;
  const request = await call("createChangeRequest", { body: { subject: "First pages" } });
  ids.changeRequestId = request.id;
  const computed = {
    type: "builtin:openapi",
    props: { models: true },
    dependencies: { spec: { ref: { kind: "openapi", spec: ids.specSlug } } },
  };
  const changes = [
    { operation: "insert_page", title: "Start", document: { markdown } },
    { operation: "insert_group", title: "More" },
    { operation: "insert_link", title: "Elsewhere", target: { kind: "url", url: "https://example.com/" } },
    { operation: "insert_reusable_content", title: "Note", document: { markdown: "Reused." } },
    { operation: "insert_computed", title: "API", source: computed },
  ];
  await call("updateChangeRequestContent", { body: { changes } });
  const revision = await call("getRevisionOfChangeRequestById");
  ids.pageId = revision.pages[0].id;
  ids.pagePath = revision.pages[0].path;
  ids.reusableContentId = revision.reusableContents[0].id;
  await call("updateChangeRequestById", { body: { status: "open" } });
  await call("requestReviewersForChangeRequest", { body: { users: [member.user] } });
  ids.reviewId = (
    await call("submitChangeRequestReview", {
      body: { status: "approved", comment: { markdown: "Good." } },
      as: reviewer,
    })
  )?.id;
  await discussion("ChangeRequest");
  await gets("/spaces/{spaceId}/change-requests/{changeRequestId}");
  await call("updateChangeRequest");
  await call("removeRequestedReviewerFromChangeRequest");
  await call("mergeChangeRequest");
  const merged = await call("getCurrentRevision");
  ids.revisionId = merged.id;
  ids.documentId = merged.pages[0].documentId;
  await discussion("Space");
  const seed = "walk";
  await call("getComputedRevision", { body: { source: computed, seed } });
  await call("getComputedDocument", { body: { source: { ...computed, props: { doc: "models" } }, seed } });
  await call("moveSpace", { body: { parent: null } });
  await call("moveCollection", { body: { position: { after: { type: "space", space: ids.spaceId } } } });
  const copy = await call("duplicateSpace", { path: {} });
  await call("deleteSpaceById", { path: { spaceId: copy.id } });
  await call("restoreSpace", { path: { spaceId: copy.id } });
}

async function discussion(where: "Space" | "ChangeRequest"): Promise<void> {
  const posted = await call(`postCommentIn${where}`, { body: { body: { markdown: "?" }, page: ids.pageId } });
  const path = { commentId: posted.id };
  const reply = await call(`postCommentReplyIn${where}`, { body: { body: { markdown: "!" } }, path });
  const of = { ...path, commentReplyId: reply.id };
  await call(`updateCommentIn${where}`, { body: { resolved: true, addedReactions: ["👍"] }, path });
  await call(`updateCommentReplyIn${where}`, { body: { body: { markdown: "!!" } }, path: of });
  await call(`getCommentIn${where}`, { path });
  await call(`getCommentReplyIn${where}`, { path: of });
  await call(`listCommentRepliesIn${where}`, { path });
  await call(`listCommentsIn${where}`);
  await call(`deleteCommentReplyIn${where}`, { path: of });
  await call(`deleteCommentIn${where}`, { path });
  await call(`postCommentIn${where}`, { body: { body: { markdown: "?" }, page: ids.pageId } });
}

async function site(): Promise<void> {
  ids.siteId = (await call("createSite", { body: { title: "Docs", visibility: "share-link", spaces: [ids.spaceId] } })).id;
  const { items: placed } = await call("listSiteSpaces");
  ids.siteSpaceId = placed[0].id;
  await call("updateSiteById", { body: { title: "The docs" } });
  await call("updateSiteSpaceById", { body: { path: "guide" } });
  const second = await call("createSpace", { body: { title: "Second" } });
  const added = await call("addSpaceToSite", { body: { spaceId: second.id } });
  await call("moveSiteSpace", { path: { siteSpaceId: added.id }, body: { position: { before: { type: "site-space", siteSpace: ids.siteSpaceId } } } });
  ids.siteSectionId = (await call("addSectionToSite", { body: { spaceId: second.id, title: "Other" } })).id;
  await call("deleteSiteSpaceById", { path: { siteSpaceId: added.id } });
  await call("updateSiteSectionById", { body: { title: "Others" } });
  const { items: sections } = await call("listSiteSections");
  const other = sections.find((section: Json) => section.id !== ids.siteSectionId);
  await call("moveSiteSection", { body: { position: { before: { type: "site-section", siteSection: other.id } } } });
  ids.siteSectionGroupId = (await call("addSectionGroupToSite", { body: { title: "Group", sections: [other.id] } })).id;
  await call("updateSiteSectionGroupById", { body: { title: "Groups" } });
  await call("moveSiteSectionGroup", { body: { position: { after: { type: "site-section", id: ids.siteSectionId } } } });
  const source = { kind: "site-space", siteSpaceId: ids.siteSpaceId };
  ids.siteRedirectId = (await call("createSiteRedirect", { body: { source: "/old", destination: source } })).id;
  await call("updateSiteRedirectById", { body: { permanent: true } });
  await call("bulkUpsertSiteRedirects", { body: { redirects: [{ source: "/older", destination: source }] } });
  ids.shareLinkId = (await call("createSiteShareLink", { body: { name: "Partners" } })).id;
  await call("updateSiteShareLinkById", { body: { name: "Partner" } });
  const { updatedAt: _, ...settings } = await call("getSiteCustomizationById");
  await call("updateSiteCustomizationById", { body: settings });
  await call("overrideSiteSpaceCustomizationById", { body: { styling: { theme: "bold" } } });
  await call("updateSitePublishingAuthById", { body: { backend: "custom", fallbackURL: "https://example.com/sign-in" } });
  await call("regenerateSitePublishingAuthById");
  const jsonSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { unsigned: { type: "object", description: "Unsigned claims of the site visitor.", properties: {}, additionalProperties: false } },
    additionalProperties: false,
  };
  await call("updateSiteAdaptiveSchema", { body: { jsonSchema } });
  const { urls } = await call("publishSite");
  await call("updateSiteById", { body: { visibility: "public" } });
  await call("resolvePublishedContentByUrl", { body: { url: urls.published } });
  await call("getPublishedContentByUrl", { query: { url: urls.published } });
  await call("getContentByUrl", { query: { url: `${baseUrl}/s/${ids.spaceId}` } });
  await call("trackEventsInSiteById", {
    body: { events: [{ type: "page_view", session: { sessionId: "1" }, location: { url: urls.published } }] },
  });
  await call("searchSiteContent", { body: { query: "first", scope: { mode: "all" } } });
}

async function integration(): Promise<void> {
  ids.integrationName = "walk";
  const body = { organization: walk.organization, title: "Walk", description: "Walks.", script: "export {};", scopes: [], target: "all" };
  await call("publishIntegration", { body });
  ids.installationId = (await call("installIntegration", { body: { organization: walk.organization } })).id;
  await call("updateIntegrationInstallation", { body: { externalIds: ["walk"] } });
  await call("installIntegrationOnSpace", { body: { space: ids.spaceId } });
  await call("updateIntegrationSpaceInstallation", { body: { externalIds: ["walk"] } });
  await call("installIntegrationOnSite", { body: { siteId: ids.siteId } });
  await call("updateIntegrationSiteInstallation", { body: { externalIds: ["walk"] } });
}

/** Another organization. */
let second = "";

const queries: Record<string, Json> = {
  listChangeRequestsForOrganization: { status: ["merged"] },
  listChangeRequestsForSpace: { status: "merged" },
  searchOrganizationContent: { query: "first" },
  searchSpaceContent: { query: "first" },
  getSiteRedirectBySource: { source: "/old" },
  getEmbedByUrl: { url: "https://example.com/" },
  getEmbedByUrlInSpace: { url: "https://example.com/" },
};

/** Calls the reading operations below a path that were not called yet. */
async function gets(below: string): Promise<void> {
  for (const { id, method, path } of common.values()) {
    if (method === "get" && path.startsWith(below) && !answered.has(id)) {
      await call(id, { query: queries[id] });
    }
  }
}

/** Runs against a Git server that is not there: their answers are the same, and their state says why they failed. */
async function git(): Promise<void> {
  const remote = { url: "https://127.0.0.1/acme/docs.git", ref: "refs/heads/main", gitInfo: { provider: "github" } };
  await call("importGitRepository", { body: remote });
  await ended();
  await call("exportToGitRepository", { body: { ...remote, commitMessage: "Publish" } });
  await ended();
  const target = { type: "space", spaceId: ids.spaceId };
  const { id } = await call("installGitSyncProviderOnTarget", { body: { provider: "gitlab", target } });
  const path = { installationId: id, gitInstallationId: id };
  await call("getGitSyncInstallationById", { path });
  await call("updateGitSyncInstallationById", {
    path,
    body: { providerConfiguration: { url: remote.url, branch: remote.ref }, priority: "gitbook" },
  });
  await call("uninstallGitSyncInstallation", { path });
}

/** Waits until the run of the space has ended. */
async function ended(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { operation } = await call("getSpaceGitInfo");
    if (operation?.state !== "running") return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error("the run against a Git server does not end");
}

/** Removes what the walk made, in an order that allows it. */
async function removal(): Promise<void> {
  for (const id of [
    "uninstallIntegrationFromSite",
    "uninstallIntegrationFromSpace",
    "uninstallIntegration",
    "unpublishIntegration",
    "deleteSiteSpaceCustomizationById",
    "deleteSiteShareLinkById",
    "deleteSiteRedirectById",
    "deleteSiteSectionGroupById",
    "deleteSiteSectionById",
    "unpublishSite",
    "deleteSiteById",
    "removeUserFromSpace",
    "removeTeamFromSpace",
    "removeUserFromCollection",
    "removeTeamFromCollection",
    "deleteTranslation",
    "deleteOpenAPISpecBySlug",
    "deleteOrganizationSAMLProvider",
    "removeTeamFromOrganizationById",
    "removeMemberFromOrganizationById",
  ]) {
    await call(id);
  }
  await call("transferCollection", { body: { organization: second } });
  await call("deleteCollectionById");
}

await organization();
await content();
await site();
await integration();
await git();
await gets("");
await removal();

for (const { id } of common.values()) {
  if (!answered.has(id)) {
    found.add(`${id} is not answered`);
  }
}
const lines = readFileSync(deviationsFile, "utf8").split("\n");
const listed = new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
const added = [...found].filter((deviation) => !listed.has(deviation)).sort();
const gone = [...listed].filter((deviation) => !found.has(deviation));
added.forEach((deviation) => console.error(`new: ${deviation}`));
gone.forEach((deviation) => console.error(`no longer: ${deviation}`));
console.log(`${answered.size} of ${common.size} operations answered, ${found.size} deviations`);
process.exitCode = added.length + gone.length > 0 ? 1 : 0;
