//! OpenAPI specifications in books: computed pages in place of their placeholders, and OpenAPI blocks.

use quire_domain::Role;
use quire_domain::ids::PageId;
use quire_importer::fetch::FetchConfig;
use quire_markup::{BlockKind, Document, anchors};
use quire_revision::PageKind;
use quire_storage::content::change_requests::ChangeRequestKey;
use quire_storage::content::store::ContentSelector;
use quire_test_support::Caller;
use serde_json::{Value, json};

use super::{BASE, ECHO, Fixture, address, book, serve, titles};

const PETS: &str = include_str!("../../../../markup/tests/openapi/pets.yaml");

impl Fixture {
    /// Gives the organization a specification and processes it.
    async fn specify(&self, slug: &str, source: Value) {
        let path = format!("/v1/orgs/{}/openapi/{slug}", self.app.organization);
        let put = self.admin.put(&path, json!({"source": source})).await;
        assert!(put.status.is_success(), "{}", put.json);
        self.app.run_jobs().await;
        assert!(!self.admin.get(&path).await.expect(200).text("/lastVersion").is_empty());
    }

    /// Adds a placeholder for a specification after the pages.
    fn add_placeholder(&self, spec: &str, models: bool) -> PageId {
        self.place(spec, json!({"models": models}))
    }

    /// Adds a placeholder with these properties after the pages.
    fn place(&self, spec: &str, props: Value) -> PageId {
        let source = json!({"type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": spec}}},
            "props": props});
        let edited = self.app.edit(&self.admin, self.space, ContentSelector::Space, |content| {
            let kind = PageKind::Computed { source: source.clone(), seed: "s".to_owned() };
            content.insert(None, kind, "API", "", None)
        });
        edited.1
    }

    fn write(&self, markdown: &str) {
        self.app.edit(&self.admin, self.space, ContentSelector::Space, |content| {
            content.write(self.home, markdown);
        });
    }

    /// Returns the pages of the API, each followed by its subpages.
    async fn pages(&self) -> Vec<Value> {
        fn flat(pages: &Value, into: &mut Vec<Value>) {
            for page in pages.as_array().unwrap() {
                into.push(page.clone());
                if let Some(below) = page.get("pages") {
                    flat(below, into);
                }
            }
        }
        let path = format!("/v1/spaces/{}/content/pages", self.space);
        let mut pages = Vec::new();
        flat(self.admin.get(&path).await.expect(200).at("/pages"), &mut pages);
        pages
    }

    async fn document(&self, page: &Value) -> Value {
        let path = format!(
            "/v1/spaces/{}/content/page/{}?format=document",
            self.space,
            page["id"].as_str().unwrap()
        );
        self.admin.get(&path).await.expect(200).at("/document").clone()
    }
}

/// Returns the pages of a book after the fixture's own pages.
fn behind(book: &Value) -> Vec<(&str, u64)> {
    titles(book).split_off(4)
}

/// Returns the document of the first page.
fn home(book: &Value) -> Document {
    Document::from_json(&book["pages"][0]["document"]).unwrap()
}

/// Returns a specification with this many operations, each with this many parameters.
fn large(operations: usize, parameters: usize) -> Value {
    let parameters: Vec<Value> =
        (0..parameters).map(|number| json!({"name": format!("p{number}"), "in": "query"})).collect();
    let paths: serde_json::Map<String, Value> = (0..operations)
        .map(|number| {
            (format!("/things/{number:03}"), json!({"get": {"tags": ["all"], "parameters": parameters}}))
        })
        .collect();
    json!({"text": json!({"openapi": "3.1.0", "info": {"title": "Large"}, "paths": paths}).to_string()})
}

#[actix_web::test]
async fn computed_pages_take_the_position_of_their_placeholder() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("pets", json!({"text": PETS})).await;
    fixture.add_placeholder("pets", true);
    let pages = fixture.pages().await;
    let by_title = |title: &str| pages.iter().find(|page| page["title"] == title).unwrap();
    let id = |title: &str| by_title(title)["id"].as_str().unwrap().to_owned();
    fixture.write(&format!("[list](/pages/{})", id("pets")));
    let book = fixture.book("").await;
    let expected = [("Pets & Co", 0), ("owners", 0), ("pets", 0), ("Default", 0), ("Models", 0)];
    assert_eq!(behind(&book), expected);
    let in_book = &book["pages"].as_array().unwrap()[4..];
    let shown = |page: &Value| page["document"].to_string();
    assert_eq!(in_book[0]["document"], fixture.document(by_title("Pets & Co")).await);
    // Blocks of operations and models show the whole content of the specification.
    let list = &in_book[2];
    for words in
        ["The pets themselves.", "GET /pets", "Query parameters", "limit", "X-Trace", "A page of pets"]
    {
        assert!(shown(list).contains(words), "{words}");
    }
    assert!(shown(&in_book[4]).contains("What it is called"));
    // Links between them, and links of stored pages, lead to pages of the book.
    assert!(shown(list).contains(&id("Models")), "an operation leads to its models");
    assert!(shown(&book["pages"][0]).contains(&id("pets")));
    // A second request returns the same document.
    let only = fixture.book(&format!("?page={}", id("pets"))).await;
    assert_eq!(titles(&only), [("pets", 0)]);
    assert_eq!(only["pages"][0]["document"], list["document"]);
    // The link target is not in this book.
    let url = format!("{BASE}/s/{}/{}", fixture.space, by_title("Models")["path"].as_str().unwrap());
    assert_eq!(only["elsewhere"][id("Models")], json!({"title": "Models", "url": url}));
}

#[actix_web::test]
async fn an_operation_with_a_page_has_its_title_once() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("pets", json!({"text": PETS})).await;
    fixture.place("pets", json!({"models": false, "grouping": "by-operation"}));
    let book = fixture.book("").await;
    let expected =
        [("Pets & Co", 0), ("owners", 0), ("getOwner", 1), ("pets", 0), ("List pets", 1), ("List pets", 1)];
    assert_eq!(behind(&book)[..6], expected);
    let list = Document::from_json(&book["pages"][8]["document"]).unwrap();
    assert_eq!(list.nodes[0].kind, BlockKind::Code, "the signature");
    assert!(book["pages"][8]["document"].to_string().contains("A page of pets"));
}

#[actix_web::test]
async fn a_new_version_is_another_book() {
    let fixture = Fixture::new(ECHO).await;
    fixture.add_placeholder("pets", false);
    assert_eq!(behind(&fixture.book("").await), [], "nothing was processed yet");
    fixture.specify("pets", json!({"text": PETS})).await;
    let first = fixture.ask("").await;
    assert_eq!(behind(&fixture.book("").await)[0], ("Pets & Co", 0));
    assert_eq!(fixture.ask("").await, first);
    fixture.specify("pets", json!({"text": PETS.replace("Pets & Co", "More pets")})).await;
    assert_ne!(fixture.ask("").await, first);
    assert_eq!(behind(&fixture.book("").await)[0], ("More pets", 0));
}

#[actix_web::test]
async fn a_page_that_is_gone_when_the_book_is_made_makes_none() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("pets", json!({"text": PETS})).await;
    let holder = fixture.add_placeholder("pets", false);
    let pages = fixture.pages().await;
    let page =
        pages.iter().find(|page| page["title"] == "owners").unwrap()["id"].as_str().unwrap().to_owned();
    let address = fixture.ask(&format!("?page={page}")).await;
    fixture.admin.delete(&format!("/v1/orgs/{}/openapi/pets", fixture.app.organization)).await.expect(204);
    fixture.app.run_jobs().await;
    assert_eq!(fixture.open(&address).await.expect(409).reason(), "pdf-failed");
    let refused = fixture.admin.get(&fixture.path(&format!("?page={page}"))).await.expect(400);
    assert_eq!(refused.fields(), ["page"]);
    // The placeholder counts as a page again.
    fixture.admin.get(&fixture.path(&format!("?page={holder}"))).await.expect(200);
}

#[actix_web::test]
async fn what_is_hidden_stays_hidden() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("pets", json!({"text": PETS})).await;
    let holder = fixture.add_placeholder("pets", false);
    fixture.app.edit(&fixture.admin, fixture.space, ContentSelector::Space, |content| {
        content.change_page(holder, |page| page.hidden = true);
    });
    assert_eq!(behind(&fixture.book("").await), []);
}

#[actix_web::test]
async fn blocks_show_what_the_pages_of_the_specification_say() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("pets", json!({"text": PETS})).await;
    let hooks = json!({"openapi": "3.1.0", "info": {"title": "Hooks"}, "paths": {},
        "webhooks": {"born": {"post": {"summary": "A pet is born", "description": "Told at once."}}}});
    fixture.specify("hooks", json!({"text": hooks.to_string()})).await;
    fixture.add_placeholder("pets", true);
    let pages = fixture.pages().await;
    let of = |title: &str| pages.iter().find(|page| page["title"] == title).unwrap();
    fixture.write(
        "# Words\n\n- Listed:\n\n  {% openapi-operation spec=\"pets\" path=\"/pets\" method=\"GET\" %}\n\n\
         {% openapi-webhook spec=\"hooks\" name=\"born\" method=\"post\" %}\n\n\
         {% openapi-schemas spec=\"pets\" schemas=\"Pet,Absent\" %}\n\n\
         {% openapi-operation spec=\"pets\" path=\"/none\" method=\"get\" %}\n\n\
         {% openapi-operation spec=\"absent\" path=\"/pets\" method=\"get\" %}\n\n## Responses\n\nMine.",
    );
    let book = fixture.book("").await;
    let document = home(&book);
    let kinds: Vec<BlockKind> = document.nodes.iter().map(|block| block.kind).collect();
    assert_eq!(
        kinds[..4],
        [BlockKind::Heading1, BlockKind::ListUnordered, BlockKind::Heading1, BlockKind::Code]
    );
    let item = document.nodes[1].child_blocks()[0].child_blocks();
    assert_eq!((item[1].kind, item[2].kind), (BlockKind::Heading1, BlockKind::Code));
    let text = book["pages"][0]["document"].to_string();
    let words = [
        "List pets",
        "GET /pets",
        "Query parameters",
        "limit",
        "A pet is born",
        "POST born",
        "Told at once.",
        "What it is called",
        "Mine.",
    ];
    let mut rest = text.as_str();
    for words in words {
        rest = rest.split_once(words).unwrap_or_else(|| panic!("{words} in {rest}")).1;
    }
    // Names of models link to their page in the book.
    assert!(text.contains(of("Models")["id"].as_str().unwrap()));
    // Blocks with missing targets keep their names, and links to headings keep their targets.
    let left: Vec<&str> = document
        .nodes
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::OpenApiOperation | BlockKind::OpenApiSchemas))
        .map(|block| block.str("path").unwrap_or_else(|| block.data["schemas"][0].as_str().unwrap()))
        .collect();
    assert_eq!(left, ["Absent", "/none", "/pets"]);
    let anchors = anchors(&document);
    assert_eq!(
        (anchors.first().map(String::as_str), anchors.last().map(String::as_str)),
        (Some("words"), Some("responses"))
    );
    assert!(anchors[1].starts_with("openapi.pets."), "{anchors:?}");
}

#[actix_web::test]
async fn blocks_that_name_a_file_or_an_address_show_the_specification_of_that_source() {
    let fetch = FetchConfig { allow: vec!["127.0.0.1".parse().unwrap()], ..FetchConfig::default() };
    let fixture = Fixture::fetching(ECHO, fetch).await;
    let url = format!("{}/pets.yaml", serve("application/yaml", PETS.as_bytes(), 1));
    let (_, file) = fixture.app.edit(&fixture.admin, fixture.space, ContentSelector::Space, |content| {
        let file = content.file("pets.yaml", "application/yaml", PETS.as_bytes());
        let other = content.file("other.yaml", "application/yaml", b"other");
        let block =
            |source: &str| format!("{{% openapi src=\"{source}\" path=\"/pets\" method=\"get\" %}}\n\n");
        let sources = [url.clone(), format!("/files/{file}"), format!("/files/{other}")];
        content.write(fixture.home, &sources.iter().map(|source| block(source)).collect::<String>());
        file
    });
    let unknown = fixture.book("").await;
    assert_eq!(home(&unknown).nodes.len(), 3);
    // The URL was not fetched as an image either: the server responds only once.
    fixture.specify("pets", json!({"url": url})).await;
    let book = fixture.book("").await;
    let document = home(&book);
    let count = |kind: BlockKind| document.nodes.iter().filter(|block| block.kind == kind).count();
    assert_eq!((count(BlockKind::Heading1), count(BlockKind::Swagger)), (2, 1));
    assert!(book["files"].get(file.to_string()).is_none(), "nothing leads to the file any more");
}

#[actix_web::test]
async fn specifications_of_others_are_not_shown() {
    let fixture = Fixture::new(ECHO).await;
    let elsewhere = fixture.app.create_organization("Elsewhere");
    let stranger = fixture.app.member_of(elsewhere, Some(Role::Admin));
    let path = format!("/v1/orgs/{elsewhere}/openapi/theirs");
    stranger.put(&path, json!({"source": {"text": PETS}})).await.expect(201);
    fixture.app.run_jobs().await;
    let id = stranger.get(&path).await.expect(200).text("/id");
    for name in ["theirs", &id] {
        fixture.add_placeholder(name, true);
    }
    fixture.app.edit(&fixture.admin, fixture.space, ContentSelector::Space, |content| {
        let file = content.file("pets.yaml", "application/yaml", PETS.as_bytes());
        content.write(
            fixture.home,
            &format!(
                "{{% openapi-operation spec=\"theirs\" path=\"/pets\" method=\"get\" %}}\n\n\
             {{% openapi-schemas spec=\"{id}\" schemas=\"Pet\" %}}\n\n\
             {{% openapi src=\"/files/{file}\" path=\"/pets\" method=\"get\" %}}"
            ),
        );
    });
    let book = fixture.book("").await;
    assert_eq!(behind(&book), []);
    let document = home(&book);
    let kinds: Vec<BlockKind> = document.nodes.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::OpenApiOperation, BlockKind::OpenApiSchemas, BlockKind::Swagger]);
}

#[actix_web::test]
async fn a_book_costs_the_same_for_few_operations_and_for_many() {
    let mut costs = Vec::new();
    for operations in [1, 40, 90] {
        let fixture = Fixture::new(ECHO).await;
        fixture.specify("things", large(operations, 1)).await;
        fixture.add_placeholder("things", false);
        let text: String = (0..operations)
            .map(|number| {
                format!(
                    "{{% openapi-operation spec=\"things\" path=\"/things/{number:03}\" method=\"get\" %}}\n\n"
                )
            })
            .collect();
        fixture.write(&text);
        fixture.ask("").await;
        let before = fixture.app.statements();
        fixture.app.run_jobs().await;
        costs.push(fixture.app.statements() - before);
        let book = fixture.book("").await;
        assert_eq!(behind(&book).len(), 2);
        assert_eq!(
            home(&book).nodes.iter().filter(|block| block.kind == BlockKind::Heading1).count(),
            operations
        );
    }
    assert_eq!(costs[0], costs[1]);
    // The next few dozen blocks take one more statement.
    assert_eq!(costs[2], costs[0] + 1);
}

#[actix_web::test]
async fn operations_that_a_book_has_no_room_for_are_named() {
    let fixture = Fixture::new(ECHO).await;
    fixture.specify("things", large(60, 500)).await;
    fixture.add_placeholder("things", false);
    let book = fixture.book("").await;
    let document = Document::from_json(&book["pages"][5]["document"]).unwrap();
    let count = |kind: BlockKind| document.nodes.iter().filter(|block| block.kind == kind).count();
    let (shown, left_out) = (count(BlockKind::Heading1), count(BlockKind::OpenApiOperation));
    assert_eq!(shown + left_out, 60);
    assert!(shown > 10 && left_out > 0, "{shown}");
    assert_eq!(document.nodes.last().unwrap().str("path"), Some("/things/059"));
}

#[actix_web::test]
async fn a_guest_is_shown_what_the_current_content_shows() {
    let fixture = Fixture::new(ECHO).await;
    let url = json!({"text": PETS});
    fixture.specify("pets", url).await;
    let change_request = fixture.app.create_change_request(&fixture.admin, fixture.space);
    let draft = ContentSelector::ChangeRequest(ChangeRequestKey::Id(change_request));
    fixture.app.edit(&fixture.admin, fixture.space, draft, |content| {
        let source = json!({"type": "builtin:openapi", "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "pets"}}},
            "props": {"models": false}});
        let kind = PageKind::Computed { source, seed: "s".to_owned() };
        content.insert(None, kind, "API", "", None);
        let file = content.file("pets.yaml", "application/yaml", PETS.as_bytes());
        content.write(
            fixture.home,
            &format!(
                "{{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" %}}\n\n\
                 {{% openapi src=\"/files/{file}\" path=\"/pets\" method=\"get\" %}}"
            ),
        );
    });
    let guest = fixture.app.member_of(fixture.app.organization, None);
    fixture.app.grant(&guest, &fixture.space.to_string(), Role::Read);
    let path = format!("/v1/spaces/{}/change-requests/{change_request}/pdf", fixture.space);
    let shown = async |caller: &Caller| {
        let address = address(&caller.get(&path).await.expect(200));
        fixture.app.run_jobs().await;
        let book = book(&fixture.open(&address).await.expect(200));
        let headings = home(&book).nodes.iter().filter(|block| block.kind == BlockKind::Heading1).count();
        (behind(&book).len(), headings)
    };
    // A PDF for one caller is not given to the other, although the content is the same.
    assert_eq!(shown(&fixture.admin).await, (4, 2));
    assert_eq!(shown(&guest).await, (0, 0));
    assert_eq!(shown(&fixture.admin).await, (4, 2));
    fixture.add_placeholder("pets", false);
    assert_eq!(shown(&guest).await, (4, 2));
}
