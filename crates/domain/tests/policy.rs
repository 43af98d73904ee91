//! Tables of allowed actions and effective roles, compared with golden files that are readable without Rust.

use std::fmt::Write as _;

use quire_domain::policy::{
    Action, Grant, Kind, Membership, OwnAction, Relation, TokenLimits, allows, effective_role,
};
use quire_domain::role::Role;
use quire_domain::{change_requests, comments, spaces};

const GOLDEN: &str = include_str!("golden/policy.txt");
const ROLES: &str = include_str!("golden/roles.txt");

/// Tables of actions: one table per kind of resource, one line per action, one column per caller.
fn tables() -> Result<String, std::fmt::Error> {
    let mut page = String::from("Who may do what.\n");
    for kind in [Kind::Space, Kind::Collection, Kind::Organization] {
        let without = if kind == Kind::Organization { "outsider  disabled  guest" } else { "no role" };
        let roles = Role::ALL.map(Role::as_str).join("  ");
        writeln!(page, "\n{:<24}{without}  {roles}", format!("{kind:?}"))?;
        for action in Action::ALL.into_iter().filter(|action| action.kinds().contains(&kind)) {
            let mut line = format!("{:<24}", format!("{action:?}"));
            for (caller, may) in callers(kind, action) {
                write!(line, "{:<width$}", if may { "yes" } else { "-" }, width = caller.len() + 2)?;
            }
            writeln!(page, "{}", line.trim_end())?;
        }
    }
    relations(&mut page)?;
    own_actions(&mut page)?;
    events(&mut page)?;
    Ok(page)
}

/// Actions that a relation allows to users who may see the resource, or forbids.
fn relations(page: &mut String) -> std::fmt::Result {
    writeln!(page, "\n{:<24}allowed to  forbidden to  even while blocked", "Relation")?;
    for action in Action::ALL {
        let given = action.relation().map(|relation| format!("{relation:?}"));
        let barred = Relation::ALL.into_iter().find(|relation| action.is_barred_by(*relation));
        let barred = barred.map(|relation| format!("{relation:?}"));
        if given.is_none() && barred.is_none() {
            continue;
        }
        let name = |relation: Option<String>| relation.unwrap_or_else(|| "-".to_owned());
        let outlasts = if action.outlasts_block() { "yes" } else { "-" };
        writeln!(page, "{:<24}{:<12}{:<14}{outlasts}", format!("{action:?}"), name(given), name(barred))?;
    }
    Ok(())
}

/// Actions that the events of the state machines require.
fn events(page: &mut String) -> std::fmt::Result {
    use change_requests::Event::{EditContent, Merge, Review, SetArchived, SetDraft, SetOpen, Update};
    writeln!(page, "\n{:<28}needs", "Event")?;
    for event in [SetDraft, SetOpen, SetArchived, Merge, Update, EditContent, Review] {
        writeln!(page, "{:<28}{:?}", format!("change request {event:?}"), event.required_action())?;
    }
    for event in [comments::Event::Resolve { by: () }, comments::Event::Reopen] {
        let name = if matches!(event, comments::Event::Reopen) { "Reopen" } else { "Resolve" };
        writeln!(page, "{:<28}{:?}", format!("comment {name}"), event.required_action())?;
    }
    for event in [spaces::Event::Delete, spaces::Event::Restore] {
        writeln!(page, "{:<28}{:?}", format!("space {event:?}"), event.required_action())?;
    }
    Ok(())
}

/// Actions that depend on the limits of the token, not on a role.
fn own_actions(page: &mut String) -> std::fmt::Result {
    writeln!(page, "\n{:<24}any token  read-only  for certain organizations", "Own")?;
    for action in OwnAction::ALL {
        let may = |read_only, organizations| {
            if (TokenLimits { read_only, organizations }).allow_own(action) { "yes" } else { "-" }
        };
        let (any, reads, limited) = (may(false, false), may(true, false), may(false, true));
        writeln!(page, "{:<24}{any:<11}{reads:<11}{limited}", format!("{action:?}"))?;
    }
    Ok(())
}

fn callers(kind: Kind, action: Action) -> Vec<(&'static str, bool)> {
    let mut callers = match kind {
        Kind::Organization => vec![
            ("outsider", Membership::Outsider.allows(action)),
            ("disabled", Membership::Disabled.allows(action)),
            ("guest", Membership::Guest.allows(action)),
        ],
        Kind::Space | Kind::Collection => vec![("no role", allows(None, action))],
    };
    callers.extend(Role::ALL.map(|role| {
        let may = match kind {
            Kind::Organization => Membership::Member(role).allows(action),
            Kind::Space | Kind::Collection => allows(Some(role), action),
        };
        (role.as_str(), may)
    }));
    callers
}

#[test]
fn the_table_is_the_one_that_was_agreed() {
    let tables = tables().unwrap();
    assert_eq!(tables, GOLDEN, "if the change is meant, tests/golden/policy.txt must say:\n{tables}");
}

/// Table of roles: one line per membership; one column per default level, then one per set of grants at the level
/// `edit`.
fn roles() -> Result<String, std::fmt::Error> {
    let members = Role::ALL.map(|role| (role.as_str(), Membership::Member(role)));
    let others = [
        ("outsider", Membership::Outsider),
        ("disabled", Membership::Disabled),
        ("guest", Membership::Guest),
    ];
    let name = |role: Option<Role>| role.map_or("-", Role::as_str);
    let grant = |distance, role| Grant { distance, role };
    let grants: [(&str, Vec<Grant>); 4] = [
        ("read here", vec![grant(0, Role::Read)]),
        ("review above", vec![grant(1, Role::Review)]),
        ("comment here, admin above", vec![grant(0, Role::Comment), grant(1, Role::Admin)]),
        ("read and create here", vec![grant(0, Role::Read), grant(0, Role::Create)]),
    ];
    let mut page =
        String::from("The role on a space or collection.\n\nWithout a grant, by its default level:\n\n");
    let levels: Vec<Option<Role>> = [None].into_iter().chain(Role::ALL.map(Some)).collect();
    let heads = levels.iter().map(|level| level.map_or("by grant", Role::as_str));
    writeln!(page, "{:<10}{}", "Membership", heads.map(|head| format!("{head:>10}")).collect::<String>())?;
    for (who, membership) in others.into_iter().chain(members) {
        let found = levels.iter().map(|level| name(effective_role(membership, [], *level)));
        writeln!(page, "{who:<10}{}", found.map(|role| format!("{role:>10}")).collect::<String>())?;
    }
    writeln!(page, "\nWith grants, where the default level is `edit`:\n")?;
    let heads = grants.iter().map(|(head, _)| format!("{head:>27}")).collect::<String>();
    writeln!(page, "{:<10}{heads}", "Membership")?;
    for (who, membership) in others.into_iter().chain(members) {
        let found = grants.iter().map(|(_, grants)| {
            // Grants depend on membership: an outsider has none.
            let grants = grants.iter().copied().filter(|_| membership != Membership::Outsider);
            format!("{:>27}", name(effective_role(membership, grants, Some(Role::Edit))))
        });
        writeln!(page, "{who:<10}{}", found.collect::<String>())?;
    }
    Ok(page)
}

#[test]
fn the_roles_are_those_that_were_agreed() {
    let roles = roles().unwrap();
    assert_eq!(roles, ROLES, "if the change is meant, tests/golden/roles.txt must say:\n{roles}");
}

#[test]
fn every_action_is_done_to_something() {
    assert!(Action::ALL.into_iter().all(|action| !action.kinds().is_empty()));
}
