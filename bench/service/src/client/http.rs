//! A client of saiban over HTTP/1.1: `POST /v1/schemes/orders/ids`.

use super::wire::Wire;
use crate::failure::Failure;
use std::net::SocketAddr;

pub struct Http {
    wire: Wire,
    host: SocketAddr,
    is_binary: bool,
    requests: Vec<u8>,
    made_for: (usize, u32),
    /// The joined chunks of a body.
    pieces: Vec<u8>,
}

impl Http {
    pub async fn connect(address: SocketAddr, is_binary: bool) -> Result<Self, Failure> {
        Ok(Http {
            wire: Wire::connect(address).await?,
            host: address,
            is_binary,
            requests: Vec::new(),
            made_for: (0, 0),
            pieces: Vec::new(),
        })
    }

    pub async fn generate(&mut self, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        self.ask(1, count, ids).await
    }

    pub async fn pipeline(&mut self, requests: usize, ids: &mut Vec<i64>) -> Result<(), Failure> {
        self.ask(requests, 1, ids).await
    }

    /// Sends this many requests for `count` IDs each.
    async fn ask(&mut self, requests: usize, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        if self.made_for != (requests, count) {
            let accept = if self.is_binary { "application/octet-stream" } else { "application/json" };
            let head = format!(
                "POST /v1/schemes/orders/ids?count={count} HTTP/1.1\r\nhost: {}\r\naccept: {accept}",
                self.host
            );
            self.requests = format!("{head}\r\ncontent-length: 0\r\n\r\n").into_bytes().repeat(requests);
            self.made_for = (requests, count);
        }
        let wanted = ids.len() + requests * count as usize;
        let is_binary = self.is_binary;
        let mut head = None;
        let pieces = &mut self.pieces;
        let read = |input: &[u8]| {
            if head.is_none() {
                head = head_of(input)?;
            }
            let Some((begin, length)) = head else { return Ok(None) };
            let (text, end) = match length {
                Some(length) => match input.get(begin..begin + length) {
                    Some(text) => (text, begin + length),
                    None => return Ok(None),
                },
                None => match in_pieces(&input[begin..], pieces)? {
                    Some(length) => (pieces.as_slice(), begin + length),
                    None => return Ok(None),
                },
            };
            if is_binary {
                ids.extend(text.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)));
            } else {
                read_json(text, ids)?;
            }
            head = None;
            Ok(Some(end))
        };
        self.wire.exchange(&self.requests, requests, read).await?;
        if ids.len() == wanted { Ok(()) } else { Err(format!("{} IDs where {wanted} were wanted", ids.len()).into()) }
    }
}

/// Returns the lengths of the head, once it is complete, and of a body that is not chunked.
fn head_of(input: &[u8]) -> Result<Option<(usize, Option<usize>)>, Failure> {
    let mut headers = [httparse::EMPTY_HEADER; 24];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(input)? else { return Ok(None) };
    if response.code != Some(200) {
        return Err(format!("the status {:?}: {}", response.code, String::from_utf8_lossy(input)).into());
    }
    let named = |name: &str| response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    let Some(length) = named("content-length") else {
        named("transfer-encoding").ok_or("an answer of no length")?;
        return Ok(Some((head, None)));
    };
    Ok(Some((head, Some(std::str::from_utf8(length.value)?.parse()?))))
}

/// Joins the chunks of a body. Returns the encoded length of the body, once it is complete.
fn in_pieces(input: &[u8], pieces: &mut Vec<u8>) -> Result<Option<usize>, Failure> {
    pieces.clear();
    let mut at = 0;
    loop {
        let Ok(httparse::Status::Complete((begin, length))) = httparse::parse_chunk_size(&input[at..]) else {
            return Ok(None);
        };
        let begin = at + begin;
        let end = begin + usize::try_from(length)?;
        let Some(piece) = input.get(begin..end).filter(|_| input.len() >= end + 2) else { return Ok(None) };
        if length == 0 {
            return Ok(Some(end + 2));
        }
        pieces.extend_from_slice(piece);
        at = end + 2;
    }
}

/// Reads the IDs of `{"scheme":"orders","ids":["1741610183685074945",…]}`.
fn read_json(text: &[u8], ids: &mut Vec<i64>) -> Result<(), Failure> {
    let wrong = || format!("no IDs: {}", String::from_utf8_lossy(&text[..text.len().min(200)]));
    let begin = b"\"ids\":[\"";
    let at = text.windows(begin.len()).position(|window| window == begin).ok_or_else(wrong)?;
    let mut rest = &text[at + begin.len()..];
    loop {
        let digits =
            rest.iter().position(|byte| !byte.is_ascii_digit()).filter(|digits| *digits > 0).ok_or_else(wrong)?;
        ids.push(rest[..digits].iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')));
        rest = &rest[digits..];
        if let Some(next) = rest.strip_prefix(b"\",\"") {
            rest = next;
        } else if rest.starts_with(b"\"]") {
            return Ok(());
        } else {
            break;
        }
    }
    Err(wrong().into())
}
