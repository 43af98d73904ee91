"""What scripts/check-compatibility refuses and lets pass."""

import importlib.machinery
import importlib.util
import unittest
from copy import deepcopy
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/check-compatibility"
loader = importlib.machinery.SourceFileLoader("check_compatibility", str(SCRIPT))
module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(module)

DOCUMENT = {
    "paths": {
        "/pages": {
            "post": {
                "operationId": "createPage",
                "parameters": [{"in": "query", "name": "limit", "schema": {"type": "integer"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}},
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Page"}}}}
                },
            }
        }
    },
    "components": {
        "schemas": {
            "New": {
                "type": "object",
                "properties": {"title": {"type": "string"}, "kind": {"type": "string", "enum": ["page", "group"]}},
                "required": ["title"],
            },
            "Page": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "kind": {"type": "string", "enum": ["page"]}},
                "required": ["id"],
            },
        }
    },
}


def changed(change):
    document = deepcopy(DOCUMENT)
    change(document, document["paths"]["/pages"]["post"], document["components"]["schemas"])
    return module.Comparison(DOCUMENT, document).run()


class Compatibility(unittest.TestCase):
    def test_additions_are_free(self):
        def change(document, operation, schemas):
            document["paths"]["/files"] = {"get": {"operationId": "listFiles", "responses": {}}}
            operation["parameters"].append({"in": "query", "name": "page", "schema": {"type": "string"}})
            operation["responses"]["202"] = {}
            schemas["New"]["properties"]["icon"] = {"type": "string"}
            schemas["New"]["properties"]["kind"]["enum"].append("link")
            schemas["Page"]["properties"]["icon"] = {"type": "string"}
            schemas["Page"]["properties"]["kind"]["enum"].append("link")
            schemas["Page"]["required"].append("kind")

        self.assertEqual(changed(change), [])

    def test_what_breaks_a_client_is_named(self):
        post = "/pages"
        cases = {
            "POST /pages is gone": lambda document, *_: document["paths"].pop(post),
            "is called makePage now": lambda _, operation, __: operation.update(operationId="makePage"),
            "the query parameter limit is gone": lambda _, operation, __: operation.update(parameters=[]),
            "the query parameter page is required now": lambda _, operation, __: operation["parameters"].append(
                {"in": "query", "name": "page", "required": True, "schema": {}}
            ),
            "needs a body now": lambda _, operation, __: operation["requestBody"].update(required=True),
            "does not answer 201 any more": lambda _, operation, __: operation.update(responses={}),
            "application/json is gone": lambda _, operation, __: operation["responses"]["201"].update(content={}),
            "New: kind is required now": lambda _, __, schemas: schemas["New"]["required"].append("kind"),
            "may not be group any more": lambda _, __, schemas: schemas["New"]["properties"]["kind"]["enum"].pop(),
            "Page: id may be absent now": lambda _, __, schemas: schemas["Page"].update(required=[]),
            "Page: kind is gone": lambda _, __, schemas: schemas["Page"]["properties"].pop("kind"),
            "the type was ['string'] and is ['integer']": lambda _, __, schemas: schemas["Page"]["properties"][
                "id"
            ].update(type="integer"),
        }
        for expected, change in cases.items():
            problems = changed(change)
            self.assertEqual(len(problems), 1, problems)
            self.assertIn(expected, problems[0])


if __name__ == "__main__":
    unittest.main()
