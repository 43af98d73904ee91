//! Raw HTTP/1.1 clients. wrk gives no latencies by status and can't be slow, so the cases of overload have clients of
//! their own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Responses of all connections.
#[derive(Default)]
pub(super) struct Outcome {
    /// Latencies of 200.
    pub(super) answered: Vec<Duration>,
    /// Responses 503.
    pub(super) busy: usize,
    /// Responses 503 with the header `Retry-After`.
    pub(super) busy_with_retry_after: usize,
    /// Time from the start to the last response.
    pub(super) elapsed: Duration,
}

/// Repeats a request on each of `connections` for `duration`.
pub(super) async fn drive(
    address: &str,
    request: String,
    connections: usize,
    duration: Duration,
) -> Result<Outcome> {
    let (address, request): (Arc<str>, Arc<str>) = (address.into(), request.into());
    let started = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|_| tokio::spawn(connection(address.clone(), request.clone(), started + duration)))
        .collect();
    let mut outcome = Outcome::default();
    for task in tasks {
        let one = task.await??;
        outcome.answered.extend(one.answered);
        outcome.busy += one.busy;
        outcome.busy_with_retry_after += one.busy_with_retry_after;
    }
    outcome.elapsed = started.elapsed();
    Ok(outcome)
}

async fn connection(address: Arc<str>, request: Arc<str>, end: Instant) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut buffer = Vec::new();
    let mut stream = connect(&address).await?;
    while Instant::now() < end {
        let started = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        let head = receive(&mut stream, &mut buffer).await?;
        match head.status {
            200 => outcome.answered.push(started.elapsed()),
            503 => {
                outcome.busy += 1;
                outcome.busy_with_retry_after += usize::from(head.retry_after);
            }
            other => bail!("status {other} under load: {}", String::from_utf8_lossy(&buffer)),
        }
        if head.closes {
            stream = connect(&address).await?;
        }
    }
    Ok(outcome)
}

async fn connect(address: &str) -> Result<TcpStream> {
    let stream = TcpStream::connect(address).await.with_context(|| format!("no connection to {address}"))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The parts of a response's head that are needed.
#[derive(Debug, PartialEq)]
struct Head {
    status: u16,
    length: usize,
    retry_after: bool,
    closes: bool,
}

/// Reads one response with a `Content-Length`.
async fn receive(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Head> {
    buffer.clear();
    let (head, end) = loop {
        if let Some(end) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(buffer.get(..end).unwrap_or_default());
            break (parse_head(&text).with_context(|| format!("not understood: {text}"))?, end + 4);
        }
        read(stream, buffer).await?;
    };
    while buffer.len() < end + head.length {
        read(stream, buffer).await?;
    }
    Ok(head)
}

async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<()> {
    if stream.read_buf(buffer).await? == 0 {
        bail!("the server closed a connection in the middle of a response");
    }
    Ok(())
}

fn parse_head(text: &str) -> Option<Head> {
    let mut lines = text.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut head = Head { status, length: 0, retry_after: false, closes: false };
    for line in lines {
        let (name, value) = line.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "content-length" => head.length = value.trim().parse().ok()?,
            "retry-after" => head.retry_after = true,
            "connection" => head.closes = value.trim().eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    Some(head)
}

/// Sends the start of a POST and then one byte of its body every 100 ms, again and again, until the task is aborted.
pub(super) async fn slow(address: String, path: String, authorization: String) {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\n\
         Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    );
    loop {
        if let Ok(mut stream) = connect(&address).await
            && stream.write_all(head.as_bytes()).await.is_ok()
        {
            while stream.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_parsed() {
        let text =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 12\r\nretry-after: 1\r\nConnection: close";
        let expected = Head { status: 503, length: 12, retry_after: true, closes: true };
        assert_eq!(parse_head(text), Some(expected));
        assert_eq!(parse_head("garbage"), None);
    }
}
