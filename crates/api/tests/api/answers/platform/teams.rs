//! Teams and their members.

use quire_domain::Role;
use serde_json::json;

use super::Platform;

impl Platform<'_> {
    pub(super) async fn teams(&self) {
        let people = [
            self.member("Emil", Some(Role::Read)),
            self.member("Fay", Some(Role::Read)),
            self.member("Gus", Some(Role::Read)),
        ];
        let [emil, fay, gus] = people.each_ref().map(|member| member.user());
        let teams = self.of("teams");
        let mut made = Vec::new();
        for title in ["Testers", "Editors"] {
            let body = json!({"title": title, "members": [emil, gus]});
            made.push(self.put(&teams, body).await.text("/id"));
        }
        let path = format!("{teams}/{}", made[0]);
        let members = format!("{path}/members");
        let body =
            json!({"add": [fay], "memberships": {(emil.to_string()): {"role": "owner"}}, "remove": [gus]});
        self.put(&members, body).await;
        let one = format!("{members}/{gus}");
        self.put(&one, json!({"role": "owner"})).await;
        self.list(&members, "").await;
        self.delete(&one).await;
        let grant = json!({"teams": [made[0]], "role": "edit"});
        let space = self.space("Tested").await;
        self.post(&format!("/v1/spaces/{space}/permissions"), grant).await;
        self.patch(&path, json!({"title": "Quality"})).await;
        self.get(&path).await;
        let owner = self.admin.user();
        self.list(&teams, &format!("owner={owner}&title=it")).await;
        self.delete(&format!("{teams}/{}", made[1])).await;
    }
}
