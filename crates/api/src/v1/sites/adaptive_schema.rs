//! Schemas of the claims of visitors.

use quire_conditions::{Problem, schema_problems};
use quire_domain::bounds::ADAPTIVE_SCHEMA_MAX;
use quire_domain::sites::{AdaptiveSchema, AdaptiveSchemaUpdate};

use super::{SitePath, lock, read};
use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const ADAPTIVE_SCHEMA: Resource =
        Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/adaptive-schema", Some(Object::Site));
    let view = Needs(Action::ViewOrganizationContent);
    let manage = Needs(Action::ManageSites);
    vec![
        Route::get(ADAPTIVE_SCHEMA, view, "Get a site's claims schema", get_site_adaptive_schema)
            .answers::<AdaptiveSchema>(200),
        Route::put(ADAPTIVE_SCHEMA, manage, "Replace a site's claims schema", update_site_adaptive_schema)
            .body::<AdaptiveSchemaUpdate>()
            .answers::<AdaptiveSchema>(200),
    ]
}

async fn get_site_adaptive_schema(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let schema = state
        .read(caller, move |reader| {
            let site = read(reader, path)?;
            Ok(reader.adaptive_schema(&site)?)
        })
        .await?;
    respond::ok(&request, &schema)
}

async fn update_site_adaptive_schema(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    Json(body): Json<AdaptiveSchemaUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let schema = Value::Object(body.json_schema);
    // The caller is authorized before the schema is checked, so that others get no details.
    state
        .read(caller, move |reader| {
            Ok(reader.site(path.0, path.1)?.authorize(quire_domain::policy::Action::ManageSites)?)
        })
        .await?;
    let schema = state
        .compute(move |_| {
            check(&schema)?;
            Ok(schema)
        })
        .await?;
    let stored = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            match tx.adaptive_schema(&site) {
                Ok(stored) => if_match.check(&stored)?,
                Err(quire_storage::Error::NotFound) => if_match.check_absent()?,
                Err(error) => return Err(error.into()),
            }
            tx.put_adaptive_schema(&site, &schema)?;
            Ok(tx.adaptive_schema(&site)?)
        })
        .await?;
    respond::changed(&stored)
}

/// Checks that a body holds an adaptive schema.
fn check(schema: &Value) -> ApiResult<()> {
    if schema.to_string().len() > ADAPTIVE_SCHEMA_MAX {
        return Err(ApiError::invalid_field(
            "jsonSchema",
            format!("must have at most {ADAPTIVE_SCHEMA_MAX} bytes"),
        ));
    }
    let problems = schema_problems(schema);
    if problems.is_empty() {
        return Ok(());
    }
    let field = |path: &str| match path {
        "" => "jsonSchema".to_owned(),
        path if path.starts_with('[') => format!("jsonSchema{path}"),
        path => format!("jsonSchema.{path}"),
    };
    let details =
        problems.into_iter().map(|Problem { path, message }| FieldError { field: field(&path), message });
    Err(ApiError::new(Reason::InvalidBody).with_details(details.collect()))
}
