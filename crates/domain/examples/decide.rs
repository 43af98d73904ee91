//! Example program that embeds the access rules: the role of a member whose team may review, and the actions on a
//! change request that this role allows.
//!
//! `cargo run -p quire-domain --no-default-features --example decide`

use std::io::{self, Write as _};

use quire_domain::change_requests::{Event, Status};
use quire_domain::policy::{Action, Grant, Relation, allows, allows_related, effective_role};
use quire_domain::{Membership, Role};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();

    // The member's team may review in the collection above the space. The space's own default level is `edit`.
    let grants = [Grant { distance: 1, role: Role::Review }];
    let role = effective_role(Membership::Member(Role::Read), grants, Some(Role::Edit));
    writeln!(out, "role on the space: {}", role.map_or("none", Role::as_str))?;

    let mut status = Status::Draft;
    for event in [Event::EditContent, Event::SetOpen, Event::Merge, Event::EditContent] {
        let action = event.required_action();
        if !allows(role, action) {
            writeln!(out, "{event:?} needs {action:?}: not allowed")?;
            continue;
        }
        match status.apply(event) {
            Ok(next) => {
                writeln!(out, "{event:?} needs {action:?}: {} -> {}", status.as_str(), next.as_str())?;
                status = next;
            }
            Err(refused) => writeln!(out, "{event:?}: {refused}: {}", refused.reason().message())?,
        }
    }

    // A relation allows what the role does not: authors delete their own comments.
    let delete = |relation| allows_related(role, relation, Action::DeleteComment);
    writeln!(out, "delete a comment of another user: {}", delete(None))?;
    writeln!(out, "delete a comment of one's own: {}", delete(Some(Relation::Author)))
}
