//! The table of who may do what, as a page that anybody can read.

use std::fmt::Write as _;

use quire_domain::policy::{Action, Kind, Membership, allows};
use quire_domain::role::Role;

const GOLDEN: &str = include_str!("golden/policy.txt");

/// One table a kind of thing, one line an action, one column a caller.
fn tables() -> Result<String, std::fmt::Error> {
    let mut page = String::from("Who may do what.\n");
    for kind in [Kind::Space, Kind::Collection, Kind::Organization] {
        let nobody = if kind == Kind::Organization { "outsider  disabled  guest" } else { "no role" };
        let roles = Role::ALL.map(Role::as_str).join("  ");
        writeln!(page, "\n{:<24}{nobody}  {roles}", format!("{kind:?}"))?;
        for action in Action::ALL.into_iter().filter(|action| action.kinds().contains(&kind)) {
            let mut line = format!("{:<24}", format!("{action:?}"));
            for (caller, may) in callers(kind, action) {
                write!(line, "{:<width$}", if may { "yes" } else { "-" }, width = caller.len() + 2)?;
            }
            writeln!(page, "{}", line.trim_end())?;
        }
    }
    Ok(page)
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

#[test]
fn every_action_is_done_to_something() {
    assert!(Action::ALL.into_iter().all(|action| !action.kinds().is_empty()));
}
