//! Migrations of this binary, and their steps that SQL cannot do.

mod email_domains;

use diesel_migrations::{EmbeddedMigrations, embed_migrations};
pub use quire_database::migrations::{Migrations, Status, Step};

static SCRIPTS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// Migrations of this binary.
pub static MIGRATIONS: Migrations<'static> = Migrations {
    source: &SCRIPTS,
    steps: &[Step { version: email_domains::VERSION, run: email_domains::encode }],
};

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection as _;
    use diesel::migration::{Migration, MigrationMetadata, MigrationName, MigrationSource, MigrationVersion};
    use diesel::pg::Pg;
    use diesel::prelude::*;
    use quire_database::migrations::statements_of;
    use quire_test_support::TestDatabase;

    use super::*;
    use crate::Error;

    /// Migrations of a later binary.
    struct Later(Vec<(&'static str, &'static str)>);

    fn with(later: &Later) -> Migrations<'_> {
        Migrations { source: later, ..MIGRATIONS }
    }

    struct Added(&'static str, &'static str);

    impl MigrationSource<Pg> for Later {
        fn migrations(&self) -> diesel::migration::Result<Vec<Box<dyn Migration<Pg>>>> {
            let mut migrations = MigrationSource::<Pg>::migrations(&SCRIPTS)?;
            for (version, sql) in &self.0 {
                migrations.push(Box::new(Added(version, sql)));
            }
            Ok(migrations)
        }
    }

    impl Migration<Pg> for Added {
        fn run(
            &self,
            connection: &mut dyn diesel::connection::BoxableConnection<Pg>,
        ) -> diesel::migration::Result<()> {
            Ok(connection.batch_execute(self.1)?)
        }

        fn revert(
            &self,
            _: &mut dyn diesel::connection::BoxableConnection<Pg>,
        ) -> diesel::migration::Result<()> {
            Ok(())
        }

        fn metadata(&self) -> &dyn MigrationMetadata {
            self
        }

        fn name(&self) -> &dyn MigrationName {
            self
        }
    }

    impl MigrationMetadata for Added {}

    impl MigrationName for Added {
        fn version(&self) -> MigrationVersion<'_> {
            MigrationVersion::from(self.0)
        }
    }

    impl std::fmt::Display for Added {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    #[test]
    fn a_migration_that_fails_leaves_the_database_to_the_older_binary() {
        let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
        let later = Later(vec![
            ("20990101000000", "ALTER TABLE users ADD COLUMN nickname text"),
            ("20990102000000", "UPDATE users SET nickname = 1 / 0; SELECT 1 / 0"),
        ]);
        let error = with(&later).run(&database.url).unwrap_err();
        assert!(matches!(error, Error::Internal("a migration failed and changed nothing", _)), "{error:?}");
        // The failed migration and the one before it were rolled back.
        assert_eq!(MIGRATIONS.status(&database.url).unwrap(), Status::Current);
        assert_eq!(MIGRATIONS.run(&database.url).unwrap(), Vec::<String>::new());
        let mut connection = PgConnection::establish(&database.url).unwrap();
        assert!(connection.batch_execute("SELECT nickname FROM users").is_err());

        let repaired = Later(vec![later.0[0], ("20990102000000", "UPDATE users SET nickname = 'n'")]);
        assert_eq!(with(&repaired).run(&database.url).unwrap(), ["20990101000000", "20990102000000"]);
        // From now on, the older binary refuses to start and reports the reason.
        let refused = MIGRATIONS.run(&database.url).unwrap_err();
        assert!(
            matches!(refused, Error::Internal("the database is newer than this binary", _)),
            "{refused:?}"
        );
    }

    /// PostgreSQL refuses a prepared statement that contains several.
    #[test]
    fn migrations_are_sent_one_statement_at_a_time() {
        let database = TestDatabase::create("empty", |_| {});
        let mut connection = PgConnection::establish(&database.url).unwrap();
        for migration in MigrationSource::<Pg>::migrations(&SCRIPTS).unwrap() {
            for statement in statements_of(&*migration).unwrap() {
                let run = diesel::sql_query(&statement).execute(&mut connection);
                assert!(run.is_ok(), "{statement}: {run:?}");
            }
        }
    }

    #[test]
    fn every_migration_runs_in_a_transaction() {
        for migration in MigrationSource::<Pg>::migrations(&SCRIPTS).unwrap() {
            assert!(migration.metadata().run_in_transaction(), "{}", migration.name());
        }
    }
}
