//! Connections to the private PostgreSQL of a server.

use anyhow::Result;
use quire_bench::server::Server;
use quire_postgres::{Cluster, ClusterConfig};

/// The URL of the server's database, as the role that the server uses.
pub(crate) fn url(server: &Server) -> Result<String> {
    let cluster = Cluster::join_or_start(&ClusterConfig::new(server.data.join("postgres"), "quire"))?;
    Ok(cluster.url())
}

/// The same database as superuser, to change settings.
pub(crate) fn superuser_url(server: &Server) -> Result<String> {
    Ok(url(server)?.replace("user=quire", "user=postgres"))
}
