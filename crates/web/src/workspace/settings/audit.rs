//! `/o/{organizationId}/audit`: completed and refused actions with their actors.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::audit::{AuditEntry, AuditOutcome, AuditQuery};
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_domain::policy::Action;
use quire_server::ApiResult;
use quire_storage::lookup::Credentials;
use quire_storage::operations::audit::{AuditPosition, RecordedActor};

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::{counted, name_of};
use crate::workspace::tables::table;

/// Parameters of the filter, as the form writes them.
#[derive(Debug, Default)]
struct Filter {
    actor: String,
    operation: String,
    outcome: String,
    from: String,
    to: String,
}

impl Filter {
    fn of(request: &HttpRequest) -> Self {
        let of = |name| parameter(request, name).unwrap_or_default().trim().to_owned();
        Self {
            actor: of("actor"),
            operation: of("operation"),
            outcome: of("outcome"),
            from: of("from"),
            to: of("to"),
        }
    }

    fn pairs(&self) -> [(&str, &str); 5] {
        [
            ("actor", &self.actor),
            ("operation", &self.operation),
            ("outcome", &self.outcome),
            ("from", &self.from),
            ("to", &self.to),
        ]
    }

    /// Returns the query. Unreadable parameters are ignored.
    fn query(&self) -> AuditQuery {
        let day = |text: &str, time: &str| format!("{text}T{time}Z").parse::<Timestamp>().ok();
        let outcomes = [AuditOutcome::Done, AuditOutcome::Refused];
        AuditQuery {
            actor: self.actor.parse().ok(),
            operation: Some(self.operation.clone()).filter(|operation| !operation.is_empty()),
            outcome: outcomes.into_iter().find(|outcome| outcome.as_str() == self.outcome),
            from: day(&self.from, "00:00:00.000"),
            to: day(&self.to, "23:59:59.999"),
            ..AuditQuery::default()
        }
    }
}

pub(super) async fn page(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let filter = Filter::of(request);
    let query = filter.query();
    let list = format!("audit log in the settings of {id}: {query:?}");
    let below: Option<AuditPosition> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::InspectOrganization, move |reader, organization| {
            Ok(reader.audit_entries(organization, &query, below, MOST)?)
        })
        .await?;
    let Some(entries) = found else { return Ok(settings.refuse(Area::Audit, "admin")) };
    let cursor = next(&entries, &list, AuditPosition::of)?;
    let content = html! {
        p.sub { (counted(entries.total, "entry", "entries")) }
        (form(&settings, &filter))
        @if entries.items.is_empty() {
            (empty("No entries here", "Changes of the organization and of its content are recorded. No entry matches the filter."))
        } @else {
            (table("Audit log", &[("Time", 14), ("Who", 22), ("What", 24), ("On", 28), ("Result", 12)], entries.items.iter().map(|entry| row(&settings, entry))))
        }
        (more(&settings.at("audit"), &filter.pairs(), cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Audit, content))
}

fn form(settings: &Settings, filter: &Filter) -> Markup {
    let results = [("", "All"), ("done", "Done"), ("refused", "Refused")];
    html! {
        form.filters role="search" aria-label="Audit log" {
            @if !filter.actor.is_empty() { input type="hidden" name="actor" value=(filter.actor); }
            label { "Operation" input name="operation" value=(filter.operation) maxlength="100" placeholder="createSpace"; }
            label { "Result"
                select name="outcome" {
                    @for (value, name) in results { option value=(value) selected[value == filter.outcome] { (name) } }
                }
            }
            label { "From" input type="date" name="from" value=(filter.from); }
            label { "To" input type="date" name="to" value=(filter.to); }
            button.btn type="submit" { "Filter" }
            @if filter.pairs().iter().any(|(_, value)| !value.is_empty()) { a.btn href=(settings.at("audit")) { "Show all" } }
        }
    }
}

fn row(settings: &Settings, entry: &AuditEntry<RecordedActor>) -> Markup {
    html! {
        tr {
            td { (settings.frame.ago(entry.created_at)) }
            td {
                @match &entry.actor {
                    RecordedActor::System => "Operator",
                    RecordedActor::Scim => "Identity provider",
                    RecordedActor::User(user) => {
                        @match user.id() {
                            Some(id) => a href=(settings.at(&format!("audit?actor={id}"))) { (name_of(user)) },
                            None => (name_of(user)),
                        }
                    }
                }
                @if let Some(address) = &entry.address { div.d { (address) } }
            }
            td { code { (entry.operation) } }
            td {
                @if let Some(target) = &entry.target { (target.kind) div.d { (target.id) } }
            }
            td {
                @match entry.outcome {
                    AuditOutcome::Done => "Done",
                    AuditOutcome::Refused => span.pill.bad { "Refused" },
                }
            }
        }
    }
}
