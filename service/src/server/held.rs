//! A response that holds its place among the requests in flight until it is sent.
//!
//! This bounds memory: clients that do not read cannot make the service keep more responses than it
//! has places.

use super::pace::Turn;
use super::patience::{self, Doing};
use crate::in_flight::InFlight;
use axum::body::Body;
use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The maximum size of the pieces that HTTP/2 gets. hyper takes the next piece as soon as the
/// client can receive one byte of it.
const SLICE_BYTES: usize = 16 << 10;

/// How much of a response may be unsent when its place is freed. Responses up to this size are not
/// sliced.
const LAST_BYTES: usize = 1 << 10;

/// The body of a response, with its place.
pub(super) struct Held {
    body: Body,
    /// Bytes of the body that HTTP/2 has not taken yet.
    rest: Bytes,
    is_sliced: bool,
    _place: Option<InFlight>,
    _turn: Turn,
}

impl Held {
    /// Wraps a body. `is_sliced` is whether it is for HTTP/2; HTTP/1.1 takes only as much as it can
    /// buffer.
    pub(super) fn new(body: Body, is_sliced: bool, place: Option<InFlight>, turn: Turn) -> Self {
        Held { body, rest: Bytes::new(), is_sliced, _place: place, _turn: turn }
    }

    /// Returns the next slice of `rest`, which must not be empty. The slice is a copy, because a
    /// view would keep the whole piece in memory.
    fn slice(&mut self) -> Frame<Bytes> {
        let count = match self.rest.len() {
            left @ ..=LAST_BYTES => left,
            left => (left - LAST_BYTES).min(SLICE_BYTES),
        };
        let slice = Bytes::copy_from_slice(&self.rest[..count]);
        self.rest.advance(count);
        if self.rest.is_empty() {
            self.rest = Bytes::new();
        }
        Frame::data(slice)
    }
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            patience::report(Doing::Sending);
            return Poll::Ready(Some(Ok(self.slice())));
        }
        patience::report(Doing::Making);
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        patience::report(Doing::Sending);
        let frame = match frame {
            Some(Ok(frame)) if self.is_sliced => match frame.into_data() {
                Ok(piece) if piece.len() > LAST_BYTES => {
                    self.rest = piece;
                    Some(Ok(self.slice()))
                }
                Ok(piece) => Some(Ok(Frame::data(piece))),
                Err(frame) => Some(Ok(frame)),
            },
            frame => frame,
        };
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (left, of_body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower() + left);
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + left);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use std::sync::Arc;

    fn held(body: Bytes, is_sliced: bool) -> Held {
        Held::new(Body::from(body), is_sliced, None, Turn::of(&Arc::default()))
    }

    #[tokio::test]
    async fn http2_bodies_are_sliced_completely_and_the_last_slice_is_small() {
        for length in [0, 1, LAST_BYTES, LAST_BYTES + 1, SLICE_BYTES, SLICE_BYTES + LAST_BYTES, 80_000, 160_000] {
            let bytes: Bytes = (0..length).map(|index| index as u8).collect();
            let mut body = held(bytes.clone(), true);
            assert_eq!(body.size_hint().exact(), Some(length as u64));
            let (mut read, mut last) = (Vec::new(), 0);
            while !body.is_end_stream() {
                let frame = body.frame().await.expect("more").expect("it does not fail");
                let slice = frame.into_data().expect("data");
                assert!(slice.len() <= SLICE_BYTES, "{}", slice.len());
                last = slice.len();
                read.extend_from_slice(&slice);
                assert_eq!(body.size_hint().exact(), Some((length - read.len()) as u64));
            }
            assert_eq!(read, bytes, "{length}");
            assert!(last <= LAST_BYTES, "{last} of {length}");
            assert!(body.frame().await.is_none());
        }
    }

    #[tokio::test]
    async fn http1_and_small_answers_are_not_sliced() {
        for (length, is_sliced) in [(LAST_BYTES, true), (80_000, false)] {
            let bytes = Bytes::from(vec![7; length]);
            let mut body = held(bytes.clone(), is_sliced);
            let given = body.frame().await.expect("a frame").expect("it does not fail").into_data().expect("data");
            assert_eq!((given.as_ptr(), given.len()), (bytes.as_ptr(), length), "not copied");
            assert!(body.is_end_stream());
        }
    }
}
