//! Claims of visitors in expressions.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quire_conditions::Visitor;
use quire_content::reading::Expressions;
use quire_content::visible::is_bounded;
use sha2::{Digest as _, Sha256};

use crate::prelude::*;

/// Claims that conditions and inline expressions are evaluated with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claims(Arc<Value>);

impl Default for Claims {
    fn default() -> Self {
        Self(Arc::new(json!({})))
    }
}

impl From<&Value> for Claims {
    fn from(claims: &Value) -> Self {
        Self(Arc::new(claims.clone()))
    }
}

impl Claims {
    /// Returns the evaluator of one answer, which bounds the work of all its expressions together.
    pub(crate) fn evaluator(&self) -> Evaluator {
        Evaluator(Visitor::new(&self.0))
    }

    /// Returns a text that differs for other claims, for entity tags.
    pub(crate) fn digest(&self) -> String {
        format!("visitor {}", URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.to_string())))
    }
}

/// Evaluator of expressions.
pub(crate) struct Evaluator(Visitor);

impl Expressions for Evaluator {
    fn holds(&self, condition: &str) -> bool {
        is_bounded(condition) && self.0.meets(condition)
    }

    fn text(&self, expression: &str) -> Option<String> {
        is_bounded(expression).then(|| self.0.text(expression)).flatten()
    }
}
