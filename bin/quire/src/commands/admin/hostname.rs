//! `quire admin hostname`

use clap::{ArgGroup, Args};
use quire_domain::ids::OrganizationId;
use quire_storage::Error;

use super::{input, record, refuse, transact};
use crate::config::DatabaseOptions;

/// The organization of a host name of sites.
#[derive(Args)]
#[command(group(ArgGroup::new("change").required(true).args(["organization", "remove"])))]
pub struct SetHostname {
    /// The host name, such as docs.example.com
    #[arg(value_name = "HOSTNAME", value_parser = input::hostname)]
    hostname: String,
    /// The organization that gets the host name as proven; sites of another organization lose it
    #[arg(long, value_name = "ID")]
    organization: Option<OrganizationId>,
    /// Remove the host name from the organization that has it
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    database: DatabaseOptions,
}

impl SetHostname {
    /// Takes effect within seconds, also for a running server.
    ///
    /// # Errors
    /// If the organization does not exist, or no organization has the host name.
    pub fn run(self) -> anyhow::Result<()> {
        let Self { hostname, organization, remove: _, database } = self;
        transact(&database, |tx| {
            let Some(organization) = organization else {
                return match tx.free_hostname(&hostname)? {
                    Some(owner) => record(tx, owner, "admin.hostname", ("hostname", &hostname)),
                    None => refuse(format!("no organization has the host name {hostname}")),
                };
            };
            match tx.give_hostname(organization, &hostname) {
                Ok(()) => record(tx, organization, "admin.hostname", ("hostname", &hostname)),
                Err(Error::NotFound) => refuse(format!("there is no organization {organization}")),
                Err(error) => Err(error.into()),
            }
        })
    }
}
