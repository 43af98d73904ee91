//! Policy rules that are repeated in statements, because they filter rows before a role is read. The assertions fail to
//! compile when the policy changes these rules.

use quire_domain::policy::{ADMINISTRATOR, Action};
use quire_domain::role::Role;

const fn needs_any_role(action: Action) -> bool {
    matches!(action.least_role(), Some(least) if least.rank() == Role::ALL[0].rank())
}

const _: () = assert!(
    needs_any_role(Action::ViewSpace) && needs_any_role(Action::ViewCollection),
    "statements take any role for enough to show a space or collection"
);

const _: () = assert!(
    ADMINISTRATOR.rank() == 6,
    "`effective_role`, `space_access` and the lists of spaces name this rank"
);
