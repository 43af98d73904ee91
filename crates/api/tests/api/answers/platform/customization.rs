//! Customization of a site: every setting.

use serde_json::{Value, json};

/// Returns settings that all differ from the defaults, with this favicon. `on` sets all switches.
pub fn settings(favicon: &Value, on: bool) -> Value {
    let switch = json!({ "enabled": on });
    json!({
        "title": "Our docs", "localizedTitle": {"de": "Unsere Anleitungen"}, "updatedAt": "2000-01-01T00:00:00.000Z",
        "styling": styling(), "internationalization": {"locale": "fr"}, "favicon": favicon,
        "header": header(), "footer": footer(),
        "announcement": {
            "enabled": on, "message": "New!", "localizedMessage": {"de": "Neu!"}, "style": "success", "link": link("More"),
        },
        "themes": {"default": "dark", "toggeable": on}, "pdf": switch, "feedback": switch,
        "aiSearch": switch, "ai": ai(&switch), "advancedCustomization": switch,
        "git": {"showEditLink": on}, "pagination": switch, "externalLinks": {"target": "blank"},
        "pageActions": {"externalAI": on, "markdown": on, "mcp": on, "items": ["markdown", "pdf"]}, "trademark": switch,
        "socialAccounts": [{"platform": "github", "handle": "acme", "display": {"footer": on, "header": on}}],
        "privacyPolicy": {"url": "https://acme.example/privacy"}, "socialPreview": {"url": "https://acme.example/card.png"},
        "insights": {"trackingCookie": on},
    })
}

/// Returns overrides of all settings that a site space can override.
pub fn overrides(favicon: &Value) -> Value {
    let mut all = settings(favicon, true);
    let settings = all.as_object_mut().unwrap();
    for whole in [
        "updatedAt",
        "pdf",
        "aiSearch",
        "ai",
        "advancedCustomization",
        "git",
        "pageActions",
        "socialAccounts",
        "insights",
    ] {
        settings.remove(whole).unwrap();
    }
    let styling = settings["styling"].as_object_mut().unwrap();
    for whole in ["font", "headingFont", "monospaceFont"] {
        styling.remove(whole).unwrap();
    }
    settings.insert("title".to_owned(), json!("Basics"));
    all
}

fn ai(switch: &Value) -> Value {
    json!({
        "mode": "assistant", "pageLinkSummaries": switch, "greeting": "Hello!", "localizedGreeting": {"de": "Hallo!"},
        "suggestions": ["How do I begin?"], "instructions": "Be brief.",
    })
}

fn color(light: &str) -> Value {
    json!({"light": light, "dark": "#101010"})
}

/// Returns an image for light and dark mode.
pub fn picture(name: &str) -> Value {
    json!({"light": format!("https://acme.example/{name}.png"), "dark": format!("https://acme.example/{name}-dark.png")})
}

fn link(title: &str) -> Value {
    let url = json!({"kind": "url", "url": "https://acme.example/more"});
    json!({"title": title, "localizedTitle": {"de": title}, "to": url})
}

fn font(id: &str) -> Value {
    let source = json!({"url": format!("https://acme.example/{id}.woff2"), "format": "woff2"});
    json!({"id": id, "custom": true, "fontFamily": id, "fontFaces": [{"weight": 400, "sources": [source]}]})
}

/// Themes of code.
fn themes(dark: &str) -> Value {
    json!({"light": "github-light", "dark": dark})
}

fn styling() -> Value {
    json!({
        "theme": "bold", "primaryColor": color("#111111"), "tint": {"color": color("#222222")},
        "infoColor": color("#333333"), "successColor": color("#444444"), "warningColor": color("#555555"),
        "dangerColor": color("#666666"), "corners": "straight", "depth": "flat", "links": "accent",
        "font": font("body"), "headingFont": font("head"), "monospaceFont": font("code"), "background": "match", "icons": "duotone",
        "sidebar": {"background": "filled", "list": "pill"}, "search": "subtle",
        "codeTheme": {"default": themes("nord"), "openapi": themes("dracula")},
    })
}

fn header() -> Value {
    let menu = json!({
        "title": "Menu", "localizedTitle": {"de": "Auswahl"}, "style": "button-primary", "to": null, "links": [link("Inside")],
        "condition": "visitor.claims.unsigned.beta",
    });
    json!({
        "preset": "custom", "logo": picture("logo"), "primaryLink": link("Home")["to"], "backgroundColor": color("#777777"),
        "linkColor": color("#888888"), "links": [menu, link("Home")],
    })
}

fn footer() -> Value {
    json!({
        "logo": picture("foot"), "copyright": "Acme", "groups": [{"title": "More", "localizedTitle": {"de": "Mehr"}, "links": [link("Below")]}],
    })
}
