//! An HTTP server that injects faults: it loses responses, or sends them late or never.

#![allow(dead_code, reason = "each file of tests uses what it needs")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// A received request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    /// The path and query.
    pub path: String,
    /// The headers, by lower-case names.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// The fate of a request.
pub enum Fate {
    /// The server responds with this status, headers and body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// The server waits, and then applies another fate.
    Late(Duration, Box<Fate>),
    /// The server closes the connection without a response.
    Lost,
    /// The server never responds.
    Never,
}

impl Fate {
    pub fn json(status: u16, body: &str) -> Self {
        Fate::Answer(status, vec![("content-type", "application/json".into())], body.into())
    }

    /// Returns the error response of a service.
    pub fn error(status: u16, code: &str, message: &str) -> Self {
        Fate::json(status, &format!("{{\"error\":{{\"code\":{code:?},\"message\":{message:?},\"position\":null}}}}"))
    }
}

type Answers = Box<dyn Fn(&Asked) -> Fate + Send + Sync>;

/// The server, which runs until the value is dropped.
pub struct Injector {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
    _end: mpsc::Sender<()>,
}

impl Injector {
    /// Starts a server on a free port.
    pub fn start(answer: impl Fn(&Asked) -> Fate + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (asked, connections) = (Arc::default(), Arc::<AtomicUsize>::default());
        let (answers, requests): (Arc<Answers>, Arc<Mutex<Vec<Asked>>>) =
            (Arc::new(Box::new(answer)), Arc::clone(&asked));
        let (end, ended) = mpsc::channel::<()>();
        let count = Arc::clone(&connections);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if matches!(ended.try_recv(), Err(mpsc::TryRecvError::Disconnected)) {
                    return;
                }
                let Ok(stream) = stream else { return };
                count.fetch_add(1, Ordering::Relaxed);
                let (answers, requests) = (Arc::clone(&answers), Arc::clone(&requests));
                thread::spawn(move || serve(stream, &**answers, &requests));
            }
        });
        Injector { address, asked, connections, _end: end }
    }

    /// Returns the host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }
}

/// Returns an address without a listener.
pub fn unused_address() -> String {
    // The port was bound and released: the system does not reuse it soon.
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").to_string()
}

/// Serves the requests of one connection in sequence.
fn serve(
    stream: TcpStream,
    answer: &(dyn Fn(&Asked) -> Fate + Send + Sync),
    requests: &Mutex<Vec<Asked>>,
) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let asked = read(&mut reader)?;
        requests.lock().expect("no panic").push(asked.clone());
        let mut fate = answer(&asked);
        while let Fate::Late(delay, then) = fate {
            thread::sleep(delay);
            fate = *then;
        }
        match fate {
            Fate::Answer(status, headers, body) => {
                let mut head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len());
                for (name, value) in headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                writer.write_all(&[head.as_bytes(), b"\r\n", &body].concat()).ok()?;
            }
            Fate::Lost => return writer.shutdown(Shutdown::Both).ok(),
            // The connection stays open until the client gives up.
            _ => return reader.read(&mut [0]).ok().map(drop),
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { method, path, headers, body: String::from_utf8(body).ok()? })
}
