//! Two nodes on one PostgreSQL and one folder of files, each node behind a proxy.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use crate::check::Reader;
use crate::cluster::Cluster;
use crate::disk::Disk;
use crate::node::{Node, Shared, set_clock};
use crate::options::Options;
use crate::proxy::Proxy;

/// Sizes of the file systems of the database and of the files, in MiB.
const DATABASE_DISK: u32 = 640;
const FILES_DISK: u32 = 96;
/// Time limit of a read while writes hang.
const READ: Duration = Duration::from_secs(4);
/// Master key of the nodes: 32 bytes in base64.
const SECRET_KEY: &str = "ZmF1bHRzIGZhdWx0cyBmYXVsdHMgZmF1bHRzIGZhdWw=";

/// Everything that faults are injected into. Fields are dropped in order: nodes before the database, disks last.
pub struct Deployment {
    pub proxies: Vec<Proxy>,
    pub nodes: Vec<Node>,
    pub cluster: Cluster,
    pub clock: Option<(PathBuf, PathBuf)>,
    pub organization: String,
    pub token: String,
    /// Token of another member, who reviews the change requests of the writers.
    pub reviewer: String,
    pub database_disk: Disk,
    pub files_disk: Disk,
}

impl Deployment {
    /// Starts everything in a folder.
    pub async fn start(options: &Options, folder: &Path) -> Result<Self> {
        let database_disk = Disk::mount(&folder.join("database"), DATABASE_DISK)?;
        let files_disk = Disk::mount(&folder.join("files"), FILES_DISK)?;
        let cluster = Cluster::start(&folder.join("database"), &folder.join("postgres.log"))?;
        let clock = faketime(options).map(|library| (library, folder.join("clock")));
        if let Some((_, file)) = &clock {
            set_clock(file, 0)?;
        }
        let shared = Shared {
            binary: options.binary.canonicalize().context("there is no such binary")?,
            database_url: cluster.url(),
            files: folder.join("files").join("store"),
            secret_key: SECRET_KEY.to_owned(),
            clock: clock.clone(),
        };
        let first = Node::start(&shared, folder, "node-0")?;
        ready(&first).await?;
        let (organization, token) = first.bootstrap()?;
        let reviewer = first.create_reviewer(&organization)?;
        let second = Node::start(&shared, folder, "node-1")?;
        ready(&second).await?;
        let proxies = vec![Proxy::start(first.port).await?, Proxy::start(second.port).await?];
        let nodes = vec![first, second];
        Ok(Self { proxies, nodes, cluster, clock, organization, token, reviewer, database_disk, files_disk })
    }

    /// Returns a node.
    pub fn node(&mut self, number: usize) -> Result<&mut Node> {
        self.nodes.get_mut(number).context("there is no such node")
    }

    /// Returns the addresses of the proxies.
    pub fn bases(&self) -> Vec<String> {
        self.proxies.iter().map(|proxy| format!("http://{}", proxy.address)).collect()
    }

    /// Returns whether each node answers a read within the time limit of a read.
    pub async fn answers_reads(&self) -> bool {
        for node in &self.nodes {
            let Ok(reader) = Reader::new(format!("http://127.0.0.1:{}", node.port), &self.token) else {
                return false;
            };
            if !tokio::time::timeout(READ, reader.is_ready()).await.unwrap_or(false) {
                return false;
            }
        }
        true
    }

    /// Waits until each node is ready, and starts nodes that have ended.
    pub async fn heal(&mut self) -> Result<()> {
        let token = self.token.clone();
        for node in &mut self.nodes {
            let reader = Reader::new(format!("http://127.0.0.1:{}", node.port), &token)?;
            let deadline = Instant::now() + Duration::from_secs(60);
            while !reader.is_ready().await {
                node.launch()?;
                ensure!(Instant::now() < deadline, "a node doesn't heal");
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
        }
        Ok(())
    }
}

async fn ready(node: &Node) -> Result<()> {
    let reader = Reader::new(format!("http://127.0.0.1:{}", node.port), "")?;
    let deadline = Instant::now() + Duration::from_secs(60);
    while !reader.get("/readyz").await.is_ok_and(|(status, _)| status == 200) {
        ensure!(Instant::now() < deadline, "a node doesn't start");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Returns the library that fakes the clock.
fn faketime(options: &Options) -> Option<PathBuf> {
    // Debian has a folder for each architecture.
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut packages = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    options.faketime.clone().or_else(|| packages.find(|path| path.is_file())).filter(|path| path.is_file())
}
