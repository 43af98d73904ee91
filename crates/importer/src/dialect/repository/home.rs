//! Home pages whose front matter is their content: `hero` and `features` of VitePress and Starlight.

use quire_markup::FrontMatter;
use quire_markup::markdown::escaped;
use serde_json::Value;

use crate::dialect::Home;

/// Returns the content of a home page; `None` for other pages.
pub(super) fn of(properties: &FrontMatter) -> Option<Home> {
    let get = |name: &str| properties.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let (hero, features) = (get("hero"), get("features").and_then(Value::as_array));
    if hero.is_none() && features.is_none() {
        return None;
    }
    let text = |value: &Value, name: &str| {
        let text = value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        // The text may be HTML.
        text.map(|text| if text.contains('<') { text.replace('\n', " ") } else { escaped(text) })
    };
    let own = |name: &str| hero.and_then(|hero| text(hero, name));
    let mut blocks: Vec<String> = ["text", "tagline"].into_iter().filter_map(own).collect();
    let actions = hero.and_then(|hero| hero.get("actions")).and_then(Value::as_array);
    let actions = actions.into_iter().flatten().filter_map(|action| {
        let (text, link) = (text(action, "text")?, action.get("link")?.as_str()?);
        Some(format!("[{text}](<{link}>)"))
    });
    blocks.push(actions.collect::<Vec<_>>().join(" · "));
    let features = features.into_iter().flatten().filter_map(|feature| {
        let title = text(feature, "title")?;
        let link = feature.get("link").and_then(Value::as_str);
        let title = link.map_or_else(|| title.clone(), |link| format!("[{title}](<{link}>)"));
        let details = text(feature, "details").map(|details| format!(": {details}")).unwrap_or_default();
        Some(format!("- **{title}**{}", details.replace('\n', " ")))
    });
    blocks.push(features.collect::<Vec<_>>().join("\n"));
    blocks.retain(|block| !block.is_empty());
    let title = hero.and_then(|hero| ["name", "title"].into_iter().find_map(|name| hero.get(name)?.as_str()));
    Some(Home { title: title.map(str::to_owned), text: blocks.join("\n\n") })
}
