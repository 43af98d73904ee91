//! The rows of one organization in each table.

use quire_domain::ids::OrganizationId;

use super::catalogue::{Catalogue, Table, quoted};
use crate::{Error, Result};

/// Returns the condition on rows of a table `t` that belong to an organization.
///
/// Tables of tenants are found by their column. Each global table has a rule here, so an unknown one is an error and is
/// never left out.
pub(super) fn condition(
    catalogue: &Catalogue,
    table: &Table,
    organization: OrganizationId,
) -> Result<String> {
    let of = format!("organization_id = '{organization}'");
    let spaces = format!("SELECT s.id FROM spaces s WHERE s.{of}");
    Ok(match table.name.as_str() {
        "organizations" => format!("t.id = '{organization}'"),
        // Keys that rows of the organization were sealed with, or derived from.
        "deployment_keys" => "true".to_owned(),
        "users" => users(catalogue, organization)?,
        "api_tokens" => format!(
            "(t.user_id IN (SELECT m.user_id FROM organization_members m WHERE m.{of}) \
              AND (t.organizations IS NULL OR '{organization}' = ANY (t.organizations)) \
              OR t.id IN (SELECT i.token_id FROM imports i WHERE i.space_id IN ({spaces})))"
        ),
        "integration_images" => {
            format!("t.integration_id IN (SELECT i.id FROM integrations i WHERE i.{of})")
        }
        "jobs" => format!(
            "(t.payload ->> 'organization' = '{organization}' \
              OR t.payload ->> 'space' IN (SELECT s.id::text FROM spaces s WHERE s.{of}))"
        ),
        // Kept for a day, for repeated requests to this deployment.
        "idempotency_keys" => "false".to_owned(),
        _ if table.has("organization_id") => format!("t.{of}"),
        _ if table.has("space_id") => format!("t.space_id IN ({spaces})"),
        name => {
            return Err(Error::Internal(
                "a table belongs to no tenant and has no rule",
                anyhow::anyhow!("{name}: snapshot/scope.rs decides about its rows"),
            ));
        }
    })
}

/// The users to whom rows of the organization refer: members, and authors who are no longer.
fn users(catalogue: &Catalogue, organization: OrganizationId) -> Result<String> {
    let mut ids = Vec::new();
    for key in catalogue.foreign_keys().iter().filter(|key| key.target == "users") {
        let (Some(table), [column]) = (catalogue.table(&key.table), key.columns.as_slice()) else { continue };
        let condition = condition(catalogue, table, organization)?;
        ids.push(format!("SELECT t.{} FROM {} t WHERE {condition}", quoted(column), table.quoted()));
    }
    Ok(format!("t.id IN ({})", ids.join(" UNION ")))
}
