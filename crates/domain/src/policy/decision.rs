//! Decision about one action on one record.

use super::Action;

/// Facts about an actor and a record that decide an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The actor may see the record.
    pub visible: bool,
    /// The actor's role allows the action.
    pub by_role: bool,
    /// The actor has the relation to the record that allows the action.
    pub by_relation: bool,
    /// The limits of the token allow the action.
    pub by_token: bool,
    /// The organization that owns the record is blocked.
    pub blocked: bool,
}

/// Outcome of an authorization. The order is the one in which refusals are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// The response is the same as for a record that does not exist.
    Hidden,
    /// The record is visible, but the role or the token does not allow the action.
    Forbidden,
    /// The role allows the action, but the organization is blocked, so that only reads are possible.
    Blocked,
    /// The action is allowed.
    Allowed,
}

/// Decides an action on a record.
pub const fn decide(action: Action, facts: Facts) -> Decision {
    if !facts.visible {
        return Decision::Hidden;
    }
    if !(facts.by_role || facts.by_relation) || !facts.by_token {
        return Decision::Forbidden;
    }
    let is_exempt = action.is_read() || (facts.by_relation && action.outlasts_block());
    if facts.blocked && !is_exempt { Decision::Blocked } else { Decision::Allowed }
}

#[cfg(test)]
mod tests {
    use super::Decision::{Allowed, Blocked, Forbidden, Hidden};
    use super::*;

    #[test]
    fn every_fact_has_its_refusal() {
        let facts = |visible, by_role, by_relation, by_token, blocked| Facts {
            visible,
            by_role,
            by_relation,
            by_token,
            blocked,
        };
        let (view, edit, leave) = (Action::ViewSpace, Action::EditContent, Action::RemoveMember);
        #[rustfmt::skip]
        let table = [
            // action  visible by_role by_relation by_token blocked
            (view,  facts(false, true,  true,  true,  false), Hidden),
            (view,  facts(true,  true,  false, true,  false), Allowed),
            (view,  facts(true,  true,  false, true,  true),  Allowed),
            (edit,  facts(true,  true,  false, true,  false), Allowed),
            (edit,  facts(true,  false, true,  true,  false), Allowed),
            (edit,  facts(true,  false, false, true,  false), Forbidden),
            (edit,  facts(true,  true,  true,  false, false), Forbidden),
            (edit,  facts(true,  true,  false, true,  true),  Blocked),
            (edit,  facts(true,  false, true,  true,  true),  Blocked),
            (edit,  facts(true,  false, false, true,  true),  Forbidden),
            (edit,  facts(false, false, false, false, true),  Hidden),
            (leave, facts(true,  false, true,  true,  true),  Allowed),
            (leave, facts(true,  true,  false, true,  true),  Blocked),
            (leave, facts(true,  false, true,  false, true),  Forbidden),
        ];
        for (action, facts, expected) in table {
            assert_eq!(decide(action, facts), expected, "{action:?} {facts:?}");
        }
    }
}
