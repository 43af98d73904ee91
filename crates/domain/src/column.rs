//! Columns of PostgreSQL, through diesel: how the types of the domain are stored.

use diesel::sql_types::{SmallInt, Text, Timestamptz};
use quire_revision::column_type;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use time::OffsetDateTime;

use crate::clock::Timestamp;
use crate::role::Role;

/// Declares types that a column of the type `text` holds in their wire form.
macro_rules! text_columns {
    ($($name:ty,)+) => {
        column_type! {$(
            $name: Text as String, |stored: String| from_wire(stored), |value: &Self| value.as_str().to_owned();
        )+}
    };
}

text_columns! {
    crate::audit::AuditOutcome,
    crate::change_requests::Status,
    crate::custom_fields::CustomFieldType,
    crate::git::GitDirection,
    crate::git::GitOperationState,
    crate::git::GitProvider,
    crate::git_installations::GitPriority,
    crate::git_installations::GitTrigger,
    crate::integrations::IntegrationCategory,
    crate::integrations::IntegrationScope,
    crate::integrations::IntegrationTarget,
    crate::integrations::IntegrationVisibility,
    crate::integrations::Selection,
    crate::openapi_specs::ProcessError,
    crate::openapi_specs::ProcessingState,
    crate::openapi_specs::SpecSlug,
    crate::reviews::ReviewStatus,
    crate::revisions::RevisionType,
    crate::spaces::EditMode,
    crate::sites::SiteType,
    crate::sites::SiteVisibility,
    crate::translations::Language,
    crate::webhooks::DeliveryState,
    crate::webhooks::EventKind,
}

column_type! {
    Timestamp: Timestamptz as OffsetDateTime,
        |stored: OffsetDateTime| Self::try_from(stored), |time: &Self| time.to_datetime();
    Role: SmallInt as i16,
        |stored| Self::from_rank(stored).ok_or("a stored role has an unknown rank"), |role: &Self| role.rank();
}

fn from_wire<T: serde::de::DeserializeOwned>(word: String) -> Result<T, Error> {
    T::deserialize(IntoDeserializer::<Error>::into_deserializer(word))
}
