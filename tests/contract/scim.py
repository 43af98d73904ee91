"""Checks the SCIM service of a server with scim2-tester: its description, and creating, reading, changing and deleting
users and groups. Reads QUIRE_BASE_URL, and the organization and token of QUIRE_WALK."""

import json
import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server


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
    for result in results:
        if result.status not in (Status.SUCCESS, Status.SKIPPED):
            print(f"{result.status.name} {result.resource_type or ''} {result.title}: {result.reason}")
    counts = {status: sum(result.status == status for result in results) for status in Status}
    print("; ".join(f"{status.name.lower()} {count}" for status, count in counts.items() if count))
    failed = sum(count for status, count in counts.items() if status.name in ("ERROR", "CRITICAL"))
    return 1 if failed or counts[Status.SUCCESS] < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
