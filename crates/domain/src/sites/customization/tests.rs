use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::error::field_errors;

/// Settings with arbitrary subsets of these keys.
fn bodies() -> impl Strategy<Value = serde_json::Value> {
    let values = [
        ("/title", vec![json!("Docs")]),
        ("/styling/font", vec![json!("Inter"), json!("Lato")]),
        ("/styling/headingFont", vec![json!(null), json!("Ubuntu")]),
        ("/styling/primaryColor", vec![json!({"light": "#fff", "dark": "#000"})]),
        ("/styling/theme", vec![json!("bold"), json!("clean")]),
        ("/pageActions/items", vec![json!([]), json!(["mcp", "git"]), json!(["assistant", "markdown"])]),
        ("/pageActions/mcp", vec![json!(true), json!(false)]),
        ("/pageActions/markdown", vec![json!(false)]),
        ("/pageActions/externalAI", vec![json!(true), json!(false)]),
        ("/favicon", vec![json!({}), json!({"emoji": "1f680"})]),
        ("/socialAccounts", vec![json!([{"platform": "mastodon", "handle": "a@b.social", "display": {}}])]),
        ("/ai", vec![json!({"mode": "search", "suggestions": ["Why?"]})]),
        ("/announcement", vec![json!({"enabled": false, "message": "New!", "style": "info"})]),
        ("/header/links", vec![json!([{"title": "a", "to": null}])]),
        ("/footer/copyright", vec![json!("Acme")]),
        ("/themes/default", vec![json!("system"), json!("light")]),
        ("/privacyPolicy/url", vec![json!("https://example.com/")]),
    ];
    let choices: Vec<_> = values
        .into_iter()
        .map(|(pointer, values)| {
            prop::option::of(prop::sample::select(values)).prop_map(move |v| (pointer, v))
        })
        .collect();
    choices.prop_map(|chosen| {
        let mut body = json!({});
        for (pointer, value) in chosen.into_iter().filter_map(|(pointer, value)| Some((pointer, value?))) {
            let mut at = &mut body;
            for key in pointer.split('/').skip(1) {
                at = &mut at[key];
            }
            *at = value;
        }
        body
    })
}

proptest! {
    #[test]
    fn what_is_read_can_be_written_back(body in bodies()) {
        let settings: Customization = serde_json::from_value(body).unwrap();
        prop_assert!(check_customization(&settings).is_ok());
        let read = serde_json::to_value(&settings).unwrap();
        let again: Customization = serde_json::from_value(read.clone()).unwrap();
        prop_assert_eq!(serde_json::to_value(&again).unwrap(), read);
        prop_assert_eq!(again, settings);
    }
}

#[test]
fn older_switches_of_page_actions_leave_entries_out() {
    let items = |body: serde_json::Value| {
        let settings: Customization = serde_json::from_value(json!({"pageActions": body})).unwrap();
        serde_json::to_value(&settings.page_actions).unwrap()
    };
    let all = json!(["markdown", "external-ai", "mcp", "pdf"]);
    assert_eq!(items(json!({})), json!({"items": all, "externalAI": true, "markdown": true, "mcp": true}));
    assert_eq!(items(json!({"mcp": true}))["items"], all);
    assert_eq!(items(json!({"mcp": false, "markdown": false}))["items"], json!(["external-ai", "pdf"]));
    assert_eq!(items(json!({"mcp": true, "items": ["pdf"]}))["items"], json!(["pdf"]));
}

#[test]
fn only_addresses_on_mastodon_have_a_server() {
    let account = |platform: &str, handle: &str| json!({"socialAccounts": [{"platform": platform, "handle": handle, "display": {}}]});
    assert!(failing(account("mastodon", "docs@example.social")).is_empty());
    assert!(failing(account("mastodon", "docs")).is_empty());
    assert_eq!(failing(account("github", "docs@example.social")), ["socialAccounts[0]"]);
    for wrong in ["@docs", "docs@", "a@b@c", "a b@c"] {
        assert_eq!(failing(account("mastodon", wrong)), ["socialAccounts[0].handle"], "{wrong}");
    }
}

fn failing(body: serde_json::Value) -> Vec<String> {
    match serde_json::from_value::<Customization>(body) {
        Ok(settings) => {
            let errors = check_customization(&settings).err().unwrap_or_default();
            field_errors(&errors).into_iter().map(|error| error.field).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn nothing_is_the_default_and_the_default_passes() {
    let settings: Customization = serde_json::from_value(json!({})).unwrap();
    assert_eq!(settings, Customization::default());
    assert!(check_customization(&settings).is_ok());
    let written = serde_json::to_value(&settings).unwrap();
    assert_eq!(written["themes"], json!({"default": "light", "toggeable": false}));
    assert_eq!(written["styling"]["primaryColor"], json!({"light": "#346DDB", "dark": "#346DDB"}));
    assert_eq!(written["styling"]["font"], "Inter");
    assert_eq!(written["insights"], json!({"trackingCookie": true}));
    assert_eq!(written["ai"], json!({"mode": "none", "pageLinkSummaries": {"enabled": false}}));
    assert_eq!(serde_json::from_value::<Customization>(written).unwrap(), settings);
}

#[test]
fn what_is_wrong_is_named() {
    let rows = [
        (
            json!({"styling": {"primaryColor": {"light": "blue", "dark": "#fff"}}}),
            "styling.primaryColor.light",
        ),
        (
            json!({"header": {"links": [{"title": "a", "to": null}, {"title": "b", "to": {"kind": "url"}}]}}),
            "header.links[1].to",
        ),
        (json!({"footer": {"copyright": "c".repeat(513)}}), "footer.copyright"),
        (json!({"ai": {"suggestions": ["ab"]}}), "ai.suggestions"),
        (json!({"localizedTitle": {"de": "t".repeat(129)}}), "localizedTitle.de"),
        (json!({"announcement": {"enabled": true, "message": "m", "style": "info"}}), "announcement.message"),
        (json!({"privacyPolicy": {"url": "nowhere"}}), "privacyPolicy.url"),
        (
            json!({"favicon": {"emoji": "1f680", "icon": {"light": "https://a.example/i.png", "dark": "https://a.example/i.png"}}}),
            "favicon",
        ),
    ];
    for (body, field) in rows {
        assert_eq!(failing(body.clone()), [field], "{body}");
    }
    for body in [
        json!({"styling": {"theme": "plain"}}),
        json!({"styling": {"font": "Papyrus"}}),
        json!({"styling": []}),
        json!({"themes": null}),
        json!({"internationalization": {"locale": "xx"}}),
        json!({"localizedTitle": {"xx": "Docs"}}),
    ] {
        assert_eq!(failing(body.clone()).len(), 1, "{body}");
    }
}

#[test]
fn texts_are_in_the_language_of_the_reader() {
    let to = json!({"kind": "url", "url": "https://example.com"});
    let link = json!({"title": "Help", "localizedTitle": {"de": "Hilfe"}, "to": to});
    let settings = json!({
        "title": "Docs", "localizedTitle": {"de": "Doku"},
        "header": {"links": [{"title": "More", "localizedTitle": {"de": "Mehr"}, "to": null, "links": [link]}]},
        "footer": {"groups": [{"title": "Us", "localizedTitle": {"de": "Wir"}, "links": [link]}]},
        "announcement": {"enabled": true, "message": "New!", "localizedMessage": {"de": "Neu!"}, "style": "info"},
    });
    let settings: Customization = serde_json::from_value(settings).unwrap();
    assert!(check_customization(&settings).is_ok());
    assert_eq!(settings.clone().in_language(None), settings);
    let german = settings.in_language(Some(Language::German));
    assert_eq!(german.title.as_deref(), Some("Doku"));
    let menu = german.header.links.first().unwrap();
    assert_eq!((menu.title.as_str(), menu.links[0].title.as_str()), ("Mehr", "Hilfe"));
    let group = german.footer.groups.first().unwrap();
    assert_eq!((group.title.as_str(), group.links[0].title.as_str()), ("Wir", "Hilfe"));
    assert_eq!(german.announcement.unwrap().message, "Neu!");
}

#[test]
fn fonts_of_ones_own_are_kept() {
    let font = json!({"id": "f1", "custom": true, "fontFamily": "Mine", "fontFaces": [
        {"weight": 400, "sources": [{"url": "https://a.example/f.woff2", "format": "woff2"}]}]});
    let settings: Customization = serde_json::from_value(json!({"styling": {"font": font}})).unwrap();
    assert!(check_customization(&settings).is_ok());
    assert_eq!(serde_json::to_value(&settings).unwrap()["styling"]["font"], font);
    let mut heavy = font;
    heavy["fontFaces"][0]["weight"] = json!(1001);
    assert_eq!(failing(json!({"styling": {"font": heavy}})), ["styling.font"]);
}
