//! Order of the parts of a site, which the site file determines.

use quire_test_support::GitServer;
use serde_json::json;

use super::site::{ConnectedSite, file};

/// Returns a section of a site file with spaces at these paths, `indent` levels below the top.
fn section(path: &str, indent: usize, spaces: &[&str]) -> String {
    let indent = " ".repeat(4 + 4 * indent);
    let mut text = format!(
        "{indent}- type: section\n{indent}  title: {path}\n{indent}  path: {path}\n{indent}  children:\n"
    );
    for space in spaces {
        text.push_str(&format!(
            "{indent}    - {{type: space, key: {space}, title: {space}, path: {space}, content: {{directory: {space}}}}}\n"
        ));
    }
    text
}

fn group(title: &str, sections: &[String]) -> String {
    let sections: String = sections.concat();
    format!("    - type: section-group\n      title: {title}\n      children:\n{sections}")
}

#[actix_web::test]
async fn parts_follow_the_order_of_the_file() {
    let Some(server) = GitServer::start() else { return };
    let repository = server.create("order", true);
    let page = b"# Home\n\nText.\n".as_slice();
    let folders = ["en", "fr", "de", "news", "one", "two"];
    let pages: Vec<String> = folders.iter().map(|folder| format!("{folder}/README.md")).collect();
    let mut changes: Vec<(&str, Option<&[u8]>)> =
        pages.iter().map(|path| (path.as_str(), Some(page))).collect();
    let first = [
        section("docs", 0, &["en", "fr", "de"]),
        section("blog", 0, &["news"]),
        group("API", &[section("v1", 1, &["one"]), section("v2", 1, &["two"])]),
    ];
    let first = file(&first.concat());
    changes.push(("docs.yaml", Some(&first)));
    repository.commit(&changes);
    let (site, _) = ConnectedSite::new(&server, repository, 0).await;
    site.admin.patch(&site.path, site.setup("git")).await.expect(200);
    site.app.run_jobs().await;
    let order = async || {
        let parts = site.structure().await;
        parts.into_iter().map(|[section, path, _]| format!("{section}/{path}")).collect::<Vec<_>>()
    };
    assert_eq!(
        order().await,
        ["docs/en", "docs/fr", "docs/de", "blog/news", "v1/one", "v2/two"],
        "{:?}",
        site.log().await
    );

    // A section that exists only in Quire keeps its second place.
    let organization = site.site.split("/sites/").next().unwrap().to_owned();
    let space = site.admin.post(&format!("{organization}/spaces"), json!({})).await.expect(201).text("/id");
    let own = json!({"spaceId": space, "title": "Own"});
    let own = site.admin.post(&format!("{}/sections", site.site), own).await.expect(201).text("/id");
    let structure = site.admin.get(&format!("{}/structure", site.site)).await.expect(200);
    let before = json!({"type": "site-section", "siteSection": structure.at("/structure/1/id")});
    let path = format!("{}/sections/{own}/move", site.site);
    site.admin.post(&path, json!({"position": {"before": before}})).await.expect(200);
    assert!(order().await[3].starts_with("own/"), "{:?}", order().await);

    // Groups, sections of a group, and spaces are reordered. A section leaves its group.
    let second = [
        group("API", &[section("v2", 1, &["two"]), section("docs", 1, &["fr", "de", "en"])]),
        section("v1", 0, &["one"]),
        section("blog", 0, &["news"]),
    ];
    site.repository.commit(&[("docs.yaml", Some(&file(&second.concat())))]);
    site.sync().await;
    let parts = order().await;
    let of_file: Vec<&str> =
        parts.iter().map(String::as_str).filter(|part| !part.starts_with("own/")).collect();
    let expected = ["v2/two", "docs/fr", "docs/de", "docs/en", "v1/one", "blog/news"];
    assert_eq!(of_file, expected, "{:?}", site.log().await);
    // The section of Quire, which the file did not have yet, is before the same one as on the site.
    assert!(parts.len() == 7 && parts[5].starts_with("own/"), "{parts:?}");
}
