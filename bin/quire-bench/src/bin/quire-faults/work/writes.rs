//! Writes of each kind.

use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Body, Writer, lock};
use crate::ledger::Kind;

impl Writer {
    /// Writes once, with a random kind of write.
    pub(super) async fn step(&mut self) -> Result<()> {
        let marker = self.marker();
        let organization = format!("/v1/orgs/{}", self.access.organization);
        let space = self.dice.pick(&self.shared.clone()).cloned().unwrap_or_else(|| self.home.clone());
        let space = format!("/v1/spaces/{space}");
        match self.dice.roll(31) {
            0 => {
                self.make(Kind::Space, &format!("{organization}/spaces"), json!({"title": marker}), &marker)
                    .await
            }
            1 => {
                let path = format!("{organization}/collections");
                self.make(Kind::Collection, &path, json!({"title": marker}), &marker).await
            }
            2 => self.make_team(&organization, &marker).await.map(drop),
            3 => self.make_site(&organization, &marker).await,
            4 => {
                let body = json!({"name": marker});
                self.add_to_site(Kind::ShareLink, "share-links", body, &marker).await
            }
            5 => {
                let body = json!({"name": marker.replace('-', "_"), "title": marker, "type": "text"});
                self.make(Kind::Field, &format!("{organization}/custom-fields"), body, &marker).await
            }
            6 => self.make(Kind::Token, "/v1/user/tokens", json!({"label": marker}), &marker).await,
            7 => {
                let body = json!({"url": "http://127.0.0.1:9/", "events": ["ping"], "description": marker});
                self.make(Kind::Webhook, &format!("{organization}/webhooks"), body, &marker).await
            }
            8 | 9 => self.comment(&space, &marker).await,
            10 => self.reply(&space, &marker).await,
            11 => self.uncomment(&space, &marker).await,
            12 | 13 => self.write_page(&space, &marker).await,
            14 => self.upload(&space, &marker).await,
            15 | 16 => self.merge(&space, &marker).await,
            17 => self.import(&space, &marker).await,
            18 => self.retitle(&marker).await,
            19 => {
                let text =
                    json!({"openapi": "3.1.0", "info": {"title": marker, "version": "1"}, "paths": {}});
                let body = json!({"slug": marker, "source": {"text": text.to_string()}});
                self.make(Kind::Spec, &format!("{organization}/openapi"), body, &marker).await
            }
            20 => {
                let path = format!("{organization}/translations");
                self.make(Kind::Translation, &path, json!({"title": marker, "languages": ["fr"]}), &marker)
                    .await
            }
            21 => {
                let destination = json!({"kind": "external", "url": "https://example.com/"});
                let body = json!({"source": format!("/{marker}"), "destination": destination});
                self.add_to_site(Kind::Redirect, "redirects", body, &marker).await
            }
            22 => self.make(Kind::Organization, "/v1/orgs", json!({"title": marker}), &marker).await,
            23 => {
                let body = json!({"title": marker, "spaceId": self.home});
                self.add_to_site(Kind::Section, "sections", body, &marker).await
            }
            24 => {
                let body = json!({"title": marker, "sections": []});
                self.add_to_site(Kind::SectionGroup, "section-groups", body, &marker).await
            }
            25 => {
                let path = format!("{organization}/saml");
                self.make(Kind::SamlProvider, &path, json!({"label": marker}), &marker).await
            }
            26 => {
                let body = json!({
                    "title": marker, "description": "Of a writer", "scopes": [], "script": "run()",
                    "organization": self.access.organization,
                });
                self.make(Kind::Integration, &format!("/v1/integrations/{marker}"), body, &marker).await
            }
            27 => {
                let body = json!({"emails": [format!("{marker}@example.com")], "role": "read"});
                self.make(Kind::EmailInvite, &format!("{organization}/invites"), body, &marker).await
            }
            28 => self.review(&space, &marker).await,
            29 => self.grant(&organization, &space, &marker).await,
            _ => self.propose(&space, &marker).await.map(drop),
        }
    }

    async fn make(&mut self, kind: Kind, path: &str, body: Value, marker: &str) -> Result<()> {
        let made = self.insist(Method::POST, path, Body::Json(body)).await?;
        if made.is_done() {
            // These resources appear in lists only; they have no GET of their own.
            let is_listed = matches!(kind, Kind::Token | Kind::Section | Kind::SectionGroup);
            self.note(kind, marker, made.location.filter(|_| !is_listed));
        }
        Ok(())
    }

    /// Adds a part to a site of this writer, or creates its first site.
    async fn add_to_site(&mut self, kind: Kind, list: &str, body: Value, marker: &str) -> Result<()> {
        let organization = format!("/v1/orgs/{}", self.access.organization);
        match self.dice.pick(&self.sites).cloned() {
            None => self.make_site(&organization, marker).await,
            Some(site) => self.make(kind, &format!("{organization}/sites/{site}/{list}"), body, marker).await,
        }
    }

    /// Creates a team and returns its id, unless it is refused.
    async fn make_team(&mut self, organization: &str, marker: &str) -> Result<Option<String>> {
        let body = Body::Json(json!({"title": marker}));
        let made = self.insist(Method::PUT, &format!("{organization}/teams"), body).await?;
        if !made.is_done() {
            return Ok(None);
        }
        let id = made.id()?;
        self.note(Kind::Team, marker, made.location);
        Ok(Some(id))
    }

    /// Creates a team and grants it a role on a space.
    async fn grant(&mut self, organization: &str, space: &str, marker: &str) -> Result<()> {
        let Some(team) = self.make_team(organization, marker).await? else {
            return Ok(());
        };
        let body = json!({"teams": [team], "role": "edit"});
        self.make(Kind::Grant, &format!("{space}/permissions"), body, marker).await
    }

    /// Opens a change request, which the other member reviews with a comment.
    async fn review(&mut self, space: &str, marker: &str) -> Result<()> {
        let Some(path) = self.propose(space, marker).await? else {
            return Ok(());
        };
        let body = Body::Json(json!({"status": "changes-requested", "comment": {"markdown": marker}}));
        let reviewer = self.access.reviewer.clone();
        let made = self.insist_as(&reviewer, Method::POST, &format!("{path}/reviews"), body).await?;
        if made.is_done() {
            self.note(Kind::Review, marker, made.location);
            self.note(Kind::Comment, marker, None);
        }
        Ok(())
    }

    /// Opens a change request and returns its path, unless it is refused.
    async fn propose(&mut self, space: &str, marker: &str) -> Result<Option<String>> {
        let subject = Body::Json(json!({"subject": marker}));
        let made = self.insist(Method::POST, &format!("{space}/change-requests"), subject).await?;
        if !made.is_done() {
            return Ok(None);
        }
        let path = format!("{space}/change-requests/{}", made.id()?);
        self.note(Kind::ChangeRequest, marker, made.location);
        Ok(Some(path))
    }

    async fn make_site(&mut self, organization: &str, marker: &str) -> Result<()> {
        let body = Body::Json(json!({"title": marker}));
        let made = self.insist(Method::POST, &format!("{organization}/sites"), body).await?;
        if made.is_done() {
            self.sites.push(made.id()?);
            self.note(Kind::Site, marker, made.location);
        }
        Ok(())
    }

    async fn comment(&mut self, space: &str, marker: &str) -> Result<()> {
        let path = format!("{space}/comments");
        let body = Body::Json(json!({"body": {"markdown": marker}}));
        let made = self.insist(Method::POST, &path, body).await?;
        if made.is_done() {
            self.comments.push(format!("{path}/{}", made.id()?));
            self.note(Kind::Comment, marker, made.location);
        }
        Ok(())
    }

    async fn reply(&mut self, space: &str, marker: &str) -> Result<()> {
        let Some(comment) = self.dice.pick(&self.comments).cloned() else {
            return self.comment(space, marker).await;
        };
        let body = json!({"body": {"markdown": marker}});
        self.make(Kind::Reply, &format!("{comment}/replies"), body, marker).await
    }

    /// Creates a comment and deletes it.
    async fn uncomment(&mut self, space: &str, marker: &str) -> Result<()> {
        let path = format!("{space}/comments");
        let body = Body::Json(json!({"body": {"markdown": marker}}));
        let made = self.insist(Method::POST, &path, body).await?;
        if !made.is_done() {
            return Ok(());
        }
        let comment = format!("{path}/{}", made.id()?);
        let address = made.location.clone().unwrap_or_default();
        self.note(Kind::Comment, marker, made.location);
        let deleted = self.insist(Method::DELETE, &comment, Body::None).await?;
        if deleted.is_done() {
            lock(&self.ledger).delete(Kind::Comment, marker, &address);
        }
        Ok(())
    }

    fn page(marker: &str) -> Body {
        let document = json!({"markdown": format!("# {marker}\n\nText of {marker}.")});
        Body::Json(json!({"changes": [{"operation": "insert_page", "title": marker, "document": document}]}))
    }

    async fn write_page(&mut self, space: &str, marker: &str) -> Result<()> {
        let made = self.insist(Method::POST, &format!("{space}/content"), Self::page(marker)).await?;
        if made.is_done() {
            self.note(Kind::Page, marker, None);
        }
        Ok(())
    }

    async fn upload(&mut self, space: &str, marker: &str) -> Result<()> {
        let text = format!("content of {marker} ").repeat(2_000);
        let body = Body::File(marker.to_owned(), text.clone(), Vec::new());
        let made = self.insist(Method::POST, &format!("{space}/content/files"), body).await?;
        if made.is_done() {
            self.note(Kind::File, marker, None);
            lock(&self.ledger).files.insert(marker.to_owned(), text);
        }
        Ok(())
    }

    /// Opens a change request, writes into it and merges it, in three acknowledged steps.
    async fn merge(&mut self, space: &str, marker: &str) -> Result<()> {
        let Some(path) = self.propose(space, marker).await? else {
            return Ok(());
        };
        let written = self.insist(Method::POST, &format!("{path}/content"), Self::page(marker)).await?;
        if !written.is_done() {
            return Ok(());
        }
        let merged = self.insist(Method::POST, &format!("{path}/merge"), Body::None).await?;
        if merged.body.get("result").and_then(Value::as_str) == Some("merge") {
            self.note(Kind::Page, marker, None);
        }
        Ok(())
    }

    /// Imports a page in the background.
    async fn import(&mut self, space: &str, marker: &str) -> Result<()> {
        let text = format!("# {marker}\n\nImported {marker}.");
        let body = Body::File(format!("{marker}.md"), text, vec![("source", "markdown".to_owned())]);
        let made = self.insist(Method::POST, &format!("{space}/content/import"), body).await?;
        if made.is_done()
            && let Some(location) = made.location
        {
            lock(&self.ledger).imports.insert(location, marker.to_owned());
        }
        Ok(())
    }

    /// Changes the title of the space of this writer.
    async fn retitle(&mut self, marker: &str) -> Result<()> {
        let path = format!("/v1/spaces/{}", self.home);
        let changed = self.insist(Method::PATCH, &path, Body::Json(json!({"title": marker}))).await?;
        if changed.is_done() {
            let mut ledger = lock(&self.ledger);
            if let Some(before) = ledger.titles.insert(self.home.clone(), marker.to_owned()) {
                ledger.present.entry(Kind::Space).or_default().remove(&before);
            }
            ledger.present.entry(Kind::Space).or_default().insert(marker.to_owned());
        }
        Ok(())
    }
}
