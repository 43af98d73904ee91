//! A database with an organization, its administrator and an empty space.

use std::sync::Arc;

use anyhow::Context as _;
use quire_content::MarkupAnalyzer;
use quire_domain::Role;
use quire_domain::clock::{Clock, IdGenerator, Timestamp};
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use quire_domain::spaces::SpaceCreate;
use quire_storage::content::files::FileStore;
use quire_storage::content::spaces::Parent;
use quire_storage::lookup::Credentials;
use quire_storage::{Error, MIGRATIONS, Options, Storage, SystemStorage};
use tempfile::TempDir;
use time::OffsetDateTime;
use uuid::Uuid;

/// Space for the examples, with its storage.
pub struct Workspace {
    pub storage: Storage,
    pub credentials: Credentials,
    pub space: SpaceId,
    /// Bytes of files, removed with the workspace.
    _files: TempDir,
}

/// Migrates the database of `DATABASE_URL` to the current schema, and creates a space in a new organization.
pub fn open() -> anyhow::Result<Workspace> {
    #[expect(clippy::disallowed_methods, reason = "a program, not a library, reads its environment")]
    let url = std::env::var("DATABASE_URL").context("DATABASE_URL names no database")?;
    MIGRATIONS.run(&url)?;
    let folder = tempfile::tempdir()?;
    let (clock, ids) = (Arc::new(SystemClock), Arc::new(SystemIds));
    let files = FileStore::in_folder(folder.path())?;
    let system = SystemStorage::new(&Options::new(url), files, clock, ids, Arc::new(MarkupAnalyzer));
    let (organization, token) = system.transact(|tx| {
        let organization = tx.create_organization("Acme", "acme")?;
        let user = tx.find_or_create_user("ada@example.com", "Ada")?;
        tx.put_member(organization, user, Some(Role::Admin))?;
        Ok::<_, Error>((organization, tx.issue_token(user, "example", false, None)?.token))
    })?;
    let credentials = Credentials::from_token(&token).context("the token is malformed")?;
    let storage = system.storage().clone();
    let space = storage.transact(&credentials, |tx| {
        let organization = tx.organization(organization)?.authorize(Action::CreateContent)?;
        tx.create_space(Parent::Root(&organization), SpaceCreate::default())
    })?;
    Ok(Workspace { storage, credentials, space, _files: folder })
}

struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock of the program")]
    #[expect(clippy::expect_used, reason = "a machine that is set to the year 10000 can't run this")]
    fn now(&self) -> Timestamp {
        OffsetDateTime::now_utc().try_into().expect("the year is below 10000")
    }
}

struct SystemIds;

impl IdGenerator for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "these are the ids of the program")]
    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
