//! Links in the settings of a site as lines of text: `Title = address`, or `Menu > Title = address`. `settings.js`
//! reads them.

use serde_json::{Map, Value, json};

/// Returns a link as a line. `None` if it has more than a title and an address.
pub(super) fn link(link: &Value) -> Option<String> {
    let link = link.as_object().filter(|link| has_only(link, &["title", "to"]))?;
    let to = link.get("to")?.as_object().filter(|to| has_only(to, &["kind", "url"]))?;
    let (title, url) = (link.get("title")?.as_str()?, to.get("url")?.as_str()?);
    let is_readable = !title.contains(['=', '>', '\n']) && !title.trim().is_empty();
    is_readable.then(|| format!("{title} = {url}"))
}

/// Returns the links and menus of a header as lines. `None` if some have other settings.
pub(super) fn menus(items: &Value) -> Option<String> {
    let item = |item: &Value| {
        let members = item.as_object()?;
        let links = members.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if links.is_empty() {
            let mut alone = members.clone();
            alone.remove("links");
            return Some(vec![link(&Value::Object(alone))?]);
        }
        let is_menu = has_only(members, &["title", "to", "links"]) && members.get("to")?.is_null();
        if is_menu { below(members.get("title")?.as_str()?, links) } else { None }
    };
    joined(items, item)
}

/// Returns the columns of a footer as lines. `None` if some have other settings.
pub(super) fn columns(groups: &Value) -> Option<String> {
    let group = |group: &Value| {
        let members = group.as_object().filter(|members| has_only(members, &["title", "links"]))?;
        let links = members.get("links")?.as_array().filter(|links| !links.is_empty())?;
        below(members.get("title")?.as_str()?, links)
    };
    joined(groups, group)
}

/// Returns accounts as lines. `None` if some are shown elsewhere than in the footer.
pub(super) fn accounts(accounts: &Value) -> Option<String> {
    let account = |account: &Value| {
        let is_usual = account.get("display") == Some(&json!({"footer": true, "header": false}));
        let (platform, handle) = (account.get("platform")?.as_str()?, account.get("handle")?.as_str()?);
        is_usual.then(|| vec![format!("{platform} = {handle}")])
    };
    joined(accounts, account)
}

/// Returns the links below a title as lines.
fn below(title: &str, links: &[Value]) -> Option<Vec<String>> {
    let is_readable = !title.contains(['=', '>', '\n']) && !title.trim().is_empty();
    if !is_readable {
        return None;
    }
    links.iter().map(|one| Some(format!("{title} > {}", link(one)?))).collect()
}

fn joined(items: &Value, lines: impl Fn(&Value) -> Option<Vec<String>>) -> Option<String> {
    let lines: Option<Vec<Vec<String>>> = items.as_array()?.iter().map(lines).collect();
    Some(lines?.concat().join("\n"))
}

/// Returns whether an object has no members with a value except these.
fn has_only(members: &Map<String, Value>, known: &[&str]) -> bool {
    members.iter().all(|(name, value)| known.contains(&name.as_str()) || value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(url: &str) -> Value {
        json!({"kind": "url", "url": url})
    }

    #[test]
    fn links_and_menus_are_lines() {
        let blog = json!({"title": "Blog", "to": to("https://a.example/?a=b"), "links": []});
        let more = json!({"title": "More", "to": null, "links": [{"title": "Status", "to": to("https://b.example")}]});
        let lines = "Blog = https://a.example/?a=b\nMore > Status = https://b.example";
        assert_eq!(menus(&json!([blog, more])).as_deref(), Some(lines));
        assert_eq!(menus(&json!([])).as_deref(), Some(""));
        let columns_of =
            json!([{"title": "Product", "links": [{"title": "Prices", "to": to("https://c.example")}]}]);
        assert_eq!(columns(&columns_of).as_deref(), Some("Product > Prices = https://c.example"));
    }

    #[test]
    fn what_lines_cannot_express_is_not_written() {
        let page = json!({"kind": "page", "page": "p"});
        let cases = [
            json!({"title": "Blog", "to": page, "links": []}),
            json!({"title": "Blog", "to": to("https://a.example"), "links": [], "condition": "visitor.claims.beta"}),
            json!({"title": "Blog", "to": to("https://a.example"), "localizedTitle": {"de": "Blog"}}),
            json!({"title": "A = B", "to": to("https://a.example")}),
        ];
        for case in cases {
            assert_eq!(menus(&json!([case])), None, "{case}");
        }
        assert_eq!(columns(&json!([{"title": "Empty", "links": []}])), None);
    }

    #[test]
    fn accounts_of_the_footer_are_lines() {
        let account = |header| json!([{"platform": "github", "handle": "acme", "display": {"footer": true, "header": header}}]);
        assert_eq!(accounts(&account(false)).as_deref(), Some("github = acme"));
        assert_eq!(accounts(&account(true)), None);
    }
}
