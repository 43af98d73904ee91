// Walks operations of a server with the client that openapi-typescript and openapi-fetch make of docs/openapi.json.
// QUIRE_BASE_URL names the server, QUIRE_WALK is what `quire admin bootstrap` printed.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type Schemas = components["schemas"];
type Answer<T> = { data?: T; error?: unknown; response: Response };

const baseUrl = process.env.QUIRE_BASE_URL ?? "";
const walk: { organization: string; user: string; token: string } = JSON.parse(process.env.QUIRE_WALK ?? "{}");
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${walk.token}` } });
const organizationId = walk.organization;
const operations = new Set<string>();

/** Counts an operation, and wants a status of it and something of its answer. */
async function step<T>(
  operation: string,
  status: number,
  call: Promise<Answer<T>>,
  holds: (data: T) => boolean = () => true,
): Promise<T> {
  operations.add(operation);
  const { data, error, response } = await call;
  if (response.status !== status) {
    throw new Error(`${operation}: ${response.status} in place of ${status}: ${JSON.stringify(error ?? data)}`);
  }
  if (!holds(data as T)) {
    throw new Error(`${operation}: an unexpected answer: ${JSON.stringify(data)}`);
  }
  return data as T;
}

async function people(): Promise<void> {
  await step("getService", 200, client.GET("/v1"), (service) => Object.keys(service).sort().join() === "build,version");
  await step("getReadiness", 200, client.GET("/readyz"), (health) => health.status === "ok");
  await step("getAuthenticatedUser", 200, client.GET("/v1/user"), (user) => user.id === walk.user);
  await step("listOrganizationsForAuthenticatedUser", 200, client.GET("/v1/orgs"), (list) => list.count === 1);
  const organization = { params: { path: { organizationId } } };
  await step(
    "updateOrganizationById",
    200,
    client.PATCH("/v1/orgs/{organizationId}", { ...organization, body: { title: "Walked", defaultRole: "read" } }),
    (answer) => answer.title === "Walked" && answer.defaultRole === "read" && answer.permissions.admin,
  );
  const query = { order: "asc", sort: "joinedAt", limit: 10 } as const;
  await step(
    "listMembersInOrganizationById",
    200,
    client.GET("/v1/orgs/{organizationId}/members", { params: { path: { organizationId }, query } }),
    (list) => list.items[0]?.user.id === walk.user,
  );
  await step(
    "createOrganizationTeam",
    201,
    client.PUT("/v1/orgs/{organizationId}/teams", { ...organization, body: { title: "Writers (TypeScript)" } }),
    (team) => team.object === "team",
  );
  const token = await step(
    "createApiToken",
    201,
    client.POST("/v1/user/tokens", { body: { label: "walk" } }),
    (token) => token.token?.startsWith("qr_") === true,
  );
  await step(
    "deleteApiToken",
    204,
    client.DELETE("/v1/user/tokens/{tokenId}", { params: { path: { tokenId: token.id } } }),
  );
}

async function spaceInCollection(): Promise<Schemas["Space"]> {
  const organization = { params: { path: { organizationId } } };
  const collection = await step(
    "createCollection",
    201,
    client.POST("/v1/orgs/{organizationId}/collections", { ...organization, body: { title: "Guides" } }),
  );
  const space = await step(
    "createSpace",
    201,
    client.POST("/v1/orgs/{organizationId}/spaces", {
      ...organization,
      body: { title: "Guide", emoji: "🚀", parent: collection.id },
    }),
    (space) => space.visibility === "in-collection" && space.parent === collection.id,
  );
  const path = { spaceId: space.id };
  await step(
    "updateSpaceById",
    200,
    client.PATCH("/v1/spaces/{spaceId}", { params: { path }, body: { title: "The guide" } }),
    (answer) => answer.title === "The guide",
  );
  await step(
    "listSpacesInCollectionById",
    200,
    client.GET("/v1/collections/{collectionId}/spaces", { params: { path: { collectionId: collection.id } } }),
    (list) => list.items.some((found) => found.id === space.id),
  );
  return space;
}

async function content(spaceId: string): Promise<string> {
  const path = { spaceId };
  const changes: Schemas["ContentChange"][] = [
    { operation: "insert_page", title: "Start", document: { markdown: "# First steps\n\nRead **this**.\n" } },
    { operation: "insert_group", title: "More" },
    { operation: "insert_link", title: "Site", target: { kind: "url", url: "https://example.com/" } },
  ];
  await step("updateSpaceContent", 200, client.POST("/v1/spaces/{spaceId}/content", { params: { path }, body: { changes } }));
  const revision = await step(
    "getCurrentRevision",
    200,
    client.GET("/v1/spaces/{spaceId}/content", { params: { path } }),
    (revision) => revision.type === "edits" && revision.pages.map((page) => page.type).join() === "document,group,link",
  );
  const [page, , link] = revision.pages;
  if (page?.type !== "document" || link?.type !== "link" || link.target.kind !== "url") {
    throw new Error(`unexpected pages: ${JSON.stringify(revision.pages)}`);
  }
  await step(
    "getPageById",
    200,
    client.GET("/v1/spaces/{spaceId}/content/page/{pageId}", { params: { path: { spaceId, pageId: page.id } } }),
    (found) => found.type === "document" && found.document?.nodes[1]?.type === "paragraph",
  );
  await step(
    "getPageByPath",
    200,
    client.GET("/v1/spaces/{spaceId}/content/path/{pagePath}", {
      params: { path: { spaceId, pagePath: page.path }, query: { format: "markdown" } },
    }),
    (found) => found.type === "document" && found.markdown?.includes("Read **this**.") === true,
  );
  await step(
    "getRevisionSemanticChanges",
    200,
    client.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/changes", {
      params: { path: { spaceId, revisionId: revision.id }, query: { limit: 2 } },
    }),
    ({ changes, more }) => changes.every((change) => change.type === "page_created") && more === 1,
  );
  await files(spaceId);
  return page.id;
}

async function files(spaceId: string): Promise<void> {
  const path = { spaceId };
  const form = new FormData();
  form.append("file", new Blob(["walked"], { type: "text/plain" }), "walk.txt");
  await step(
    "uploadFilesToSpace",
    201,
    client.POST("/v1/spaces/{spaceId}/content/files", {
      params: { path },
      body: { file: ["walk.txt"] },
      bodySerializer: () => form,
    }),
    (list) => list.items[0]?.name === "walk.txt" && list.items[0].size === 6,
  );
  await step(
    "exportContent",
    200,
    client.GET("/v1/spaces/{spaceId}/content/export", { params: { path }, parseAs: "arrayBuffer" }) as Promise<
      Answer<ArrayBuffer>
    >,
    (archive) => new TextDecoder().decode(archive.slice(0, 2)) === "PK",
  );
}

async function changeRequest(spaceId: string, pageId: string): Promise<void> {
  const { id: changeRequestId, number } = await step(
    "createChangeRequest",
    201,
    client.POST("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId } }, body: { subject: "A walk" } }),
    (request) => request.status === "draft",
  );
  const path = { spaceId, changeRequestId };
  const changes: Schemas["ContentChange"][] = [{ operation: "update_page", page: pageId, title: "Begin" }];
  await step(
    "updateChangeRequestContent",
    200,
    client.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", { params: { path }, body: { changes } }),
  );
  await step(
    "updateChangeRequestById",
    200,
    client.PATCH("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path }, body: { status: "open" } }),
    (request) => request.status === "open" && request.number === number,
  );
  await step(
    "listChangeRequestsForSpace",
    200,
    client.GET("/v1/spaces/{spaceId}/change-requests", { params: { path: { spaceId }, query: { status: "open" } } }),
    (list) => list.items[0]?.id === changeRequestId,
  );
  await step(
    "getChangeRequestChanges",
    200,
    client.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes", { params: { path } }),
    ({ changes: [change] }) => change?.type === "page_edited" && change.attributes.title?.after === "Begin",
  );
  await step(
    "mergeChangeRequest",
    200,
    client.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge", { params: { path } }),
    (merge) => merge.result === "merge",
  );
}

async function discussion(spaceId: string, pageId: string): Promise<void> {
  const comment = await step(
    "postCommentInSpace",
    201,
    client.POST("/v1/spaces/{spaceId}/comments", {
      params: { path: { spaceId } },
      body: { page: pageId, body: { markdown: "Is this right?" } },
    }),
    (comment) => comment.status === "open" && "markdown" in comment.body,
  );
  const path = { spaceId, commentId: comment.id };
  await step(
    "postCommentReplyInSpace",
    201,
    client.POST("/v1/spaces/{spaceId}/comments/{commentId}/replies", { params: { path }, body: { body: { markdown: "Yes." } } }),
    (reply) => reply.object === "comment-reply",
  );
  await step(
    "updateCommentInSpace",
    200,
    client.PUT("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path }, body: { resolved: true, addedReactions: ["👍"] } }),
    (comment) => comment.status === "resolved" && comment.resolvedBy?.id === walk.user,
  );
  await step(
    "listCommentsInSpace",
    200,
    client.GET("/v1/spaces/{spaceId}/comments", { params: { path: { spaceId }, query: { status: "resolved", format: "document" } } }),
    (list) => list.items.every(({ body }) => "document" in body && body.document.object === "document"),
  );
}

async function sites(spaceId: string): Promise<void> {
  const site = await step(
    "createSite",
    201,
    client.POST("/v1/orgs/{organizationId}/sites", {
      params: { path: { organizationId } },
      body: { title: "Docs", visibility: "unlisted", spaces: [spaceId] },
    }),
    (site) => site.siteSpaces === 1 && !site.published,
  );
  const params = { path: { organizationId, siteId: site.id } };
  await step(
    "updateSiteCustomizationById",
    200,
    client.PUT("/v1/orgs/{organizationId}/sites/{siteId}/customization", { params, body: { favicon: { emoji: "🚀" } } }),
    (settings) => settings.ai?.pageLinkSummaries?.enabled === false,
  );
  await step(
    "publishSite",
    200,
    client.POST("/v1/orgs/{organizationId}/sites/{siteId}/publish", { params }),
    (site) => site.published && site.icon?.emoji === "🚀",
  );
  await step(
    "getPublishedContentSite",
    200,
    client.GET("/v1/orgs/{organizationId}/sites/{siteId}/published", { params }),
    ({ structure, scripts }) => structure.type === "siteSpaces" && structure.structure.length === 1 && scripts.length === 0,
  );
}

async function rest(spaceId: string): Promise<void> {
  const path = { spaceId };
  await step(
    "searchSpaceContent",
    200,
    client.GET("/v1/spaces/{spaceId}/search", { params: { path, query: { query: "begin" } } }),
    (list) => list.items[0]?.title === "Begin",
  );
  await step(
    "listSpaceLinks",
    200,
    client.GET("/v1/spaces/{spaceId}/links", { params: { path, query: { status: "ok" } } }),
    (list) => list.stats.total === 1,
  );
  const [organization, source] = [{ organizationId }, { text: '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}' }];
  await step(
    "createOpenAPISpec",
    201,
    client.POST("/v1/orgs/{organizationId}/openapi", { params: { path: organization }, body: { slug: "typescript", source } }),
    (spec) => spec.slug === "typescript" && spec.permissions.edit,
  );
  await step(
    "listAuditLog",
    200,
    client.GET("/v1/orgs/{organizationId}/audit-log", { params: { path: organization, query: { limit: 1 } } }),
    (list) => list.items[0]?.operation === "createOpenAPISpec" && list.next?.page !== undefined,
  );
  const gone = { params: { path } };
  await step("deleteSpaceById", 204, client.DELETE("/v1/spaces/{spaceId}", gone));
  await step("restoreSpace", 200, client.POST("/v1/spaces/{spaceId}/restore", gone), (space) => space.id === spaceId);
}

/** Refusals are typed, and their message says what is wrong. */
async function refusals(): Promise<void> {
  const nowhere = await client.GET("/v1/spaces/{spaceId}", { params: { path: { spaceId: "nowhere" } } });
  const wrong = await client.POST("/v1/orgs/{organizationId}/spaces", {
    params: { path: { organizationId } },
    body: { title: "t".repeat(51) },
  });
  const reasons = [nowhere.error?.error.reason, wrong.error?.error.reason].join();
  if (reasons !== "not-found,invalid-body" || !wrong.error?.error.message.startsWith("The body is not valid: title: ")) {
    throw new Error(`unexpected refusals: ${JSON.stringify([nowhere.error, wrong.error])}`);
  }
}

let failures = 0;
try {
  await people();
  const { id } = await spaceInCollection();
  const page = await content(id);
  await changeRequest(id, page);
  await discussion(id, page);
  await sites(id);
  await rest(id);
  await refusals();
} catch (error) {
  failures = 1;
  console.error(error);
}
console.log(`${operations.size} operations, ${failures} failed`);
process.exitCode = failures > 0 || operations.size < 40 ? 1 : 0;
