"""Walks operations of a server with the client that openapi-python-client makes of docs/openapi.json.

QUIRE_BASE_URL names the server, QUIRE_WALK is what `quire admin bootstrap` printed.
"""

import io
import json
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from quire_client import AuthenticatedClient, models
from quire_client.api.audit_log import list_audit_log
from quire_client.api.change_requests import (
    create_change_request,
    get_change_request_changes,
    list_change_requests_for_space,
    merge_change_request,
    update_change_request_by_id,
)
from quire_client.api.collections import create_collection, list_spaces_in_collection_by_id
from quire_client.api.comments import (
    list_comments_in_space,
    post_comment_in_space,
    post_comment_reply_in_space,
    update_comment_in_space,
)
from quire_client.api.content import (
    export_content,
    get_current_revision,
    get_page_by_id,
    get_page_by_path,
    get_revision_semantic_changes,
    update_change_request_content,
    update_space_content,
    upload_files_to_space,
)
from quire_client.api.members import list_members_in_organization_by_id
from quire_client.api.open_api_specifications import create_open_api_spec
from quire_client.api.organizations import list_organizations_for_authenticated_user, update_organization_by_id
from quire_client.api.search import search_space_content
from quire_client.api.service import get_readiness, get_service
from quire_client.api.sites import (
    create_site,
    get_published_content_site,
    publish_site,
    update_site_customization_by_id,
)
from quire_client.api.spaces import (
    create_space,
    delete_space_by_id,
    get_space_by_id,
    list_space_links,
    restore_space,
    update_space_by_id,
)
from quire_client.api.teams import create_organization_team
from quire_client.api.user import create_api_token, delete_api_token, get_authenticated_user
from quire_client.types import File

BASE = os.environ["QUIRE_BASE_URL"]
WALK = json.loads(os.environ["QUIRE_WALK"])
ORGANIZATION = WALK["organization"]
CLIENT = AuthenticatedClient(base_url=BASE, token=WALK["token"], raise_on_unexpected_status=True)
OPERATIONS: set[str] = set()


def step(
    operation: ModuleType,
    status: int,
    *path: str,
    holds: Callable[[Any], bool] = lambda parsed: True,
    **arguments: Any,
) -> Any:
    """Counts an operation, and wants a status of it and something of its answer."""
    name = operation.__name__.rsplit(".", 1)[-1]
    OPERATIONS.add(name)
    response = operation.sync_detailed(*path, client=CLIENT, **arguments)
    if response.status_code != status:
        raise AssertionError(f"{name}: {int(response.status_code)} in place of {status}: {response.content!r}")
    if not holds(response.parsed):
        raise AssertionError(f"{name}: an unexpected answer: {response.parsed!r}")
    return response.parsed


def people() -> None:
    step(get_service, 200, holds=lambda service: service.version and service.build)
    step(get_readiness, 200, holds=lambda health: health.status == "ok")
    step(get_authenticated_user, 200, holds=lambda user: str(user.id) == WALK["user"])
    step(list_organizations_for_authenticated_user, 200, holds=lambda answer: answer.count == 1)
    body = models.OrganizationUpdate(title="Walked", default_role=models.Role.READ)
    step(
        update_organization_by_id,
        200,
        ORGANIZATION,
        body=body,
        holds=lambda answer: answer.title == "Walked" and answer.default_role == "read" and answer.permissions.admin,
    )
    step(
        list_members_in_organization_by_id,
        200,
        ORGANIZATION,
        limit=10,
        holds=lambda answer: str(answer.items[0].user.id) == WALK["user"],
    )
    step(create_organization_team, 201, ORGANIZATION, body=models.TeamCreate(title="Writers (Python)"))
    token = step(
        create_api_token,
        201,
        body=models.ApiTokenCreate(label="walk"),
        holds=lambda token: token.token.startswith("qr_"),
    )
    step(delete_api_token, 204, str(token.id))


def space_in_collection() -> str:
    collection = step(create_collection, 201, ORGANIZATION, body=models.CollectionCreate(title="Guides"))
    body = models.SpaceCreate(title="Guide", emoji="🚀", parent=collection.id)
    space = step(
        create_space,
        201,
        ORGANIZATION,
        body=body,
        holds=lambda space: space.visibility == "in-collection" and space.parent == collection.id,
    )
    space_id = str(space.id)
    step(
        update_space_by_id,
        200,
        space_id,
        body=models.SpaceUpdate(title="The guide"),
        holds=lambda answer: answer.title == "The guide",
    )
    step(
        list_spaces_in_collection_by_id,
        200,
        str(collection.id),
        holds=lambda answer: [str(found.id) for found in answer.items] == [space_id],
    )
    return space_id


def content(space_id: str) -> str:
    changes = [
        {"operation": "insert_page", "title": "Start", "document": {"markdown": "# First steps\n\nRead **this**.\n"}},
        {"operation": "insert_group", "title": "More"},
        {"operation": "insert_link", "title": "Site", "target": {"kind": "url", "url": "https://example.com/"}},
    ]
    step(update_space_content, 200, space_id, body=models.ContentChanges.from_dict({"changes": changes}))
    kinds = [models.DocumentPage, models.GroupPage, models.LinkPage]
    revision = step(
        get_current_revision, 200, space_id, holds=lambda revision: [type(page) for page in revision.pages] == kinds
    )
    page, _, link = revision.pages
    assert isinstance(link.target, models.ContentRefUrl), link
    page_id = str(page.id)
    step(
        get_page_by_id,
        200,
        space_id,
        page_id,
        holds=lambda found: found.document.nodes[1].type_ == models.DocumentBlockType.PARAGRAPH,
    )
    step(
        get_page_by_path,
        200,
        space_id,
        page.path,
        format_=models.GetPageByPathFormat.MARKDOWN,
        holds=lambda found: "Read **this**." in found.markdown,
    )
    step(
        get_revision_semantic_changes,
        200,
        space_id,
        str(revision.id),
        limit=2,
        holds=lambda answer: answer.more == 1
        and all(isinstance(change, models.RevisionChangePageCreated) for change in answer.changes),
    )
    file = File(payload=io.BytesIO(b"walked"), file_name="walk.txt", mime_type="text/plain")
    step(
        upload_files_to_space,
        201,
        space_id,
        body=models.FileUpload(file=[file]),
        holds=lambda answer: [(file.name, file.size) for file in answer.items] == [("walk.txt", 6)],
    )
    step(export_content, 200, space_id, holds=lambda archive: archive.payload.read(2) == b"PK")
    return page_id


def change_request(space_id: str, page_id: str) -> None:
    request = step(
        create_change_request,
        201,
        space_id,
        body=models.ChangeRequestCreate(subject="A walk"),
        holds=lambda request: request.status == "draft",
    )
    request_id = str(request.id)
    changes = [{"operation": "update_page", "page": page_id, "title": "Begin"}]
    body = models.ContentChanges.from_dict({"changes": changes})
    step(update_change_request_content, 200, space_id, request_id, body=body)
    step(
        update_change_request_by_id,
        200,
        space_id,
        request_id,
        body=models.ChangeRequestUpdate(status=models.SettableStatus.OPEN),
        holds=lambda answer: answer.status == "open" and answer.number == request.number,
    )
    step(list_change_requests_for_space, 200, space_id, holds=lambda answer: answer.items[0].id == request.id)
    step(
        get_change_request_changes,
        200,
        space_id,
        request_id,
        holds=lambda answer: answer.changes[0].attributes.title.after == "Begin",
    )
    step(merge_change_request, 200, space_id, request_id, holds=lambda merge: merge.result == "merge")


def discussion(space_id: str, page_id: str) -> None:
    body = models.CommentCreate(body=models.DocumentBodyMarkdown(markdown="Is this right?"), page=page_id)
    comment = step(post_comment_in_space, 201, space_id, body=body, holds=lambda comment: comment.status == "open")
    reply = models.CommentReplyCreate(body=models.DocumentBodyMarkdown(markdown="Yes."))
    step(post_comment_reply_in_space, 201, space_id, str(comment.id), body=reply)
    step(
        update_comment_in_space,
        200,
        space_id,
        str(comment.id),
        body=models.CommentUpdate(resolved=True, added_reactions=["👍"]),
        holds=lambda answer: answer.status == "resolved" and str(answer.resolved_by.id) == WALK["user"],
    )
    step(
        list_comments_in_space,
        200,
        space_id,
        format_=models.ListCommentsInSpaceFormat.DOCUMENT,
        holds=lambda answer: all(isinstance(item.body, models.DocumentBodyDocument) for item in answer.items),
    )


def sites(space_id: str) -> None:
    body = models.SiteCreate(title="Docs", visibility=models.SiteVisibility.UNLISTED, spaces=[space_id])
    site = step(create_site, 201, ORGANIZATION, body=body, holds=lambda site: site.site_spaces == 1)
    path = (ORGANIZATION, str(site.id))
    step(
        update_site_customization_by_id,
        200,
        *path,
        body=models.Customization(favicon=models.CustomizationFavicon(emoji="🚀")),
        holds=lambda settings: settings.ai.page_link_summaries.enabled is False,
    )
    step(publish_site, 200, *path, holds=lambda site: site.published and site.icon.emoji == "🚀")
    step(
        get_published_content_site,
        200,
        *path,
        holds=lambda site: isinstance(site.structure, models.SiteStructureSiteSpaces) and site.scripts == [],
    )


def rest(space_id: str) -> None:
    step(search_space_content, 200, space_id, query="begin", holds=lambda hits: hits.items[0].title == "Begin")
    step(list_space_links, 200, space_id, holds=lambda links: links.stats.total == 1)
    source = models.OpenAPISpecSourceText(text='{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}')
    spec = models.OpenAPISpecCreate(slug="python", source=source)
    step(create_open_api_spec, 201, ORGANIZATION, body=spec, holds=lambda spec: spec.permissions.edit)
    step(
        list_audit_log,
        200,
        ORGANIZATION,
        limit=1,
        holds=lambda log: log.items[0].operation == "createOpenAPISpec" and log.next_.page,
    )
    step(delete_space_by_id, 204, space_id)
    step(restore_space, 200, space_id, holds=lambda space: str(space.id) == space_id)


def refusals() -> None:
    """Refusals are typed, and their message says what is wrong."""
    nowhere = get_space_by_id.sync_detailed("nowhere", client=CLIENT).parsed
    wrong = create_space.sync_detailed(ORGANIZATION, client=CLIENT, body=models.SpaceCreate(title="t" * 51)).parsed
    assert nowhere.error.reason == "not-found", nowhere
    assert wrong.error.message.startswith("The body is not valid: title: "), wrong


def main() -> int:
    failures = 0
    try:
        people()
        space = space_in_collection()
        page = content(space)
        change_request(space, page)
        discussion(space, page)
        sites(space)
        rest(space)
        refusals()
    except Exception as error:
        failures = 1
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    print(f"{len(OPERATIONS)} operations, {failures} failed")
    return 1 if failures or len(OPERATIONS) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
