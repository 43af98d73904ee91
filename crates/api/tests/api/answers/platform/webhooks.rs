//! Webhooks: one whose deliveries fail until they are given up, and one whose deliveries succeed.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::json;

use super::{Platform, UNREACHABLE};

/// Starts a receiver that always answers with this status, and returns its URL.
pub(super) fn receiver(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let read = stream.read(&mut [0; 8_192]);
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            if read.is_err() || stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    url
}

impl Platform<'_> {
    pub(super) async fn webhooks(&self) {
        let webhooks = self.of("webhooks");
        let body = json!({"url": UNREACHABLE, "description": "CI", "events": ["space_created", "member_added"], "active": true});
        let path = self.post(&webhooks, body).await.text("/id");
        let path = format!("{webhooks}/{path}");
        self.app.clock.advance(std::time::Duration::from_secs(60));
        self.patch(&path, json!({"active": false})).await;
        let url = receiver("503 Overloaded");
        let body = json!({"url": url, "description": "Ours", "events": ["space_deleted"], "active": true});
        self.patch(&path, body).await;
        self.post_empty(&format!("{path}/rotate-secret")).await;
        self.get(&path).await;
        let deliveries = format!("{path}/deliveries");
        let mut pinged = String::new();
        for _ in 0..2 {
            pinged = self.post_empty(&format!("{path}/ping")).await.text("/id");
        }
        self.app.deliver_webhooks().await;
        let one = format!("{deliveries}/{pinged}");
        self.list(&deliveries, "state=pending").await;
        self.get(&one).await;
        for _ in 0..12 {
            self.app.clock.advance(std::time::Duration::from_secs(3_600));
            self.app.deliver_webhooks().await;
        }
        self.get(&one).await;
        self.get(&format!("{deliveries}?state=failed")).await;
        self.post_empty(&format!("{one}/replay")).await;
        let other = json!({"url": receiver("204 Taken"), "events": ["ping"]});
        let other = format!("{webhooks}/{}", self.post(&webhooks, other).await.text("/id"));
        self.post_empty(&format!("{other}/ping")).await;
        self.app.deliver_webhooks().await;
        self.get(&format!("{other}/deliveries?state=succeeded")).await;
        self.list(&webhooks, "").await;
        self.delete(&other).await;
    }
}
