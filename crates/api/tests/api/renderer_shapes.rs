//! Keys that the open-source renderer of the API family reads without checking their presence. A missing one fails
//! every page of a site.

use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

/// Kind of an expected value.
#[derive(Clone, Copy, Debug)]
enum Kind {
    List,
    Object,
    Text,
    Flag,
    Number,
}
use Kind::{Flag, List, Number, Object, Text};

impl Kind {
    fn is_of(self, value: &Value) -> bool {
        match self {
            List => value.is_array(),
            Object => value.is_object(),
            Text => value.is_string(),
            Flag => value.is_boolean(),
            Number => value.is_number(),
        }
    }
}

/// Returns the values at a path, with `*` for each item of a list.
fn values<'v>(value: &'v Value, path: &[&str]) -> Vec<Option<&'v Value>> {
    let Some((first, rest)) = path.split_first() else { return vec![Some(value)] };
    match *first {
        "*" => value.as_array().into_iter().flatten().flat_map(|item| values(item, rest)).collect(),
        key => match value.get(key) {
            Some(inner) => values(inner, rest),
            None => vec![None],
        },
    }
}

/// Checks that paths in a response lead to values. Paths are separated by spaces, and have `.` between their keys.
fn check(operation: &str, answer: &Value, needed: &[(Kind, &str)]) {
    let mut missing = Vec::new();
    for (kind, paths) in needed {
        for path in paths.split_whitespace() {
            let keys: Vec<&str> = path.split('.').collect();
            let found = values(answer, &keys);
            let is_there = |value: &Option<&Value>| value.is_some_and(|value| kind.is_of(value));
            if found.is_empty() || !found.iter().all(is_there) {
                missing.push(format!("{path} ({kind:?})"));
            }
        }
    }
    assert!(missing.is_empty(), "{operation} lacks {missing:#?} in {answer:#}");
}

/// Creates a published site with a section in a group, and a space with a page of each kind.
async fn site(app: &TestApp, admin: &Caller, space: &str) -> String {
    let content = format!("/v1/spaces/{space}/content");
    let changes = json!([
        {"operation": "insert_page", "title": "Start", "document": {"markdown": "# First steps\n\nA harbor.\n"}},
        {"operation": "insert_page", "title": "Empty", "document": {"markdown": ""}},
        {"operation": "insert_group", "title": "More"},
        {"operation": "insert_link", "title": "Elsewhere", "target": {"kind": "url", "url": "https://example.com/"}},
        {"operation": "insert_reusable_content", "title": "Note", "document": {"markdown": "Reused."}},
    ]);
    admin.post(&content, json!({ "changes": changes })).await.expect(200);
    let sites = format!("/v1/orgs/{}/sites", app.organization);
    let body = json!({"title": "Docs", "visibility": "unlisted", "spaces": [space]});
    let site = format!("{sites}/{}", admin.post(&sites, body).await.expect(201).text("/id"));
    let other = admin.post(&format!("/v1/orgs/{}/spaces", app.organization), json!({})).await.expect(201);
    let section = json!({"spaceId": other.text("/id"), "title": "Other"});
    let section = admin.post(&format!("{site}/sections"), section).await.expect(201).text("/id");
    let group = json!({"title": "Group", "sections": [section]});
    admin.post(&format!("{site}/section-groups"), group).await.expect(201);
    admin.post_empty(&format!("{site}/publish")).await.expect(200);
    site
}

#[actix_web::test]
async fn answers_have_the_keys_that_a_renderer_reads() {
    let app = TestApp::start().await;
    let (space, admin) = app.space().await;
    let site = site(&app, &admin, &space).await;

    let published = admin.get(&format!("{site}/published")).await.expect(200).json;
    check(
        "getPublishedContentSite",
        &published,
        &[
            (Object, "site structure customizations customizations.site customizations.siteSpaces site.urls"),
            (
                Text,
                "site.id site.title site.visibility site.urls.published structure.type structure.structure.*.id",
            ),
            (List, "scripts structure.structure"),
        ],
    );
    let in_groups: Vec<Value> = published["structure"]["structure"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|item| match item["object"].as_str() {
            Some("site-section-group") => {
                check(
                    "site-section-group",
                    item,
                    &[(List, "children sections"), (Text, "id title"), (Flag, "draft")],
                );
                item["children"].as_array().unwrap().clone()
            }
            _ => vec![item.clone()],
        })
        .collect();
    check(
        "site-section",
        &Value::from(in_groups),
        &[
            (Text, "*.object *.id *.title *.path *.urls.published"),
            (List, "*.siteSpaces"),
            (Flag, "*.draft *.siteSpaces.*.draft"),
            (Object, "*.siteSpaces.*.space *.siteSpaces.*.space.urls *.siteSpaces.*.space.permissions"),
            (
                Text,
                "*.siteSpaces.*.id *.siteSpaces.*.title *.siteSpaces.*.path *.siteSpaces.*.urls.published",
            ),
            (Text, "*.siteSpaces.*.space.id *.siteSpaces.*.space.title *.siteSpaces.*.space.revision"),
            (Text, "*.siteSpaces.*.space.organization *.siteSpaces.*.space.visibility"),
        ],
    );
    check(
        "customization",
        &published["customizations"]["site"],
        &[
            (
                Object,
                "styling internationalization favicon header footer themes feedback ai advancedCustomization",
            ),
            (Object, "trademark externalLinks pagination pageActions privacyPolicy socialPreview insights"),
            (Object, "styling.primaryColor styling.infoColor styling.successColor styling.warningColor"),
            (
                Object,
                "styling.dangerColor styling.sidebar styling.codeTheme.default styling.codeTheme.openapi",
            ),
            (List, "header.links footer.groups pageActions.items socialAccounts"),
            (
                Text,
                "styling.theme styling.corners styling.depth styling.links styling.font styling.monospaceFont",
            ),
            (
                Text,
                "styling.background styling.icons styling.search styling.sidebar.background styling.sidebar.list",
            ),
            (Text, "internationalization.locale header.preset themes.default ai.mode externalLinks.target"),
            (Flag, "themes.toggeable feedback.enabled advancedCustomization.enabled pagination.enabled"),
            (Flag, "trademark.enabled insights.trackingCookie"),
        ],
    );

    let url = published["site"]["urls"]["published"].clone();
    let lookup = app.anonymous().post("/v1/urls/published", json!({ "url": url })).await.expect(200);
    check(
        "resolvePublishedContentByUrl",
        &lookup.json,
        &[
            (Text, "organization site siteSpace siteSection space pathname basePath siteBasePath apiToken"),
            (Text, "canonicalUrl"),
            (Flag, "complete"),
        ],
    );

    let revision = admin.get(&format!("/v1/spaces/{space}/content?metadata=true")).await.expect(200).json;
    check(
        "getRevisionById",
        &revision,
        &[
            (List, "pages files reusableContents tags parents"),
            (Text, "id pages.*.id pages.*.title pages.*.type reusableContents.*.id reusableContents.*.title"),
        ],
    );
    let of_type = |kind: &str| {
        let pages = revision["pages"].as_array().unwrap().iter();
        Value::from(pages.filter(|page| page["type"] == kind).cloned().collect::<Vec<_>>())
    };
    let document = [
        (List, "*.pages *.tags"),
        (Text, "*.slug *.path"),
        (Object, "*.layout *.urls"),
        (
            Flag,
            "*.layout.cover *.layout.title *.layout.description *.layout.tableOfContents *.layout.outline",
        ),
        (Flag, "*.layout.pagination *.layout.metadata *.layout.tags *.layout.actions"),
        (Text, "*.layout.width *.layout.coverSize *.layout.coverMask"),
    ];
    check("document page", &of_type("document"), &document);
    check("group page", &of_type("group"), &[(List, "*.pages"), (Text, "*.slug *.path")]);
    check("link page", &of_type("link"), &[(Object, "*.target")]);
    let start = revision["pages"][0]["id"].as_str().unwrap();
    let base = format!("/v1/spaces/{space}/revisions/{}", revision["id"].as_str().unwrap());
    for path in [format!("{base}/page/{start}"), format!("{base}/path/start")] {
        let page = admin.get(&path).await.expect(200).json;
        check("getPageInRevisionById", &json!([page]), &document);
    }
    let read = admin.get(&format!("{base}/page/{start}/document")).await.expect(200).json;
    check(
        "getPageDocumentInRevisionById",
        &read,
        &[(Text, "object nodes.*.object nodes.*.type"), (List, "nodes")],
    );

    let body = json!({"query": "harbor", "mode": "all"});
    let found = admin.post(&format!("{site}/search"), body).await.expect(200).json;
    check(
        "searchSiteContent",
        &found,
        &[
            (List, "items items.*.pages items.*.pages.*.ancestors items.*.pages.*.sections"),
            (Text, "items.*.type items.*.id items.*.title items.*.pages.*.id items.*.pages.*.title"),
            (Text, "items.*.pages.*.path items.*.pages.*.description items.*.pages.*.urls.app"),
            (
                Number,
                "items.*.score items.*.pages.*.score items.*.pages.*.rank items.*.pages.*.sections.*.score",
            ),
            (
                Text,
                "items.*.pages.*.sections.*.id items.*.pages.*.sections.*.title items.*.pages.*.sections.*.body",
            ),
        ],
    );

    let specs = format!("/v1/orgs/{}/openapi", app.organization);
    let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}"#;
    admin.post(&specs, json!({"slug": "pets", "source": {"text": text}})).await.expect(201);
    app.run_jobs().await;
    let content = admin.get(&format!("{specs}/pets/versions/latest/content")).await.expect(200).json;
    check(
        "getLatestOpenAPISpecVersionContent",
        &content,
        &[
            (List, "filesystem filesystem.*.references"),
            (Object, "urls filesystem.*.specification"),
            (Flag, "filesystem.*.isEntrypoint"),
            (Text, "filesystem.*.dir filesystem.*.filename urls.source"),
        ],
    );
}
