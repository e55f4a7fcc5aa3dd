//! A plain HTTP/1.1 client: it sends what the test contains, valid or not.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A response.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the code of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_else(|| panic!("no error: {self:?}")).to_owned()
    }
}

/// A connection that is kept open.
pub struct Http<S: Read + Write = TcpStream> {
    stream: BufReader<S>,
}

impl Http {
    pub fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        Http::over(stream)
    }

    /// Closes the sending side of the connection.
    pub fn shut(&self) {
        // The server may have closed the connection.
        let _ = self.stream.get_ref().shutdown(std::net::Shutdown::Write);
    }
}

impl<S: Read + Write> Http<S> {
    pub fn over(stream: S) -> Self {
        Http { stream: BufReader::new(stream) }
    }

    /// Sends these bytes unchanged.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)?;
        self.stream.get_mut().flush()
    }

    /// Reads the next response, or returns an error if the connection ends first.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut answer = Answer { status: status.unwrap_or_else(|| panic!("{line:?}")), ..Answer::default() };
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            answer.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            while self.chunk(&mut answer.body)? > 0 {}
            return Ok(answer);
        }
        let length = answer.header("content-length").map_or(0, |length| length.parse().expect("a number"));
        answer.body.resize(length, 0);
        self.stream.read_exact(&mut answer.body)?;
        Ok(answer)
    }

    /// Reads the next chunk of a body; the last chunk is empty, and trailers may follow it.
    fn chunk(&mut self, body: &mut Vec<u8>) -> io::Result<usize> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim_end(), 16).unwrap_or_else(|_| panic!("{line:?}"));
        let begin = body.len();
        body.resize(begin + length, 0);
        self.stream.read_exact(&mut body[begin..])?;
        loop {
            line.clear();
            // One empty line follows a chunk; trailers and an empty line follow the last one.
            if self.stream.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
                return Ok(length);
            }
        }
    }

    /// Sends a request with these headers, and returns the response.
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body.unwrap_or_default());
        self.send(&bytes).expect("it is sent");
        self.answer().expect("an answer")
    }

    /// Sends a POST with a JSON body, and returns the response.
    pub fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], Some(body.to_string().as_bytes()))
    }

    /// Sends a GET, and returns the response.
    pub fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], None)
    }
}

/// Returns a sample of `/metrics`, or 0 if it is missing.
pub fn metric(metrics: &str, sample: &str) -> f64 {
    let value = metrics.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    value.map_or(0.0, |value| value.parse().expect("a number"))
}
