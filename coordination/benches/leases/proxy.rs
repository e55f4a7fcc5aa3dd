//! A proxy on the loopback interface that counts round trips.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Counts round trips: how often a client sent first, or sent after its server had sent.
#[derive(Clone, Default)]
pub struct Trips(Arc<AtomicU64>);

impl Trips {
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Starts a proxy for a server. Returns the proxy's address and its count of round trips.
pub fn before(server: &str) -> (String, Trips) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (server, trips) = (server.to_owned(), Trips::default());
    let counts = trips.clone();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(&server) else { continue };
            let is_asked = Arc::new(AtomicBool::new(false));
            for stream in [&client, &server] {
                let _ = stream.set_nodelay(true);
            }
            let (asks, answers) = (Arc::clone(&is_asked), is_asked);
            let counts = counts.clone();
            let (from, to) = (client.try_clone().expect("a copy"), server.try_clone().expect("a copy"));
            thread::spawn(move || {
                pass(from, to, || {
                    if !asks.swap(true, Ordering::SeqCst) {
                        counts.0.fetch_add(1, Ordering::SeqCst);
                    }
                });
            });
            thread::spawn(move || pass(server, client, || answers.store(false, Ordering::SeqCst)));
        }
    });
    (address, trips)
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut note: impl FnMut()) {
    let mut bytes = [0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        note();
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
