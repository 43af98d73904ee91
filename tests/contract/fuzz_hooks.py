"""Hooks of schemathesis: real ids in the paths and bodies of the requests that it makes.

QUIRE_BASE_URL names the server, QUIRE_WALK is what `quire admin bootstrap` printed, QUIRE_FUZZ_PEOPLE the ids of other
members of the organization, separated by commas, QUIRE_FUZZ_REVIEWER the token of the first of them.
"""

import io
import json
import os
import random
import sys
import threading
import time
from typing import Any

import requests
import schemathesis

BASE = os.environ["QUIRE_BASE_URL"]
WALK = json.loads(os.environ["QUIRE_WALK"])
# The first reviews; requests only change the others.
PEOPLE = [person for person in os.environ.get("QUIRE_FUZZ_PEOPLE", "").split(",") if person]
TOKEN = WALK["token"]
ORG = WALK["organization"]
# Authors can't review their own change requests.
REVIEWER = {"Authorization": f"Bearer {os.environ.get('QUIRE_FUZZ_REVIEWER', '')}"}
# Resources are replaced after so many requests, since requests change them: a change request is merged, a page deleted.
USES = 60
# An address that never leads anywhere: generated addresses could belong to someone.
NOWHERE = "https://docs.invalid/"
DICE = random.Random(1)

session = requests.Session()
session.headers["Authorization"] = f"Bearer {TOKEN}"
numbers = iter(range(1, 1 << 40))


def call(method: str, path: str, body: Any = None, **arguments: Any) -> Any:
    """Sends a request that makes a resource. It must succeed."""
    response = session.request(method, BASE + path, json=body, timeout=60, **arguments)
    if not response.ok:
        raise AssertionError(f"{method} {path}: {response.status_code} {response.text[:500]}")
    return response.json() if response.content else None


def make_space() -> dict[str, str]:
    number = next(numbers)
    space = call("POST", f"/v1/orgs/{ORG}/spaces", {"title": f"Fuzz {number}"})["id"]
    files = call("POST", f"/v1/spaces/{space}/content/files", files={"file": ("a.txt", io.BytesIO(b"walked"), "text/plain")})
    changes = [
        {"operation": "insert_page", "title": "Start", "document": {"markdown": "# Start\n\nRead **this**.\n"}},
        {"operation": "insert_page", "title": "Next", "document": {"markdown": "[Start](start.md)\n"}},
        {"operation": "insert_reusable_content", "title": "Shared", "document": {"markdown": "Shared text.\n"}},
    ]
    call("POST", f"/v1/spaces/{space}/content", {"changes": changes})
    content = call("GET", f"/v1/spaces/{space}/content")
    page = content["pages"][0]
    pages = f"/v1/spaces/{space}/content/page/{page['id']}"
    request = call("POST", f"/v1/spaces/{space}/change-requests", {"subject": "Fuzz"})["id"]
    of_request = f"/v1/spaces/{space}/change-requests/{request}"
    call("POST", f"{of_request}/content", {"changes": [{"operation": "insert_page", "title": "Proposed", "document": {"markdown": "Text."}}]})
    comment = {"body": {"markdown": "A comment"}}
    made = {
        "spaceId": space,
        "pageId": page["id"],
        "pagePath": page["path"],
        "revisionId": content["id"],
        "fileId": files["items"][0]["id"],
        "reusableContentId": content["reusableContents"][0]["id"],
        "changeRequestId": request,
        "documentId": call("GET", pages).get("documentId", ""),
    }
    for name, where in (("space", f"/v1/spaces/{space}"), ("request", of_request)):
        made[f"{name} commentId"] = of = call("POST", f"{where}/comments", comment)["id"]
        made[f"{name} commentReplyId"] = call("POST", f"{where}/comments/{of}/replies", comment)["id"]
    call("POST", f"/v1/spaces/{space}/permissions", {"role": "review", "users": PEOPLE[:1]})
    call("POST", f"{of_request}/requested-reviewers", {"users": PEOPLE[:1]})
    made["reviewId"] = call("POST", f"{of_request}/reviews", {"status": "approved"}, headers=REVIEWER)["id"]
    return made


def make_collection() -> dict[str, str]:
    made = call("POST", f"/v1/orgs/{ORG}/collections", {"title": f"Fuzz {next(numbers)}"})["id"]
    call("POST", f"/v1/collections/{made}/permissions", {"role": "review", "users": PEOPLE[:1]})
    return {"collectionId": made}


def make_site() -> dict[str, str]:
    spaces = [call("POST", f"/v1/orgs/{ORG}/spaces", {"title": f"Site {next(numbers)}"})["id"] for _ in range(4)]
    site = call("POST", f"/v1/orgs/{ORG}/sites", {"title": "Fuzz", "visibility": "share-link", "spaces": spaces[:1]})["id"]
    of = f"/v1/orgs/{ORG}/sites/{site}"
    made = {"siteId": site}
    section = call("POST", f"{of}/sections", {"spaceId": spaces[1]})
    made["siteSectionId"] = section["id"]
    grouped = call("POST", f"{of}/sections", {"spaceId": spaces[2]})["id"]
    made["siteSectionGroupId"] = call("POST", f"{of}/section-groups", {"title": "Group", "sections": [grouped]})["id"]
    made["grouped siteSectionId"] = grouped
    made["siteSpaceId"] = call("GET", f"{of}/site-spaces")["items"][0]["id"]
    redirect = {"source": f"/old-{next(numbers)}", "destination": {"kind": "external", "url": NOWHERE}}
    made["siteRedirectId"] = call("POST", f"{of}/redirects", redirect)["id"]
    made["shareLinkId"] = call("POST", f"{of}/share-links", {"name": "Fuzz"})["id"]
    call("POST", f"{of}/publish")
    return made


def make_webhook() -> dict[str, str]:
    of = f"/v1/orgs/{ORG}/webhooks"
    hook = call("POST", of, {"url": NOWHERE, "events": ["space_content_updated"]})["id"]
    call("POST", f"{of}/{hook}/ping")
    deliveries = call("GET", f"{of}/{hook}/deliveries")["items"]
    return {"webhookId": hook, "deliveryId": deliveries[0]["id"]}


def make_spec() -> dict[str, str]:
    of, slug = f"/v1/orgs/{ORG}/openapi", f"spec-{next(numbers)}"
    text = '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}'
    call("POST", of, {"slug": slug, "source": {"text": text}})
    made = {"specSlug": slug}
    # A job reads the text.
    for _ in range(20):
        if versions := call("GET", f"{of}/{slug}/versions")["items"]:
            return {**made, "versionId": versions[0]["id"]}
        time.sleep(0.1)
    return made


def make_integration() -> dict[str, str]:
    name = f"fuzz-{next(numbers)}"
    script = "addEventListener('fetch', () => {})"
    body = {"title": "Fuzz", "description": "Fuzz", "scopes": [], "script": script, "organization": ORG}
    of = f"/v1/integrations/{name}"
    call("POST", of, body)
    return {"integrationName": name, "installationId": call("POST", f"{of}/installations", {"organization": ORG})["id"]}


def make_git_installation() -> dict[str, str]:
    space = call("POST", f"/v1/orgs/{ORG}/spaces", {"title": f"Git {next(numbers)}"})["id"]
    body = {"provider": "git", "target": {"type": "space", "spaceId": space}}
    return {"gitInstallationId": call("POST", "/v1/git/installations", body)["id"]}


def make_email_invite() -> dict[str, str]:
    of = f"/v1/orgs/{ORG}/invites"
    call("POST", of, {"emails": [f"invited-{next(numbers)}@example.com"], "role": "read"})
    return {"inviteId": call("GET", of)["items"][-1]["id"]}


def make_one(parameter: str, method: str, path: str, body: Any, key: str = "id") -> Any:
    """A maker of a resource that takes one request. `#` in the body is a number."""

    def make() -> dict[str, str]:
        text = json.dumps(body).replace("#", str(next(numbers)))
        return {parameter: call(method, path, json.loads(text))[key]}

    return make


class Kept:
    """Resources of one kind, replaced after some uses and by requests that remove them."""

    def __init__(self, make: Any) -> None:
        self.make, self.made, self.uses, self.lock = make, {}, 0, threading.Lock()

    def attempt(self) -> dict[str, str]:
        """Makes a resource. Requests may have changed what this needs; then ids stay as they were generated."""
        try:
            return self.make()
        except (AssertionError, IndexError, KeyError, requests.RequestException) as error:
            print(f"fuzz: {self.make.__name__}: {error}", file=sys.stderr)
            return {}

    def take(self, removing: bool) -> dict[str, str]:
        with self.lock:
            if removing:
                return self.attempt()
            if not self.made or self.uses >= USES:
                self.made, self.uses = self.attempt(), 0
            self.uses += 1
            return self.made


SPACE, COLLECTION, SITE = Kept(make_space), Kept(make_collection), Kept(make_site)
TEAM = Kept(make_one("teamId", "PUT", f"/v1/orgs/{ORG}/teams", {"title": "Team #", "members": PEOPLE[:1]}))
LINK = Kept(make_one("inviteId", "POST", f"/v1/orgs/{ORG}/link-invites", {"role": "read"}))
# Resources of the organization and the user, by the parameter that names them.
OTHERS = {
    "teamId": TEAM,
    "webhookId": Kept(make_webhook),
    "specSlug": Kept(make_spec),
    "integrationName": Kept(make_integration),
    "gitInstallationId": Kept(make_git_installation),
    "inviteId": Kept(make_email_invite),
    "oidcProviderId": Kept(
        make_one(
            "oidcProviderId",
            "POST",
            f"/v1/orgs/{ORG}/oidc",
            {"label": "Oidc #", "issuer": "https://id.example.com", "clientID": "quire", "clientSecret": "secret"},
        )
    ),
    "samlProviderId": Kept(make_one("samlProviderId", "POST", f"/v1/orgs/{ORG}/saml", {"label": "Saml #"})),
    "fieldName": Kept(
        make_one("fieldName", "POST", f"/v1/orgs/{ORG}/custom-fields", {"name": "field_#", "type": "text"}, "name")
    ),
    "translationSettingsId": Kept(
        make_one("translationSettingsId", "POST", f"/v1/orgs/{ORG}/translations", {"title": "Fuzz"})
    ),
    "tokenId": Kept(make_one("tokenId", "POST", "/v1/user/tokens", {"label": "Fuzz #"})),
}
# Settings of an organization are changed on this one, since they could disable what other requests need.
OTHER_ORG = call("POST", "/v1/orgs", {"title": "Changed"})["id"]


def removes(method: str, path: str) -> bool:
    last = path.rsplit("/", 1)[-1]
    return method == "DELETE" or last in ("merge", "transfer", "unpublish", "register", "accept", "rotate-secret")


def ids(method: str, path: str) -> dict[str, str]:
    """The ids of existing resources for the parameters of a path."""
    removing = removes(method, path)
    found = {"organizationId": ORG, "emailDomain": "example.com", "userId": DICE.choice(PEOPLE[1:])}
    if "{spaceId}" in path:
        found.update(SPACE.take(removing))
        kind = "request" if "{changeRequestId}" in path else "space"
        for name in ("commentId", "commentReplyId"):
            found[name] = found.get(f"{kind} {name}", "")
    if "{collectionId}" in path:
        found.update(COLLECTION.take(removing))
    if "{siteId}" in path:
        found.update(SITE.take(removing))
        if "section-groups" in path:
            found["siteSectionId"] = found.get("grouped siteSectionId", "")
    for name, kept in OTHERS.items():
        if f"{{{name}}}" in path:
            is_link = "link-invites" in path or path.startswith("/v1/invites/")
            found.update((LINK if name == "inviteId" and is_link else kept).take(removing))
    if method == "PATCH" and path == "/v1/orgs/{organizationId}":
        found["organizationId"] = OTHER_ORG
    return found


def settle(value: Any, name: str = "") -> Any:
    """Leads addresses nowhere, leaves the user of all requests alone, and lets most ids in a body name something that exists."""
    if isinstance(value, dict):
        return {key: settle(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [settle(item, name) for item in value]
    if not isinstance(value, str):
        return value
    if "://" in value or value.startswith("//"):
        return NOWHERE
    if value == WALK["user"]:
        return PEOPLE[1]
    if len(value) == 36 and value.count("-") == 4 and DICE.random() < 0.7:
        known = {
            "organization": ORG, "user": PEOPLE[1], "users": PEOPLE[1], "members": PEOPLE[1], "add": PEOPLE[1],
            "space": lambda: SPACE.take(False).get("spaceId"), "spaceId": lambda: SPACE.take(False).get("spaceId"),
            "spaces": lambda: SPACE.take(False).get("spaceId"), "page": lambda: SPACE.take(False).get("pageId"),
            "parent": lambda: COLLECTION.take(False).get("collectionId"),
            "collection": lambda: COLLECTION.take(False).get("collectionId"),
            "siteId": lambda: SITE.take(False).get("siteId"), "sectionId": lambda: SITE.take(False).get("siteSectionId"),
            "sections": lambda: SITE.take(False).get("siteSectionId"), "team": lambda: TEAM.take(False).get("teamId"),
            "teams": lambda: TEAM.take(False).get("teamId"), "files": lambda: SPACE.take(False).get("fileId"),
        }.get(name, value)
        return (known() if callable(known) else known) or value
    return value


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Puts ids of existing resources into three quarters of the paths that aren't wrong on purpose."""
    components = getattr(case.meta, "components", {}) if case.meta else {}
    wrong = {str(getattr(key, "value", key)) for key, info in components.items() if info.mode.is_negative}
    parameters = case.path_parameters
    # Schemathesis takes ids from answers, too: no request may remove the user or the token of all of them.
    risky = bool(parameters) and ("tokenId" in parameters or parameters.get("userId") == WALK["user"])
    if parameters and (risky or ("path" not in wrong and "path_parameters" not in wrong and DICE.random() < 0.75)):
        known = ids(case.method.upper(), case.operation.path)
        for name in list(parameters):
            if known.get(name):
                parameters[name] = known[name]
    # Longer heads of requests are refused before they reach a route.
    for name, value in list((case.query or {}).items()):
        if isinstance(value, str) and len(value) > 2_000:
            case.query[name] = value[:2_000]
    if isinstance(case.body, (dict, list)):
        case.body = settle(case.body)


@schemathesis.check
def no_server_error(context: Any, response: Any, case: Any) -> None:
    """A 5xx is a bug, apart from 503 where the document says that it may be."""
    status = response.status_code
    if status >= 500 and not (status == 503 and "503" in case.operation.definition.raw.get("responses", {})):
        raise AssertionError(f"{status} for {case.method} {case.operation.path}: {response.text[:500]}")
