//! Resolution of names with `/etc/hosts` and the name servers of `/etc/resolv.conf`.

use std::io;
use std::iter;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, LazyLock};

use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::lookup_ip::LookupIp;
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::op::Query;
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use hickory_resolver::{Hosts, TokioResolver, system_conf};

/// DNS configuration, read once on first use. Clones share it.
///
/// Each lookup creates its own resolver: the connections of a resolver are bound to the runtime that created them, but
/// a fetcher serves several runtimes. Dropping a lookup releases its connections.
#[derive(Clone, Debug)]
pub(super) struct Names(Arc<LazyLock<Configuration, Box<dyn FnOnce() -> Configuration + Send>>>);

#[derive(Debug)]
struct Configuration {
    hosts: Hosts,
    dns: Result<Dns, String>,
}

#[derive(Debug)]
struct Dns {
    /// Queried in this order.
    servers: Vec<NameServerConfig>,
    /// Domains of the search list, which complete a name.
    search: Vec<Name>,
    /// Number of rounds through the servers.
    attempts: usize,
    options: ResolverOpts,
}

impl Names {
    /// Returns the configuration of this machine.
    pub(super) fn of_system() -> Self {
        Self(Arc::new(LazyLock::new(Box::new(Configuration::of_system))))
    }

    /// Returns a configuration with only this name server.
    pub(super) fn of_server(server: SocketAddr) -> Self {
        let mut connection = ConnectionConfig::udp();
        connection.port = server.port();
        let server = NameServerConfig::new(server.ip(), true, vec![connection]);
        let config = ResolverConfig::from_name_servers(vec![server]);
        Self(Arc::new(LazyLock::new(Box::new(|| Configuration {
            hosts: Hosts::default(),
            dns: Ok(Dns::new(config, ResolverOpts::default())),
        }))))
    }

    /// Returns a configuration without any names.
    #[cfg(test)]
    pub(super) fn without_dns() -> Self {
        Self::new(Hosts::default(), Err("a test has none".to_owned()))
    }

    #[cfg(test)]
    fn new(hosts: Hosts, dns: Result<Dns, String>) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(|| Configuration { hosts, dns }))))
    }

    /// Returns the addresses of a name, of both families. The timeouts of `/etc/resolv.conf` apply to silent name
    /// servers; the caller limits the time by dropping the lookup.
    pub(super) async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        if let Ok(address) = name.parse() {
            return Ok(vec![address]);
        }
        // Names in URLs are in lower case and in Punycode.
        let name = Name::from_ascii(name).map_err(io::Error::other)?;
        let listed = self.listed(&name);
        if !listed.is_empty() {
            return Ok(listed);
        }
        if name.is_localhost() {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        match &self.0.dns {
            Ok(dns) => dns.addresses(name).await.map_err(io::Error::other),
            Err(reason) => Err(io::Error::other(format!("/etc/resolv.conf can't be used: {reason}"))),
        }
    }

    /// Returns the texts of the TXT records of a name, without applying the search list. The strings of a record are
    /// concatenated.
    pub(super) async fn texts(&self, name: &str) -> io::Result<Vec<String>> {
        let mut name = Name::from_ascii(name).map_err(io::Error::other)?;
        name.set_fqdn(true);
        match &self.0.dns {
            Ok(dns) => dns.texts(name).await.map_err(io::Error::other),
            Err(reason) => Err(io::Error::other(format!("/etc/resolv.conf can't be used: {reason}"))),
        }
    }

    /// Returns the addresses in `/etc/hosts`. Addresses of one family suffice: name servers are not queried for the
    /// other.
    fn listed(&self, name: &Name) -> Vec<IpAddr> {
        let families = [RecordType::A, RecordType::AAAA];
        let found =
            families.map(|family| self.0.hosts.lookup_static_host(&Query::query(name.clone(), family)));
        let records = found.iter().flatten().flat_map(|lookup| lookup.answers());
        records.filter_map(|record| record.data.ip_addr()).collect()
    }
}

impl Configuration {
    /// Reads the configuration of this machine. Without name servers in `/etc/resolv.conf`, only `/etc/hosts` is used:
    /// other servers, such as public ones, are never queried.
    fn of_system() -> Self {
        let hosts = Hosts::from_system().unwrap_or_else(|error| {
            log::warn!("/etc/hosts can't be read: {error}");
            Hosts::default()
        });
        let dns = system_conf::read_system_conf().map_err(|error| {
            log::warn!("names other than those in /etc/hosts are not looked up: /etc/resolv.conf: {error}");
            error.to_string()
        });
        Self { hosts, dns: dns.map(|(config, options)| Dns::new(config, options)) }
    }
}

impl Dns {
    fn new(config: ResolverConfig, mut options: ResolverOpts) -> Self {
        let (domain, mut search, servers) = config.into_parts();
        if search.is_empty() {
            // The domain of this machine's own name.
            search.extend(domain);
        }
        options.use_hosts_file = ResolveHosts::Never;
        // Name servers have their own caches.
        options.cache_size = 0;
        // Another attempt starts after all servers were tried.
        let attempts = std::mem::take(&mut options.attempts).max(1);
        Self { servers, search, attempts, options }
    }

    /// Tries the name and its completions from the search list, until one has addresses.
    async fn addresses(&self, name: Name) -> Result<Vec<IpAddr>, NetError> {
        let mut unknown = NetError::NoConnections;
        for candidate in self.candidates(name) {
            match self.ask(candidate).await {
                Err(error) if error.is_no_records_found() => unknown = error,
                answer => return answer,
            }
        }
        Err(unknown)
    }

    /// Returns a name as is and with each domain of the search list, in the order of resolv.conf(5).
    fn candidates(&self, name: Name) -> Vec<Name> {
        let mut absolute = name.clone();
        absolute.set_fqdn(true);
        if name.is_fqdn() {
            return vec![absolute];
        }
        let dots = usize::from(name.num_labels()).saturating_sub(1);
        let completed = self.search.iter().filter_map(|domain| name.clone().append_domain(domain).ok());
        if dots >= self.options.ndots {
            iter::once(absolute).chain(completed).collect()
        } else {
            completed.chain(iter::once(absolute)).collect()
        }
    }

    async fn ask(&self, name: Name) -> Result<Vec<IpAddr>, NetError> {
        let found = |found: LookupIp| found.iter().collect();
        let query = |resolver: TokioResolver, name: Name| async move { resolver.lookup_ip(name).await };
        self.first_response(name, query).await.map(found)
    }

    async fn texts(&self, name: Name) -> Result<Vec<String>, NetError> {
        let text = |record: &Record| match &record.data {
            RData::TXT(text) => Some(String::from_utf8_lossy(&text.txt_data.concat()).into_owned()),
            _ => None,
        };
        let found = |found: Lookup| found.answers().iter().filter_map(text).collect();
        let query =
            |resolver: TokioResolver, name: Name| async move { resolver.lookup(name, RecordType::TXT).await };
        self.first_response(name, query).await.map(found)
    }

    /// Queries one server after the other. The first response is final, even if the name does not exist: a company's
    /// servers know names that others do not.
    async fn first_response<T, F: Future<Output = Result<T, NetError>>>(
        &self,
        name: Name,
        query: impl Fn(TokioResolver, Name) -> F,
    ) -> Result<T, NetError> {
        let mut failure = NetError::NoConnections;
        for server in iter::repeat_n(&self.servers, self.attempts).flatten() {
            match query(self.resolver(server)?, name.clone()).await {
                Err(error) if !error.is_no_records_found() => failure = error,
                response => return response,
            }
        }
        Err(failure)
    }

    fn resolver(&self, server: &NameServerConfig) -> Result<TokioResolver, NetError> {
        let config = ResolverConfig::from_name_servers(vec![server.clone()]);
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        builder.with_options(self.options.clone()).build()
    }
}

#[cfg(test)]
mod tests;
