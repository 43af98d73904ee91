//! HTTP client that opens a connection per request. Only complete responses count.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// A response.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub json: Value,
    /// Header lines.
    head: String,
    body: String,
}

impl Answer {
    /// Returns the first header with this name.
    pub fn header(&self, name: &str) -> Option<String> {
        let named = |line: &str| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.head.lines().find_map(named)
    }

    /// Returns the string at a JSON pointer.
    #[track_caller]
    pub fn text(&self, pointer: &str) -> String {
        let text = self.json.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{pointer} is not a string: {self:?}")).to_owned()
    }

    /// Asserts the status and returns the response.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

/// User of a server.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: SocketAddr,
    pub token: String,
}

impl Client {
    /// Sends a request; `None` without a complete response.
    pub fn try_send(&self, method: &str, path: &str, body: Option<&Value>) -> Option<Answer> {
        let mut stream = self.connect()?;
        stream.write_all(&self.request(method, path, body)).ok()?;
        read_answer(&mut stream)
    }

    /// Returns the text of a response with status 200.
    #[track_caller]
    pub fn text(&self, path: &str) -> String {
        self.get(path).expect(200).body
    }

    /// Sends a request with further headers.
    #[track_caller]
    pub fn send_with(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let request = String::from_utf8(self.request(method, path, body)).unwrap();
        let (line, rest) = request.split_once("\r\n").unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let mut stream = self.connect().unwrap();
        stream.write_all(format!("{line}\r\n{headers}{rest}").as_bytes()).unwrap();
        read_answer(&mut stream).unwrap_or_else(|| panic!("{method} {path} was not answered"))
    }

    /// Sends a request, which must get a response.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        self.try_send(method, path, body).unwrap_or_else(|| panic!("{method} {path} was not answered"))
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    /// Returns all items of a list, page by page.
    #[track_caller]
    pub fn list(&self, path: &str) -> Vec<Value> {
        self.list_with(path, "")
    }

    /// Returns all items of a list with a query, page by page.
    #[track_caller]
    pub fn list_with(&self, path: &str, query: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut page = String::new();
        loop {
            let answer = self.get(&format!("{path}?{query}&limit=1000{page}")).expect(200);
            items.extend(answer.json["items"].as_array().unwrap().iter().cloned());
            match answer.json.pointer("/next/page").and_then(Value::as_str) {
                Some(next) => page = format!("&page={next}"),
                None => return items,
            }
        }
    }

    pub fn connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
        Some(stream)
    }

    pub fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Vec<u8> {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if !self.token.is_empty() {
            request += &format!("Authorization: Bearer {}\r\n", self.token);
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        if !body.is_empty() {
            request += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        } else if method != "GET" {
            request += "Content-Length: 0\r\n";
        }
        format!("{request}\r\n{body}").into_bytes()
    }
}

/// Reads a response to its end; `None` if it is incomplete.
pub fn read_answer(stream: &mut TcpStream) -> Option<Answer> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = length.is_none_or(|length| length == body.len());
    whole.then(|| Answer {
        status,
        json: serde_json::from_str(body).unwrap_or(Value::Null),
        head: head.to_owned(),
        body: body.to_owned(),
    })
}
