//! A client that sends and reads single HTTP/2 frames.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
pub const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;

const END_STREAM: u8 = 1;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A received frame.
#[derive(Debug)]
pub struct Frame {
    pub kind: u8,
    pub stream: u32,
    pub length: usize,
}

/// An HTTP/2 connection.
pub struct Frames {
    stream: TcpStream,
    host: String,
    next: u32,
}

impl Frames {
    /// Connects, with a flow-control window of `window` bytes for each response.
    pub async fn connect(address: SocketAddr, window: u32) -> Self {
        let stream = TcpStream::connect(address).await.expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        let mut frames = Frames { stream, host: address.to_string(), next: 1 };
        frames.stream.write_all(PREFACE).await.expect("it is taken");
        // SETTINGS_INITIAL_WINDOW_SIZE
        let settings = [&4_u16.to_be_bytes()[..], &window.to_be_bytes()].concat();
        frames.send(SETTINGS, 0, 0, &settings).await;
        // The window of the connection has room for all responses.
        frames.widen(0, 1 << 30).await;
        frames
    }

    /// Widens the window of a stream by this many bytes, or that of the connection if the stream is
    /// 0.
    pub async fn widen(&mut self, stream: u32, by: u32) {
        self.send(WINDOW_UPDATE, 0, stream, &by.to_be_bytes()).await;
    }

    /// Sends a request head, and returns its stream. A body may follow.
    pub async fn ask(&mut self, path: &str, headers: &[(&str, &str)], is_whole: bool) -> u32 {
        let host = self.host.clone();
        let pseudo = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", &host)];
        let mut block = Vec::new();
        for (name, value) in pseudo.iter().chain(headers) {
            // The fields are literal, without indexing; lengths are below 127.
            block.push(0);
            for text in [name, value] {
                block.push(u8::try_from(text.len()).ok().filter(|length| *length < 127).expect("a short text"));
                block.extend_from_slice(text.as_bytes());
            }
        }
        let stream = self.next;
        self.next += 2;
        self.send(HEADERS, END_HEADERS | if is_whole { END_STREAM } else { 0 }, stream, &block).await;
        stream
    }

    /// Sends a gRPC call, and returns its stream.
    pub async fn call(&mut self, path: &str, message: &[u8]) -> u32 {
        let stream = self.ask(path, &[("content-type", "application/grpc"), ("te", "trailers")], false).await;
        let length = u32::try_from(message.len()).expect("a short message").to_be_bytes();
        self.send(DATA, END_STREAM, stream, &[&[0][..], &length, message].concat()).await;
        stream
    }

    async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).expect("a short frame").to_be_bytes();
        let frame = [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat();
        // A closed connection is detected when reading.
        let _ = self.stream.write_all(&frame).await;
    }

    /// Reads the next frame; `None` if the connection is closed. Replies to pings and settings.
    pub async fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).await.ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let mut payload = vec![0; length];
        self.stream.read_exact(&mut payload).await.ok()?;
        let (kind, flags) = (head[3], head[4]);
        if flags & ACK == 0 {
            match kind {
                PING => self.send(PING, ACK, 0, &payload).await,
                SETTINGS => self.send(SETTINGS, ACK, 0, &[]).await,
                _ => {}
            }
        }
        Some(Frame { kind, stream: u32::from_be_bytes([head[5], head[6], head[7], head[8]]), length })
    }

    /// Reads until this many responses have begun.
    pub async fn begun(&mut self, count: usize) {
        let mut begun = 0;
        while begun < count {
            let frame = self.next().await.expect("it goes on");
            begun += usize::from(frame.kind == HEADERS);
        }
    }
}
