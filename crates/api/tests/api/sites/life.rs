//! Creation, listing, updates, publication and deletion of sites.

use quire_domain::Role;
use quire_domain::sites::Site;
use serde_json::json;

use super::{Stage, each, walk};

#[actix_web::test]
async fn a_site_has_every_field() {
    let stage = Stage::set().await;
    let space = stage.space("Handbook").await;
    let body = json!({"type": "premium", "title": "Manual", "visibility": "unlisted", "spaces": [space]});
    let made = stage.manager.post(&stage.sites, body).await.expect(201);
    let id = made.text("/id");
    let location = made.text("/urls/location");
    assert_eq!(made.header("location"), location);
    assert!(location.ends_with(&format!("{}/{id}", stage.sites)));
    assert_eq!((made.text("/object"), made.text("/type")), ("site".to_owned(), "premium".to_owned()));
    assert_eq!((made.text("/title"), made.text("/visibility")), ("Manual".to_owned(), "unlisted".to_owned()));
    assert_eq!((made.at("/published"), made.at("/siteSpaces")), (&json!(false), &json!(1)));
    assert_eq!(made.json.pointer("/urls/published"), None);
    let share_links = json!({"id": "sites-share-links", "plan": "premium", "frozen": false});
    assert!(made.at("/features").as_array().unwrap().contains(&share_links));
    let read = stage.manager.get(&format!("{}/{id}", stage.sites)).await.expect(200);
    assert_eq!(read.json, made.json);
    let _: Site = serde_json::from_value(read.json).unwrap();
    let bare = stage.manager.post_empty(&stage.sites).await.expect(201);
    assert_eq!((bare.text("/title"), bare.text("/type")), ("Untitled".to_owned(), "basic".to_owned()));
}

#[actix_web::test]
async fn each_key_can_be_changed() {
    let stage = Stage::set().await;
    let (first, second) = (stage.resource("One").await, stage.resource("Two").await);
    let body = json!({
        "title": "Guide", "visibility": "share-link", "basename": "guide", "adaptiveContent": {"enabled": true},
        "proxy": "example.com/docs", "defaultSiteSpace": second,
    });
    let changed = stage.manager.patch(&stage.site, body).await.expect(200);
    assert_eq!(
        (changed.text("/title"), changed.text("/visibility")),
        ("Guide".to_owned(), "share-link".to_owned())
    );
    assert_eq!(
        (changed.text("/basename"), changed.at("/adaptiveContent")),
        ("guide".to_owned(), &json!({"enabled": true}))
    );
    assert_eq!(changed.text("/proxy/origin"), "example.com/docs");
    assert!(changed.text("/proxy/target").ends_with("/guide"));
    let defaults = stage.manager.get(&format!("{}/site-spaces?default=true", stage.site)).await.expect(200);
    assert_eq!(each(&defaults, "/id"), [second]);
    let others = stage.manager.get(&format!("{}/site-spaces?default=false", stage.site)).await.expect(200);
    assert_eq!((each(&others, "/id"), others.at("/count")), (vec![first], &json!(1)));
    // The value in a response is accepted in a request.
    let again = stage.manager.patch(&stage.site, json!({"proxy": changed.at("/proxy")})).await.expect(200);
    assert_eq!(again.json, changed.json);
    let cleared =
        stage.manager.patch(&stage.site, json!({"proxy": null, "basename": null})).await.expect(200);
    assert_eq!((cleared.json.get("proxy"), cleared.json.get("basename")), (None, None));
    let stale = stage.manager.send(
        actix_web::test::TestRequest::patch()
            .uri(&stage.site)
            .insert_header(("If-Match", changed.header("etag")))
            .set_json(json!({"title": "Late"})),
    );
    assert_eq!(stale.await.expect(412).reason(), "precondition-failed");
}

#[actix_web::test]
async fn what_cannot_be_is_refused_by_name() {
    let stage = Stage::set().await;
    let absent = "0190a5d2-7c1e-7000-8000-000000000001";
    for (body, field) in [
        (json!({"proxy": "example.com"}), "proxy"),
        (json!({"hostname": "example.com"}), "hostname"),
        (json!({"basename": "A B"}), "basename"),
        (json!({"title": "x"}), "title"),
        (json!({"defaultSiteSpace": absent}), "defaultSiteSpace"),
        (json!({"defaultSiteSection": absent}), "defaultSiteSection"),
    ] {
        let refused = stage.manager.patch(&stage.site, body).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
    let space = stage.space("One").await;
    for (spaces, field) in
        [(json!([space, absent]), "spaces[1]"), (json!([space, space]), "spaces"), (json!("full"), "spaces")]
    {
        let refused = stage.manager.post(&stage.sites, json!({ "spaces": spaces })).await.expect(400);
        assert_eq!(refused.fields(), [field]);
    }
    let elsewhere = stage.app.create_organization("Elsewhere");
    let foreign = stage.app.member_of(elsewhere, Some(Role::Admin));
    let theirs =
        foreign.post(&format!("/v1/orgs/{elsewhere}/spaces"), json!({})).await.expect(201).text("/id");
    let path = format!("{}/site-spaces", stage.site);
    let refused = stage.manager.post(&path, json!({ "spaceId": theirs })).await.expect(400);
    assert_eq!(refused.fields(), ["spaceId"]);
}

#[actix_web::test]
async fn names_belong_to_one_site() {
    let stage = Stage::set().await;
    let other = stage.manager.post(&stage.sites, json!({"title": "Other"})).await.expect(201);
    let other = format!("{}/{}", stage.sites, other.text("/id"));
    let names = json!({"basename": "docs", "hostname": "docs.example.com"});
    stage.manager.patch(&stage.site, names).await.expect(200);
    for (key, name) in [("basename", "docs"), ("hostname", "docs.example.com")] {
        let refused = stage.manager.patch(&other, json!({ key: name })).await.expect(409);
        assert_eq!((refused.reason().as_str(), refused.fields()), ("name-taken", vec![key.to_owned()]));
    }
    assert_eq!(stage.publish().await.text("/urls/published"), "https://docs.example.com");
}

#[actix_web::test]
async fn a_new_space_may_come_along() {
    let stage = Stage::set().await;
    for (kind, pages) in [("empty", 0), ("sample", 3)] {
        let made =
            stage.manager.post(&stage.sites, json!({"title": "Fresh", "spaces": kind})).await.expect(201);
        assert_eq!(made.at("/siteSpaces"), &json!(1));
        let path = format!("{}/{}/site-spaces", stage.sites, made.text("/id"));
        let list = stage.manager.get(&path).await.expect(200);
        assert_eq!(
            (list.text("/items/0/title"), list.text("/items/0/path")),
            ("Fresh".to_owned(), "fresh".to_owned())
        );
        let content = format!("/v1/spaces/{}/content/pages", list.text("/items/0/space/id"));
        let content = stage.manager.get(&content).await.expect(200);
        assert_eq!(content.at("/pages").as_array().unwrap().len(), pages);
    }
}

#[actix_web::test]
async fn lists_are_filtered_and_walked() {
    let stage = Stage::set().await;
    let space = stage.space("Shared").await;
    let mut ids = vec![stage.site.rsplit('/').next().unwrap().to_owned()];
    for (title, kind) in [("API manual", "ultimate"), ("Handbook", "premium"), ("api reference", "basic")] {
        let body = json!({"title": title, "type": kind, "spaces": [space]});
        ids.insert(0, stage.manager.post(&stage.sites, body).await.expect(201).text("/id"));
    }
    stage.publish().await;
    assert_eq!(walk(&stage.manager, &stage.sites, "/id").await, ids);
    let count = async |query: &str| {
        stage.manager.get(&format!("{}?{query}", stage.sites)).await.expect(200).at("/count").clone()
    };
    assert_eq!(count("title=API").await, json!(2));
    assert_eq!(count("title=%25").await, json!(0));
    assert_eq!(count("published=true").await, json!(1));
    assert_eq!(count("published=false").await, json!(3));
    assert_eq!(count("type=ultimate&type=premium").await, json!(2));
    assert_eq!(count(&format!("space={space}")).await, json!(3));
}

#[actix_web::test]
async fn publishing_shows_in_the_spaces() {
    let stage = Stage::set().await;
    let site_space = stage.resource("Guide").await;
    let list = stage.manager.get(&format!("{}/site-spaces", stage.site)).await.expect(200);
    let space = format!("/v1/spaces/{}", list.text("/items/0/space/id"));
    assert_eq!(stage.manager.get(&space).await.text("/visibility"), "private");
    let published = stage.publish().await;
    assert_eq!(published.at("/published"), &json!(true));
    let read = stage.manager.get(&space).await.expect(200);
    let address = published.text("/urls/published");
    assert_eq!(
        (read.text("/visibility"), read.text("/urls/published")),
        ("public".to_owned(), address.clone())
    );
    assert_eq!((read.text("/urls/public"), read.json.get("visitorAuth")), (address.clone(), None));
    let content = stage.manager.get(&format!("{space}/content")).await.expect(200);
    assert_eq!(
        (content.text("/urls/published"), content.text("/urls/public")),
        (address.clone(), address.clone())
    );
    stage.manager.patch(&stage.site, json!({"visibility": "visitor-auth"})).await.expect(200);
    let read = stage.manager.get(&space).await.expect(200);
    assert_eq!(
        (read.text("/visibility"), read.at("/visitorAuth")),
        ("visitor-auth".to_owned(), &json!({"backend": "custom"}))
    );
    // The revision is the same, but it is no longer public.
    let moved = stage.manager.get(&format!("{space}/content")).await.expect(200);
    assert_ne!(moved.header("etag"), content.header("etag"));
    assert_eq!(
        (moved.at("/urls/published"), moved.json.pointer("/urls/public")),
        (content.at("/urls/published"), None)
    );
    let revision = format!("{space}/revisions/{}", content.text("/id"));
    assert_eq!(stage.manager.get(&revision).await.expect(200).json.pointer("/urls/published"), None);
    stage.manager.patch(&stage.site, json!({"visibility": "unlisted"})).await.expect(200);
    let path = format!("{}/site-spaces/{site_space}", stage.site);
    stage.manager.patch(&path, json!({"path": "start"})).await.expect(200);
    let read = stage.manager.get(&space).await.expect(200);
    assert_eq!((read.text("/visibility"), read.json.pointer("/urls/public")), ("unlisted".to_owned(), None));
    assert_eq!(read.text("/urls/published"), address, "the default space has no segment");
    // The most open of the two sites counts.
    let other = json!({"title": "Other", "visibility": "public", "spaces": [list.text("/items/0/space/id")]});
    let other = stage.manager.post(&stage.sites, other).await.expect(201).text("/id");
    let other = format!("{}/{other}", stage.sites);
    stage.manager.post_empty(&format!("{other}/publish")).await.expect(200);
    assert_eq!(stage.manager.get(&space).await.text("/visibility"), "public");
    stage.manager.delete(&other).await.expect(204);
    assert_eq!(stage.manager.get(&space).await.text("/visibility"), "unlisted");
    stage.manager.post_empty(&format!("{}/unpublish", stage.site)).await.expect(200);
    let read = stage.manager.get(&space).await.expect(200);
    assert_eq!(
        (read.text("/visibility"), read.json.pointer("/urls/published")),
        ("private".to_owned(), None)
    );
    stage.manager.get(&other).await.expect(404);
}
