//! The same lists of a small and of a large organization.

use std::time::Duration;

use anyhow::{Context, Result};
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use quire_bench::client::{Client, text};
use reqwest::Method;
use serde::Serialize;
use serde_json::json;

use crate::database;
use crate::growth::percentile;
use crate::run::Run;

/// Measurements of each list in each organization.
const ROUNDS: usize = 40;

/// Numbers of members, teams of ten of them, sites, and sections of one space each on every site.
struct Size {
    members: usize,
    teams: usize,
    sites: usize,
    sections: usize,
}

const SIZES: [Size; 2] = [
    Size { members: 100, teams: 5, sites: 2, sections: 5 },
    Size { members: 10_000, teams: 500, sites: 200, sections: 50 },
];

/// A list's name, and its path.
type List = (&'static str, fn(&Paths) -> String);

/// A list's median in the small and in the large organization.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OrganizationList {
    pub(crate) list: &'static str,
    pub(crate) p50_ms_small: f64,
    pub(crate) p50_ms_large: f64,
}

/// Makes both organizations and reads the first page of each list, in turns.
pub(crate) async fn measure(run: &Run) -> Result<Vec<OrganizationList>> {
    let client = &run.client;
    let mut connection = PgConnection::establish(&database::url(&run.server)?)?;
    let mut organizations = Vec::new();
    for size in &SIZES {
        organizations.push(Paths::fill(client, &mut connection, size).await?);
    }
    connection.batch_execute("ANALYZE")?;
    let lists: [List; 7] = [
        ("members", |of| format!("{}/members", of.organization)),
        ("members by last visit", |of| format!("{}/members?sort=lastSeenAt", of.organization)),
        ("members by name", |of| format!("{}/members?search=person%2077", of.organization)),
        ("teams", |of| format!("{}/teams", of.organization)),
        ("sites", |of| format!("{}/sites", of.organization)),
        ("sections of a site", |of| format!("{}/sections?limit=5", of.site)),
        ("structure of a site", |of| format!("{}/structure", of.site)),
    ];
    let mut rows = Vec::new();
    for (list, path) in lists {
        let mut times: [Vec<Duration>; 2] = [const { Vec::new() }; 2];
        for _ in 0..ROUNDS {
            for (of, times) in organizations.iter().zip(&mut times) {
                times.push(client.call(Method::GET, &path(of), None).await?.1);
            }
        }
        let [mut small, mut large] = times;
        let (p50_ms_small, p50_ms_large) = (percentile(&mut small, 50), percentile(&mut large, 50));
        rows.push(OrganizationList { list, p50_ms_small, p50_ms_large });
    }
    Ok(rows)
}

/// The paths of an organization and of one of its sites.
struct Paths {
    organization: String,
    site: String,
}

impl Paths {
    /// Inserts rows directly: ten thousand invitations through the API would take minutes.
    async fn fill(client: &Client, connection: &mut PgConnection, size: &Size) -> Result<Self> {
        let (made, _) = client.call(Method::POST, "/v1/orgs", Some(&json!({"title": "Bench"}))).await?;
        let id = text(&made, "/id")?;
        let organization = format!("/v1/orgs/{id}");
        let (space, _) =
            client.call(Method::POST, &format!("{organization}/spaces"), Some(&json!({}))).await?;
        connection.batch_execute(&rows(&id, &text(&space, "/id")?, size))?;
        let sites = format!("{organization}/sites?limit=1");
        let (sites, _) = client.call(Method::GET, &sites, None).await?;
        let site = text(&sites, "/items/0/id").context("the organization has sites")?;
        Ok(Self { site: format!("{organization}/sites/{site}"), organization })
    }
}

fn rows(id: &str, space: &str, size: &Size) -> String {
    let Size { members, teams, sites, sections } = size;
    format!(
        "BEGIN; \
         CREATE TEMP TABLE people ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {members}) n; \
         INSERT INTO users (id, email, display_name, created_at) \
         SELECT id, 'person-' || id || '@example.com', 'Person ' || n, now() FROM people; \
         INSERT INTO organization_members (organization_id, user_id, role, joined_at, last_seen_at) \
         SELECT '{id}', id, 1, now() - n * interval '1 second', now() - n * interval '1 minute' FROM people; \
         CREATE TEMP TABLE groups ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {teams}) n; \
         INSERT INTO teams (organization_id, id, title, created_at) \
         SELECT '{id}', id, 'Team ' || n, now() - n * interval '1 second' FROM groups; \
         INSERT INTO team_members (organization_id, team_id, user_id, role) \
         SELECT '{id}', g.id, p.id, 'member' FROM groups g JOIN people p ON p.n % {teams} = g.n % {teams} AND p.n <= 10 * {teams}; \
         CREATE TEMP TABLE places ON COMMIT DROP AS SELECT n, gen_random_uuid() AS id FROM generate_series(1, {sites}) n; \
         INSERT INTO sites (organization_id, id, type, title, visibility, published, created_at) \
         SELECT '{id}', id, 'basic', 'Site ' || n, 'public', true, now() - n * interval '1 second' FROM places; \
         INSERT INTO site_sections (organization_id, site_id, id, title, path, position) \
         SELECT '{id}', p.id, gen_random_uuid(), 'Section ' || s, 'section-' || s, 'a' || to_char(s, 'FM000') \
         FROM places p, generate_series(1, {sections}) s; \
         INSERT INTO site_spaces (organization_id, site_id, id, section_id, space_id, path, position) \
         SELECT x.organization_id, x.site_id, gen_random_uuid(), x.id, '{space}', 'guide', 'a0' FROM site_sections x \
         WHERE x.organization_id = '{id}'; \
         COMMIT"
    )
}
