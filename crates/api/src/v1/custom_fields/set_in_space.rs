//! `PATCH /v1/spaces/{spaceId}/custom-fields`

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use quire_domain::custom_fields::CustomFieldValuesUpdate;
use quire_domain::ids::SpaceId;
use quire_domain::policy::Action;
use serde_json::Value;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::preconditions::IfMatch;
use crate::state::State;
use crate::{present, respond};

/// Sets custom field values of a space atomically. `null` removes a value; other fields keep theirs.
pub async fn update_space_custom_fields(
    Caller(caller): Caller,
    Path(id): Path<SpaceId>,
    Json(CustomFieldValuesUpdate { values }): Json<CustomFieldValuesUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let values: BTreeMap<String, Option<Value>> =
        values.into_iter().map(|(name, value)| (name, value.value.map(Value::from))).collect();
    let urls = state.urls.clone();
    state
        .transact(caller, move |tx| {
            let space = tx.space(id)?.authorize(Action::EditContent)?;
            let locked = tx.lock_custom_fields(space, values)?;
            if_match.check_with(|| {
                let fields = tx.custom_fields_of_space(locked.space())?;
                present::space_custom_fields(&urls, locked.space(), fields)
            })?;
            Ok(tx.set_custom_fields(&locked)?)
        })
        .await?;
    Ok(respond::no_content())
}
