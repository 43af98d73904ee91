//! Roles computed by the database equal those of the policy.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, SmallInt};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use quire_domain::Role;
use quire_domain::policy::{Grant, Membership, effective_role};
use quire_storage::MIGRATIONS;
use quire_test_support::TestDatabase;

/// One organization, a space in two nested collections, and a user in one team.
pub const FIXTURE: &str = "
    INSERT INTO organizations (id, title, created_at) VALUES ('00000000-0000-0000-0000-0000000000a0', 'Acme', now());
    INSERT INTO users (id, email, display_name, created_at) VALUES ('00000000-0000-0000-0000-0000000000b0', 'ada@example.com', 'Ada', now());
    INSERT INTO teams (organization_id, id, title, created_at)
        VALUES ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000c0', 'Writers', now());
    INSERT INTO collections (organization_id, id, parent_id, path, title, position, created_at, updated_at) VALUES
        ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000d2', NULL,
         '{00000000-0000-0000-0000-0000000000d2}', 'Outer', '80', now(), now()),
        ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000d1', '00000000-0000-0000-0000-0000000000d2',
         '{00000000-0000-0000-0000-0000000000d2,00000000-0000-0000-0000-0000000000d1}', 'Inner', '80', now(), now());
    BEGIN;
    INSERT INTO spaces (id, organization_id, collection_id, title, emoji, position, head_revision, created_at, updated_at) VALUES
        ('00000000-0000-0000-0000-0000000000e0', '00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000d1',
         'Guide', '-', '80', '00000000-0000-0000-0000-0000000000f0', now(), now());
    INSERT INTO revisions (space_id, id, type, parents, root, created_at) VALUES
        ('00000000-0000-0000-0000-0000000000e0', '00000000-0000-0000-0000-0000000000f0', 'edits', '{}', sha256(''), now());
    COMMIT;
";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Nullable<SmallInt>)]
    role: Option<i16>,
}

/// Grant to the user, directly or through the team.
#[derive(Clone, Copy, Debug)]
pub struct StoredGrant {
    /// Grant.
    pub grant: Grant,
    /// `true` if the team has the grant instead of the user.
    pub to_team: bool,
}

fn place(distance: u32) -> (&'static str, &'static str) {
    match distance {
        0 => ("space_id", "00000000-0000-0000-0000-0000000000e0"),
        1 => ("collection_id", "00000000-0000-0000-0000-0000000000d1"),
        _ => ("collection_id", "00000000-0000-0000-0000-0000000000d2"),
    }
}

pub fn rank(role: Option<Role>) -> String {
    role.map_or_else(|| "NULL".to_owned(), |role| role.rank().to_string())
}

/// Stores a membership of the user, and the grants to the user and the team.
pub fn put(connection: &mut PgConnection, membership: Membership, given: &[StoredGrant]) -> QueryResult<()> {
    let member = match membership {
        Membership::Outsider => None,
        Membership::Disabled => Some((Some(Role::Admin), true)),
        Membership::Guest => Some((None, false)),
        Membership::Member(role) => Some((Some(role), false)),
    };
    if let Some((role, disabled)) = member {
        connection.batch_execute(&format!(
            "INSERT INTO organization_members (organization_id, user_id, role, disabled, joined_at) VALUES \
             ('00000000-0000-0000-0000-0000000000a0', '00000000-0000-0000-0000-0000000000b0', {}, {disabled}, now()); \
             INSERT INTO team_members (organization_id, team_id, user_id, role) VALUES ('00000000-0000-0000-0000-0000000000a0', \
             '00000000-0000-0000-0000-0000000000c0', '00000000-0000-0000-0000-0000000000b0', 'member')",
            rank(role)
        ))?;
        for StoredGrant { grant, to_team } in given {
            let (column, id) = place(grant.distance);
            let (holder, holder_id) = if *to_team { ("team_id", "c0") } else { ("user_id", "b0") };
            connection.batch_execute(&format!(
                "INSERT INTO content_grants (organization_id, id, {column}, {holder}, role, created_at) VALUES \
                 ('00000000-0000-0000-0000-0000000000a0', gen_random_uuid(), '{id}', '00000000-0000-0000-0000-0000000000{holder_id}', {}, now()) \
                 ON CONFLICT DO NOTHING",
                grant.role.rank()
            ))?;
        }
    }
    Ok(())
}

/// Generates grants, at most one per holder and object.
pub fn grants() -> impl Strategy<Value = Vec<StoredGrant>> {
    let given = (0_u32..3, prop::sample::select(Role::ALL.to_vec()), any::<bool>())
        .prop_map(|(distance, role, to_team)| StoredGrant { grant: Grant { distance, role }, to_team });
    prop::collection::vec(given, 0..5).prop_map(|grants| {
        let mut kept: Vec<StoredGrant> = Vec::new();
        for new in grants {
            let same =
                |old: &StoredGrant| old.to_team == new.to_team && old.grant.distance == new.grant.distance;
            if !kept.iter().any(same) {
                kept.push(new);
            }
        }
        kept
    })
}

/// Returns all memberships.
pub fn memberships() -> Vec<Membership> {
    let others = [Membership::Outsider, Membership::Disabled, Membership::Guest];
    others.into_iter().chain(Role::ALL.map(Membership::Member)).collect()
}

/// Returns the role of the policy. Grants require a membership, so an outsider has none.
pub fn expected(membership: Membership, given: &[StoredGrant], level: Option<Role>) -> Option<Role> {
    let given = given.iter().filter(|_| membership != Membership::Outsider);
    effective_role(membership, given.map(|given| given.grant), level)
}

/// Returns the role that the database computes, and rolls everything back.
fn found(
    connection: &mut PgConnection,
    membership: Membership,
    given: &[StoredGrant],
    level: Option<Role>,
) -> Option<Role> {
    let mut role = None;
    connection.test_transaction(|connection| {
        put(connection, membership, given)?;
        let query = format!(
            "SELECT (SELECT er.role FROM effective_role(m.role, m.disabled, s.organization_id, u.id, s.id, c.path, {}::smallint) AS er) AS role \
             FROM users u CROSS JOIN spaces s JOIN collections c ON c.id = s.collection_id \
             LEFT JOIN organization_members m ON m.organization_id = s.organization_id AND m.user_id = u.id",
            rank(level)
        );
        role = diesel::sql_query(query).get_result::<Found>(connection)?.role;
        Ok::<_, diesel::result::Error>(())
    });
    role.map(|rank| Role::from_rank(rank).unwrap())
}

/// Returns the SQL that counts users with a role, for [`FIXTURE`].
fn count_of_roles(role: Option<Role>) -> String {
    let count = include_str!("../../src/people/permissions/count_roles.sql");
    let arguments = [
        ("$1", "'00000000-0000-0000-0000-0000000000a0'::uuid".to_owned()),
        ("$2", "'00000000-0000-0000-0000-0000000000e0'::uuid".to_owned()),
        ("$3", "NULL::uuid".to_owned()),
        ("$4", format!("{}::smallint", rank(role))),
    ];
    let bound = |sql: String, (name, value): &(&str, String)| sql.replace(name, value);
    let sql = arguments.iter().fold(count.to_owned(), bound);
    format!(
        "SELECT ({})::smallint AS role",
        sql.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n")
    )
}

#[test]
fn users_with_a_role_are_counted_as_each_role_is_found() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FIXTURE).unwrap();
    let connection = std::cell::RefCell::new(connection);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(100) });
    let cases = (
        prop::sample::select(memberships()),
        grants(),
        prop::option::of(prop::sample::select(Role::ALL.to_vec())),
        prop::sample::select(Role::ALL.to_vec()),
    );
    let run = runner.run(&cases, |(membership, given, level, asked)| {
        let expected = expected(membership, &given, level);
        let mut counts = Vec::new();
        connection.borrow_mut().test_transaction(|connection| {
            put(connection, membership, &given)?;
            connection.batch_execute(&format!("UPDATE spaces SET default_level = {}", rank(level)))?;
            for role in [None, Some(asked)] {
                counts.push(diesel::sql_query(count_of_roles(role)).get_result::<Found>(connection)?.role);
            }
            Ok::<_, diesel::result::Error>(())
        });
        let with_asked = i16::from(expected == Some(asked));
        prop_assert_eq!(counts, [Some(i16::from(expected.is_some())), Some(with_asked)]);
        Ok(())
    });
    run.unwrap();
}

#[test]
fn the_database_and_the_policy_find_the_same_role() {
    let database = TestDatabase::create("quire", |url| drop(MIGRATIONS.run(url).unwrap()));
    let mut connection = PgConnection::establish(&database.url).unwrap();
    connection.batch_execute(FIXTURE).unwrap();
    let roles = prop::option::of(prop::sample::select(Role::ALL.to_vec()));
    let cases = (prop::sample::select(memberships()), grants(), roles);
    // Each membership at each level, without grants.
    for membership in memberships() {
        for level in [None].into_iter().chain(Role::ALL.map(Some)) {
            let expected = effective_role(membership, [], level);
            assert_eq!(found(&mut connection, membership, &[], level), expected, "{membership:?} {level:?}");
        }
    }
    let connection = std::cell::RefCell::new(connection);
    let mut runner = TestRunner::new(Config { cases: 100, failure_persistence: None, ..Config::default() });
    runner
        .run(&cases, |(membership, given, level)| {
            let role = found(&mut connection.borrow_mut(), membership, &given, level);
            prop_assert_eq!(role, expected(membership, &given, level));
            Ok(())
        })
        .unwrap();
}
