//! Bodies with conditions.

use quire_domain::sites::HoldsConditions;
use serde::Deserialize;
use validator::{Validate, ValidationError, ValidationErrors, ValidationErrorsKind};

/// Body whose validation includes its conditions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct WithConditions<T>(pub(crate) T);

impl<T: Validate + HoldsConditions> Validate for WithConditions<T> {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut errors = self.0.validate().err().unwrap_or_default();
        for (path, condition) in self.0.conditions() {
            if let Err(error) = quire_conditions::check(condition) {
                let error = ValidationError::new("condition").with_message(error.to_string().into());
                errors.0.insert(path, ValidationErrorsKind::Field(vec![error]));
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
