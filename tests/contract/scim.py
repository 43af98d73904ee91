"""Checks the SCIM service of a server with scim2-tester: its description, and creating, reading, changing and deleting
users and groups. Reads QUIRE_BASE_URL, and the organization and token of QUIRE_WALK."""

import json
import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

# Checks that the service is known not to pass, with the beginning of the reason.
KNOWN = {
    # A user without `active` is active.
    "check_remove_attribute": "PATCH modify() did not remove attribute 'active'",
    # The server adds the name of a member (`display`), which the check did not send.
    "check_add_attribute": "PATCH modify() returned unexpected value for 'members'",
    "check_replace_attribute": "PATCH modify() returned unexpected value for 'members'",
    # `POST …/.search` is optional (RFC 7644, 3.4.3), and not offered.
    "search_with_attributes": "The resource does not exist",
}


def main() -> int:
    base = os.environ["QUIRE_BASE_URL"]
    walk = json.loads(os.environ["QUIRE_WALK"])
    path = f"{base}/v1/orgs/{walk['organization']}/scim"
    headers = {"Authorization": f"Bearer {walk['token']}"}
    made = httpx2.post(path, headers=headers, json={"defaultRole": "read"})
    made.raise_for_status()
    scim = made.json()
    client = httpx2.Client(base_url=scim["urls"]["service"], headers={"Authorization": f"Bearer {scim['token']}"})
    results = check_server(SyncSCIMClient(client))
    known = [result for result in results if is_known(result)]
    results = [result for result in results if not is_known(result)]
    for result in results:
        if result.status not in (Status.SUCCESS, Status.SKIPPED):
            print(f"{result.status.name} {result.resource_type or ''} {result.title}: {result.reason}")
    counts = {status: sum(result.status == status for result in results) for status in Status}
    shown = [f"{status.name.lower()} {count}" for status, count in counts.items() if count]
    print("; ".join([*shown, f"known deviations {len(known)}"]))
    failed = sum(count for status, count in counts.items() if status.name in ("ERROR", "CRITICAL"))
    return 1 if failed or counts[Status.SUCCESS] < 20 else 0


def is_known(result) -> bool:
    reason = KNOWN.get(result.title)
    return reason is not None and result.status == Status.ERROR and (result.reason or "").startswith(reason)


if __name__ == "__main__":
    sys.exit(main())
