//! Customization of a site: every setting.

use serde_json::{Value, json};

/// Settings with another value than the default for each, with this favicon, and all that can be switched on or off.
pub fn settings(favicon: &Value, on: bool) -> Value {
    let switch = json!({ "enabled": on });
    json!({
        "title": "Our docs", "styling": styling(), "internationalization": {"locale": "fr"}, "favicon": favicon,
        "header": header(), "footer": footer(),
        "announcement": {
            "enabled": on, "message": "New!", "style": "success", "link": link("More"),
        },
        "themes": {"default": "dark", "toggeable": on}, "pdf": switch, "feedback": switch,
        "aiSearch": switch, "ai": {"mode": "assistant", "pageLinkSummaries": switch}, "advancedCustomization": switch,
        "git": {"showEditLink": on}, "pagination": switch, "externalLinks": {"target": "blank"},
        "pageActions": {"externalAI": on, "markdown": on, "items": ["markdown", "pdf"]}, "trademark": switch,
        "socialAccounts": [{"platform": "github", "handle": "acme", "display": {"footer": on, "header": on}}],
        "privacyPolicy": {"url": "https://acme.example/privacy"}, "socialPreview": {"url": "https://acme.example/card.png"},
        "insights": {"trackingCookie": on},
    })
}

fn color(light: &str) -> Value {
    json!({"light": light, "dark": "#101010"})
}

/// A picture for light and dark.
pub fn picture(name: &str) -> Value {
    json!({"light": format!("https://acme.example/{name}.png"), "dark": format!("https://acme.example/{name}-dark.png")})
}

fn link(title: &str) -> Value {
    json!({"title": title, "to": {"kind": "url", "url": "https://acme.example/more"}})
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
        "font": font("body"), "monospaceFont": font("code"), "background": "match", "icons": "duotone",
        "sidebar": {"background": "filled", "list": "pill"}, "search": "subtle",
        "codeTheme": {"default": themes("nord"), "openapi": themes("dracula")},
    })
}

fn header() -> Value {
    let menu = json!({
        "title": "Menu", "style": "button-primary", "to": null, "links": [link("Inside")],
        "condition": "visitor.claims.unsigned.beta",
    });
    json!({
        "preset": "custom", "logo": picture("logo"), "backgroundColor": color("#777777"),
        "linkColor": color("#888888"), "links": [menu, link("Home")],
    })
}

fn footer() -> Value {
    json!({
        "logo": picture("foot"), "copyright": "Acme", "groups": [{"title": "More", "links": [link("Below")]}],
    })
}
