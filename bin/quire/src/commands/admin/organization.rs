//! `quire admin organization`, `member` and `visitor-key`

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::{ArgGroup, Args};
use quire_domain::clock::Timestamp;
use quire_domain::ids::OrganizationId;
use quire_domain::organizations::{
    Billing, BillingInterval, BillingMigration, BlockReason, Plan, Trial, TrialDecision, TrialStatus,
};
use quire_storage::people::organizations::AdminChanges;
use quire_storage::{Error, SystemTx};
use serde::Serialize;

use super::organization_archive::ArchiveCommand;
use super::person::Person;
use super::{input, record, refuse, transact, transact_on, with_storage};
use crate::config::DatabaseOptions;
use crate::{output, secret_key};

/// Changes an organization, or moves it.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct OrganizationCommand {
    #[command(subcommand)]
    archive: Option<ArchiveCommand>,
    #[command(flatten)]
    set: SetOrganization,
}

impl OrganizationCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// If the organization does not exist, or can't be moved.
    pub fn run(self) -> anyhow::Result<()> {
        match self.archive {
            Some(command) => command.run(),
            None => self.set.run(),
        }
    }
}

/// Changes an organization's plan, billing, hostname or block. At least one option is required.
#[derive(Args)]
#[command(group(ArgGroup::new("changes").required(true).multiple(true)
    .args(["plan", "trial", "billing", "no_billing", "migration_deadline", "migration_discount", "no_billing_migration",
        "custom_hostname", "no_custom_hostname", "block", "unblock"])))]
pub struct SetOrganization {
    /// The organization's id
    #[arg(long, value_name = "ID", required = true)]
    organization: Option<OrganizationId>,
    /// Its plan, such as free, pro_2024 or enterprise_2024
    #[arg(long, value_name = "PLAN", value_parser = input::word::<Plan>)]
    plan: Option<Plan>,
    /// The state of its trial: notapplicable, none, active, ended or expired
    #[arg(long, value_name = "STATUS", value_parser = input::word::<TrialStatus>)]
    trial: Option<TrialStatus>,
    /// When the trial ends or ended, such as 2027-01-31T00:00:00Z
    #[arg(long, value_name = "TIME", requires = "trial")]
    trial_ends: Option<Timestamp>,
    /// The decision at the end of the trial: downgrade
    #[arg(long, value_name = "DECISION", requires = "trial", value_parser = input::word::<TrialDecision>)]
    trial_decision: Option<TrialDecision>,
    /// The billing interval: monthly or yearly
    #[arg(long, value_name = "INTERVAL", value_parser = input::word::<BillingInterval>)]
    billing: Option<BillingInterval>,
    /// When the paid period ends; unlimited if left out
    #[arg(long, value_name = "TIME", requires = "billing")]
    billing_ends: Option<Timestamp>,
    /// The last payment failed
    #[arg(long, requires = "billing")]
    payment_failed: bool,
    /// Cancel the plan at the end of the paid period
    #[arg(long, requires = "billing")]
    scheduled_to_cancel: bool,
    /// Remove the billing
    #[arg(long, conflicts_with = "billing")]
    no_billing: bool,
    #[command(flatten)]
    migration: Option<Migration>,
    /// Remove the pending billing migration
    #[arg(long, conflicts_with = "migration")]
    no_billing_migration: bool,
    /// Its custom hostname
    #[arg(long, value_name = "HOSTNAME", value_parser = input::hostname)]
    custom_hostname: Option<String>,
    /// Remove the custom hostname
    #[arg(long, conflicts_with = "custom_hostname")]
    no_custom_hostname: bool,
    /// Make it read-only, for this reason: security
    #[arg(long, value_name = "REASON", value_parser = input::word::<BlockReason>)]
    block: Option<BlockReason>,
    /// Remove the block
    #[arg(long, conflicts_with = "block")]
    unblock: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// Pending billing migration of an organization.
#[derive(Args)]
#[group(id = "migration", required = false, multiple = true)]
struct Migration {
    /// Deadline of the billing migration
    #[arg(long, value_name = "TIME")]
    migration_deadline: Option<Timestamp>,
    /// The discount for the billing migration, in per cent
    #[arg(long, value_name = "PERCENT", value_parser = input::per_cent)]
    migration_discount: Option<f64>,
    /// When the discount ends
    #[arg(long, value_name = "TIME", requires = "migration_discount")]
    migration_discount_ends: Option<Timestamp>,
}

impl SetOrganization {
    /// Takes effect immediately, also for a running server.
    ///
    /// # Errors
    /// If the organization does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let Some(organization) = self.organization else {
            return refuse("--organization is required: give the id of the organization");
        };
        let changes = self.changes()?;
        transact(&self.database, |tx| match tx.administrate_organization(organization, &changes)? {
            true => record(tx, organization, "admin.organization", ("organization", organization)),
            false => refuse(format!("there is no organization {organization}")),
        })
    }

    fn changes(&self) -> anyhow::Result<AdminChanges> {
        let trial = self.trial.map(|status| Trial {
            count: status.least_count(),
            status,
            end_date: self.trial_ends,
            decision: self.trial_decision,
        });
        let billing = self.billing.map(|interval| Billing {
            interval,
            end_date: self.billing_ends,
            has_payment_failed: self.payment_failed,
            is_scheduled_to_cancel: self.scheduled_to_cancel,
        });
        let billing = billing.map(serde_json::to_value).transpose()?;
        let migration = self.migration.as_ref().map(|migration| BillingMigration {
            deadline: migration.migration_deadline,
            discount_percent: migration.migration_discount,
            discount_end_date: migration.migration_discount_ends,
        });
        let migration = migration.map(serde_json::to_value).transpose()?;
        Ok(AdminChanges {
            plan: self.plan.map(wire_name).transpose()?,
            trial: trial.map(serde_json::to_value).transpose()?,
            billing: set_or_clear(billing, self.no_billing),
            billing_migration: set_or_clear(migration, self.no_billing_migration),
            custom_hostname: set_or_clear(self.custom_hostname.clone(), self.no_custom_hostname),
            blocked_reason: set_or_clear(self.block.map(wire_name).transpose()?, self.unblock),
        })
    }
}

/// Returns a value for a changeset: `None` keeps, `Some(None)` clears.
#[expect(clippy::option_option, reason = "the outer option is whether to write, the inner is what")]
fn set_or_clear<T>(value: Option<T>, clear: bool) -> Option<Option<T>> {
    if clear { Some(None) } else { value.map(Some) }
}

/// Returns the wire name of an enumeration value, which is also its stored form.
fn wire_name(value: impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::from_value(serde_json::to_value(value)?)?)
}

/// Access of a member.
#[derive(Args)]
#[command(group(ArgGroup::new("access").required(true).args(["disable", "enable"])))]
pub struct SetMember {
    /// The organization's id
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    #[command(flatten)]
    person: Person,
    /// Disable the member; role, grants and teams are kept
    #[arg(long)]
    disable: bool,
    /// Enable the member
    #[arg(long)]
    enable: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetMember {
    /// Takes effect immediately, also for a running server.
    ///
    /// # Errors
    /// If the member does not exist, or the organization would be left without an administrator.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { organization, person, disable, enable: _, database } = self;
        transact(&database, |tx| {
            let Some(user) = person.find(tx)? else {
                return refuse("--email or --user is required: name the member");
            };
            match tx.disable_member(organization, user, disable) {
                Ok(true) => record(tx, organization, "admin.member", ("member", user)),
                Ok(false) | Err(Error::NotFound) => {
                    refuse(format!("{person} is not a member of the organization {organization}"))
                }
                Err(Error::Refused { .. }) => {
                    refuse(format!("{person} is the organization's last administrator"))
                }
                Err(error) => Err(error.into()),
            }
        })
    }
}

/// The key that visitor tokens of an organization are signed with.
#[derive(Args)]
pub struct VisitorKey {
    /// The organization's id
    #[arg(long, value_name = "ID")]
    organization: OrganizationId,
    /// Replace it first; visitor tokens signed with the old key become invalid
    #[arg(long)]
    rotate: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

/// Visitor key, as JSON output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownKey {
    organization: OrganizationId,
    /// 44 characters. Their bytes are the secret of visitor tokens.
    visitor_key: String,
}

impl VisitorKey {
    /// Prints `{"organization", "visitorKey"}` on one line. The bytes of the key's text are the secret of visitor
    /// tokens.
    ///
    /// # Errors
    /// If the organization does not exist.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { organization, rotate, database } = self;
        let shown = |tx: &mut SystemTx<'_>| {
            let key = if rotate { tx.rotate_visitor_key(organization) } else { tx.visitor_key(organization) };
            match key {
                Err(Error::NotFound) => refuse(format!("there is no organization {organization}")),
                Err(error) => Err(error.into()),
                Ok(key) => {
                    record(tx, organization, "admin.visitor-key", ("organization", organization))?;
                    Ok(key)
                }
            }
        };
        let key = with_storage(&database, |storage| {
            secret_key::unlock(storage, &database)?;
            transact_on(storage, shown)
        })?;
        output::json(&ShownKey { organization, visitor_key: STANDARD.encode(key) })
    }
}
