//! A client of Redis: INCR, or the script that `saiban lua` prints, with EVALSHA.

use super::wire::Wire;
use crate::failure::Failure;
use std::net::SocketAddr;
use std::time::Duration;

/// The maximum of IDs that one call of the script makes.
const MAX: u32 = 4_096;
/// The keys of the script's hash and of INCR's counter.
const HASH: &str = "{bench}ids";
const NUMBER: &str = "{bench}number";

pub struct Redis {
    wire: Wire,
    script: Option<String>,
    requests: Vec<u8>,
    made_for: (usize, u32),
}

impl Redis {
    /// Connects, to call the script with this hash, or INCR without one.
    pub async fn connect(address: SocketAddr, script: Option<&str>) -> Result<Self, Failure> {
        let wire = Wire::connect(address).await?;
        Ok(Redis { wire, script: script.map(str::to_owned), requests: Vec::new(), made_for: (0, 0) })
    }

    pub async fn generate(&mut self, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        let wanted = ids.len() + count as usize;
        if self.script.is_none() {
            return self.ask(count as usize, 1, ids).await;
        }
        // A call makes fewer IDs if the millisecond has fewer left.
        while ids.len() < wanted {
            let left = u32::try_from(wanted - ids.len())?;
            self.ask(left.div_ceil(MAX) as usize, left.min(MAX), ids).await?;
        }
        // The calls may have made more IDs than were left.
        ids.truncate(wanted);
        Ok(())
    }

    pub async fn pipeline(&mut self, requests: usize, ids: &mut Vec<i64>) -> Result<(), Failure> {
        self.ask(requests, 1, ids).await
    }

    /// Makes this many calls for `count` IDs each.
    async fn ask(&mut self, calls: usize, count: u32, ids: &mut Vec<i64>) -> Result<(), Failure> {
        if self.made_for != (calls, count) {
            let count = count.to_string();
            let call = match &self.script {
                None => command(&["INCR", NUMBER]),
                Some(script) => command(&["EVALSHA", script, "1", HASH, &count]),
            };
            self.requests = call.repeat(calls);
        }
        self.made_for = (calls, count);
        let mut wait_us = 0;
        self.wire
            .exchange(&self.requests, calls, |input| {
                if let Some(rest) = input.strip_prefix(b"-SAIBAN_WAIT ") {
                    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
                    wait_us = std::str::from_utf8(&rest[..end])?.split_whitespace().next().ok_or("no time")?.parse()?;
                    return Ok(Some(input.len() - rest.len() + end + 1));
                }
                read_numbers(input, ids)
            })
            .await?;
        if wait_us > 0 {
            tokio::time::sleep(Duration::from_micros(wait_us)).await;
        }
        Ok(())
    }
}

/// Loads the script into the server and sets the node of its IDs. Returns the script's hash.
pub async fn load_script(address: SocketAddr, script: &str) -> Result<String, Failure> {
    let mut wire = Wire::connect(address).await?;
    let mut hash = String::new();
    let requests = [command(&["HSET", HASH, "node", "5"]), command(&["SCRIPT", "LOAD", script])].concat();
    wire.exchange(&requests, 2, |input| {
        if let Some(rest) = input.strip_prefix(b"$40\r\n") {
            let Some(text) = rest.get(..42) else { return Ok(None) };
            hash = String::from_utf8_lossy(&text[..40]).into_owned();
            return Ok(Some(5 + 42));
        }
        read_numbers(input, &mut Vec::new())
    })
    .await?;
    Ok(hash)
}

fn command(words: &[&str]) -> Vec<u8> {
    let mut text = format!("*{}\r\n", words.len());
    for word in words {
        text.push_str(&format!("${}\r\n{word}\r\n", word.len()));
    }
    text.into_bytes()
}

/// Reads a number, or a list of numbers as strings. Returns the length, once it is complete.
fn read_numbers(input: &[u8], ids: &mut Vec<i64>) -> Result<Option<usize>, Failure> {
    let Some((first, mut at)) = line(input, 0) else { return Ok(None) };
    match first.split_first() {
        Some((b':', digits)) => {
            ids.push(number(digits)?);
            Ok(Some(at))
        }
        Some((b'*', digits)) => {
            let (before, count) = (ids.len(), number(digits)?);
            for _ in 0..count {
                let text = line(input, at).and_then(|(_, after)| line(input, after));
                let Some((digits, after)) = text else {
                    ids.truncate(before);
                    return Ok(None);
                };
                ids.push(number(digits)?);
                at = after;
            }
            Ok(Some(at))
        }
        _ => Err(String::from_utf8_lossy(first).into_owned().into()),
    }
}

/// Returns the line at this position, and the position of the next line.
fn line(input: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let rest = input.get(at..)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some((&rest[..end.saturating_sub(1)], at + end + 1))
}

fn number(digits: &[u8]) -> Result<i64, Failure> {
    digits.iter().try_fold(0_i64, |number, digit| match digit {
        b'0'..=b'9' => Ok(number * 10 + i64::from(digit - b'0')),
        _ => Err(format!("no number: {}", String::from_utf8_lossy(digits)).into()),
    })
}
