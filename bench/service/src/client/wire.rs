//! A persistent connection for protocols with alternating requests and responses: HTTP/1.1 and
//! Redis. It is minimal, so that the client uses little CPU time.

use crate::failure::Failure;
use bytes::{Buf, BytesMut};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The size of the buffer for one read.
const READ: usize = 64 * 1024;

pub struct Wire {
    stream: TcpStream,
    input: BytesMut,
}

impl Wire {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Wire { stream, input: BytesMut::with_capacity(READ) })
    }

    /// Writes the requests and reads this many responses. `read` gets the received bytes, and
    /// returns the length of the first response, or `None` if it is incomplete.
    pub async fn exchange(
        &mut self,
        requests: &[u8],
        mut answers: usize,
        mut read: impl FnMut(&[u8]) -> Result<Option<usize>, Failure>,
    ) -> Result<(), Failure> {
        self.stream.write_all(requests).await?;
        while answers > 0 {
            if !self.input.is_empty()
                && let Some(length) = read(&self.input)?
            {
                self.input.advance(length);
                answers -= 1;
                continue;
            }
            self.input.reserve(READ);
            if self.stream.read_buf(&mut self.input).await? == 0 {
                return Err("the server has closed the connection".into());
            }
        }
        Ok(())
    }
}
