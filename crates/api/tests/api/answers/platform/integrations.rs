//! Integrations with all their fields, and their installations.

use serde_json::{Value, json};

use super::Platform;

/// Image of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Returns configuration schemas: properties of every type, or a component of the script.
fn schema(properties: bool) -> Value {
    if !properties {
        return json!({"componentId": "settings"});
    }
    json!({
        "properties": {
            "channel": {
                "type": "string", "title": "Channel", "description": "Where to talk", "default": "general",
                "completion_url": "https://chat.example.com/channels",
            },
            "mode": {"type": "string", "enum": ["quiet", "loud"]},
            "login": {"type": "button", "callback_url": "https://chat.example.com/login", "button_text": "Log in"},
        },
        "required": ["mode"],
    })
}

/// Returns an integration with all fields.
fn integration(organization: &str, properties: bool) -> Value {
    let schema = schema(properties);
    json!({
        "title": "Chat", "description": "Talks", "summary": "# More", "script": "run()", "organization": organization,
        "icon": PNG, "previewImages": [PNG], "visibility": "public", "target": "all",
        "scopes": ["space:content:read", "site:views:read"], "categories": ["collaboration"],
        "blocks": [{
            "id": "talk", "title": "Talk", "description": "A talk", "icon": "https://chat.example.com/talk.svg",
            "urlUnfurl": ["https://talk.example.com/**"], "markdown": {"codeblock": "talk", "body": "content"},
        }],
        "contentSources": [{
            "id": "log", "title": "Log", "description": "What was said", "icon": "https://chat.example.com/log.svg",
            "configuration": {"componentId": "log-settings"},
        }],
        "externalLinks": [{"url": "https://chat.example.com", "label": "Website"}],
        "configurations": {"account": schema, "space": schema, "site": schema},
        "secrets": {"API_KEY": "s3cret"}, "contentSecurityPolicy": {"default-src": "'self'"},
    })
}

impl Platform<'_> {
    pub(super) async fn integrations(&self) {
        let organization = self.app.organization.to_string();
        let chat = "/v1/integrations/chat";
        self.post(chat, integration(&organization, false)).await;
        let verified = self.app.system.transact(|tx| tx.verify_integration("chat", true));
        assert!(verified.unwrap());
        let other = "/v1/integrations/chat-room";
        self.post(other, integration(&organization, false)).await;
        let shown = self.post(chat, integration(&organization, true)).await;
        let picture = shown.text("/urls/icon");
        let picture = picture.strip_prefix(self.app.state.urls.base()).unwrap().to_owned();
        self.get(&picture).await;
        self.get(chat).await;
        let query = format!(
            "search=cha&category=collaboration&blockDomain=talk.example.com&blocks=true&contentSources=true&owner={organization}"
        );
        self.list("/v1/integrations", &query).await;
        self.list(&self.of("integrations"), &query).await;
        let to = json!({ "organization": organization });
        let gone = self.post(&format!("{other}/installations"), to.clone()).await.text("/id");
        let made = self.post(&format!("{chat}/installations"), to).await.text("/id");
        let path = format!("{chat}/installations/{made}");
        self.app.clock.advance(std::time::Duration::from_secs(60));
        let spaces = [self.space("Talked about").await, self.space("Quiet").await];
        let mut sites = Vec::new();
        for title in ["Talked about", "Quiet"] {
            sites.push(self.post(&self.of("sites"), json!({ "title": title })).await.text("/id"));
        }
        self.install(&format!("{path}/spaces"), "space", &spaces).await;
        self.install(&format!("{path}/sites"), "siteId", &sites).await;
        let body = json!({
            "configuration": {"channel": "news", "mode": "loud"}, "externalIds": ["T-1"], "space_selection": "all", "site_selection": "all",
        });
        self.patch(&path, body).await;
        self.configure(&format!("{path}/spaces"), &spaces).await;
        self.configure(&format!("{path}/sites"), &sites).await;
        self.get(&path).await;
        self.list(&self.of("installations"), "").await;
        self.delete(&format!("{other}/installations/{gone}")).await;
        self.delete(other).await;
    }

    /// Installs the integration on spaces or sites.
    async fn install(&self, list: &str, key: &str, resources: &[String]) {
        for resource in resources {
            self.post(list, json!({ key: resource })).await;
        }
    }

    /// Configures the installation on the first resource, and uninstalls it from the second.
    async fn configure(&self, list: &str, resources: &[String]) {
        let one = format!("{list}/{}", resources[0]);
        self.app.clock.advance(std::time::Duration::from_secs(60));
        self.patch(&one, json!({"configuration": {"mode": "quiet"}, "externalIds": ["P-1"]})).await;
        self.get(&one).await;
        self.list(list, "").await;
        self.delete(&format!("{list}/{}", resources[1])).await;
    }
}
