//! Pages as Markdown files.

use quire_domain::Role;
use quire_markup::{StableRefs, parse_page, plain_text};
use quire_storage::content::store::ContentSelector;
use quire_test_support::TestApp;
use serde_json::json;

#[actix_web::test]
async fn front_matter_says_what_is_said_of_the_page() {
    let app = TestApp::start().await;
    let writer = app.as_role(Role::Admin);
    let space = app.create_space(&writer, "Guide");
    let (_, (file, _)) = app.edit(&writer, space, ContentSelector::Space, |edit| {
        let page = edit.page(None, "Start: here", "Hello.\n\nAgain.");
        let file = edit.file("a.png", "image/png", b"a");
        edit.change_page(page, |page| {
            page.slug = "start".to_owned();
            page.description = Some("Where: to \"begin\"".to_owned());
            page.icon = Some("bolt".to_owned());
            page.cover = Some(Box::new(json!({"ref": {"kind": "file", "file": file}, "yPos": 30.0})));
            page.layout = Some(Box::new(json!({"title": false, "width": "wide", "coverSize": "full"})));
            page.hidden = true;
        });
        (file, page)
    });
    let path = format!("/v1/spaces/{space}/content/path/start?format=markdown");
    let markdown = writer.get(&path).await.expect(200).text("/markdown");
    let read = parse_page(&markdown, &StableRefs);
    assert_eq!(read.title.as_deref(), Some("Start: here"));
    assert_eq!(plain_text(&read.document), "Hello.\nAgain.");
    let front_matter = read.front_matter;
    assert_eq!(front_matter.description.as_deref(), Some("Where: to \"begin\""));
    assert_eq!(front_matter.icon.as_deref(), Some("bolt"));
    assert_eq!(front_matter.cover, Some(format!("/files/{file}")));
    assert_eq!(front_matter.cover_y, Some(30.0));
    assert_eq!((front_matter.hidden, front_matter.no_index), (Some(true), None));
    let layout = front_matter.layout.unwrap();
    assert_eq!(layout.pointer("/title/visible"), Some(&json!(false)), "{layout}");
    assert_eq!(layout.pointer("/outline/visible"), Some(&json!(true)), "{layout}");
    assert_eq!(layout.pointer("/cover/size"), Some(&json!("full")), "{layout}");
    assert_eq!(layout.pointer("/width"), Some(&json!("wide")), "{layout}");
}
