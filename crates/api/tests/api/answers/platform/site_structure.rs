//! Structure of a site: site spaces only, then sections and section groups.

use serde_json::{Value, json};

use super::Platform;
use super::sites::Stage;

/// Condition on visitors of a part of a site.
const CONDITION: &str = "visitor.claims.unsigned.beta == true";

/// Returns a pointer to a site space, for a position next to it.
fn next_to(id: &str) -> Value {
    json!({"type": "site-space", "siteSpace": id})
}

impl Platform<'_> {
    /// Creates a published site without spaces, and returns its path.
    async fn bare_site(&self) -> String {
        let sites = self.of("sites");
        let id = self.post(&sites, json!({"type": "legacy-premium"})).await.text("/id");
        self.post_empty(&format!("{sites}/{id}/publish")).await;
        format!("{sites}/{id}")
    }

    /// Adds spaces to the site itself.
    pub(super) async fn on_site(&self, stage: &Stage) {
        let bare = self.bare_site().await;
        let alone = json!({"spaceId": stage.space, "draft": true});
        self.post(&format!("{bare}/site-spaces"), alone).await;
        let list = format!("{}/site-spaces", stage.site);
        let mut ids = Vec::new();
        for title in ["Manual", "Reference"] {
            let body = json!({"spaceId": self.space(title).await});
            ids.push(self.post(&list, body).await.text("/id"));
        }
        self.list(&list, "default=false").await;
        self.get(&format!("{list}?default=true")).await;
        self.get(&format!("{}/structure", stage.site)).await;
        self.patch(&stage.site, json!({"defaultSiteSpace": ids[0]})).await;
        self.delete(&format!("{list}/{}", ids[1])).await;
    }

    /// Adds sections. The first one takes over the spaces of the site.
    pub(super) async fn in_sections(&self, stage: &Stage) {
        let bare = self.bare_site().await;
        let section = json!({"spaceId": stage.space, "title": "Alone", "icon": "box", "draft": true});
        self.post(&format!("{bare}/sections"), section).await;
        let sections = format!("{}/sections", stage.site);
        let mut ids = Vec::new();
        for title in ["Guides", "API", "Changes", "Blog"] {
            let body = json!({"spaceId": self.space(title).await, "title": title, "icon": "book"});
            ids.push(self.post(&sections, body).await.text("/id"));
        }
        let guides = format!("{sections}/{}", ids[0]);
        let first = self.site_spaces(stage, &ids[0]).await;
        let body = json!({
            "title": "Manuals", "localizedTitle": {"de": "Handbücher"}, "localizedDescription": {"de": "Alle"}, "path": "manuals", "condition": CONDITION, "icon": "compass", "description": "All of them",
            "defaultSiteSpace": first, "draft": true,
        });
        self.patch(&guides, body).await;
        self.patch(&stage.site, json!({"defaultSiteSection": ids[0]})).await;
        let group = self.groups(stage, &ids).await;
        for side in ["before", "after"] {
            let position = json!({ side: {"type": "site-section", "siteSection": ids[1]} });
            self.post(&format!("{guides}/move"), json!({ "position": position })).await;
        }
        self.patch(&guides, json!({"title": "Our manuals", "draft": false})).await;
        self.patch(&format!("{sections}/{}", ids[3]), json!({"draft": true})).await;
        self.list(&sections, "").await;
        self.list(&format!("{}/section-groups", stage.site), "").await;
        self.get(&format!("{}/structure", stage.site)).await;
        self.patch(&group, json!({"draft": false})).await;
        self.delete(&format!("{group}/sections/{}", ids[2])).await;
        self.delete(&format!("{sections}/{}", ids[3])).await;
    }

    /// Adds two site spaces to a section. Returns the one that becomes its default.
    async fn site_spaces(&self, stage: &Stage, section: &str) -> String {
        let list = format!("{}/site-spaces", stage.site);
        let body = json!({"spaceId": self.space("Basics").await, "sectionId": section});
        let placed = self.post(&list, body).await.text("/id");
        let body = json!({"spaceId": self.space("Depths").await, "sectionId": section});
        let other = self.post(&list, body).await.text("/id");
        let path = format!("{}/sections/{section}", stage.site);
        let chosen = json!({ "defaultSiteSpace": placed });
        self.patch(&path, chosen).await;
        let one = format!("{list}/{placed}");
        let body = json!({"path": "basics-first", "localizedTitle": {"de": "Grundlagen"}, "condition": CONDITION,
            "draft": true, "hidden": true});
        self.patch(&one, body).await;
        self.patch(&format!("{list}/{other}"), json!({"draft": true, "hidden": true})).await;
        for side in ["before", "after"] {
            let position = json!({ side: next_to(&other) });
            self.post(&format!("{one}/move"), json!({ "position": position })).await;
        }
        self.patch(&one, json!({"draft": false, "hidden": false})).await;
        placed
    }

    /// Creates two groups, each with a section. Returns the first.
    async fn groups(&self, stage: &Stage, sections: &[String]) -> String {
        let groups = format!("{}/section-groups", stage.site);
        let mut paths = Vec::new();
        for (title, section) in [("Builders", &sections[1]), ("Readers", &sections[3])] {
            let body = json!({"title": title, "icon": "gear", "sections": [section], "draft": true});
            let made = self.post(&groups, body).await.text("/id");
            paths.push((format!("{groups}/{made}"), made));
        }
        let [(group, _), (_, other)] = paths.as_slice() else { panic!("there are two") };
        let body =
            json!({"title": "Makers", "localizedTitle": {"de": "Macher"}, "icon": "hammer", "draft": true});
        self.patch(group, body).await;
        let body = json!({ "sectionId": sections[2] });
        self.post(&format!("{group}/sections"), body).await;
        for side in ["before", "after"] {
            let position = json!({ side: {"type": "site-section-group", "id": other} });
            self.post(&format!("{group}/move"), json!({ "position": position })).await;
        }
        let gone = json!({"title": "Gone"});
        let gone = self.post(&groups, gone).await.text("/id");
        self.delete(&format!("{groups}/{gone}")).await;
        group.clone()
    }
}
