//! A TCP proxy that cuts connections in the middle of requests and responses.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A proxy in front of one node.
pub struct Proxy {
    pub address: SocketAddr,
    cut: Arc<watch::Sender<u64>>,
}

impl Proxy {
    /// Forwards connections to a port of this machine.
    pub async fn start(port: u16) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let cut = Arc::new(watch::Sender::new(0));
        let cuts = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, port, cuts.subscribe()));
            }
        });
        Ok(Self { address, cut })
    }

    /// Cuts all connections at once.
    pub fn cut(&self) {
        self.cut.send_modify(|number| *number = number.wrapping_add(1));
    }
}

/// Forwards until a side ends or the connection is cut. Forwards in small pieces, so that a cut leaves partial
/// messages.
async fn forward(client: TcpStream, port: u16, mut cut: watch::Receiver<u64>) -> Option<()> {
    let server = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let ask = async {
        let mut piece = [0_u8; 256];
        while let Ok(size @ 1..) = from_client.read(&mut piece).await {
            to_server.write_all(piece.get(..size)?).await.ok()?;
        }
        to_server.shutdown().await.ok()
    };
    let answer = async {
        let mut piece = [0_u8; 256];
        while let Ok(size @ 1..) = from_server.read(&mut piece).await {
            to_client.write_all(piece.get(..size)?).await.ok()?;
        }
        to_client.shutdown().await.ok()
    };
    tokio::select! {
        _ = async { tokio::join!(ask, answer) } => {}
        _ = cut.changed() => {}
    }
    Some(())
}
