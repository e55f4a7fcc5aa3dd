//! Streams of libraries' own, health that is watched and reflection: like streams of IDs they last no longer than the token that they were begun with.

use crate::auth::Access;
use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::{Sleep, sleep};
use tonic::Status;

/// The body of an answer whose end nobody knows, until the token's end.
pub(super) struct Lasting {
    body: Body,
    access: Arc<Access>,
    end: Pin<Box<Sleep>>,
    is_over: bool,
}

impl Lasting {
    /// The same body where the token has no end.
    pub(super) fn body(body: Body, access: Arc<Access>) -> Body {
        match access.good_for() {
            None => body,
            Some(left) => Body::new(Lasting { body, access, end: Box::pin(sleep(left)), is_over: false }),
        }
    }
}

impl HttpBody for Lasting {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        while self.end.as_mut().poll(context).is_ready() {
            if let Err(problem) = self.access.check_end() {
                self.is_over = true;
                let mut trailers = HeaderMap::new();
                // It has no values that a header cannot have.
                let _ = Status::from(problem).add_header(&mut trailers);
                return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
            }
            // The clock was set back meanwhile.
            let left = self.access.good_for().unwrap_or_default();
            self.end = Box::pin(sleep(left));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use http_body_util::BodyExt;
    use jiff::{SignedDuration, Timestamp};
    use std::convert::Infallible;

    #[tokio::test]
    async fn it_ends_with_the_token_and_says_so() {
        let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"serving"))]);
        let body = Body::from_stream(stream::StreamExt::chain(first, stream::pending()));
        let expires = Timestamp::now() + SignedDuration::from_millis(100);
        let mut body = Lasting::body(body, Arc::new(Access::until(expires)));
        let said = body.frame().await.expect("a frame").expect("it does not fail").into_data().expect("data");
        assert_eq!(said, "serving");
        let end = body.frame().await.expect("an end").expect("it does not fail").into_trailers().expect("trailers");
        assert!(end["grpc-status"] == "16" && end["saiban-error"] == "UNAUTHENTICATED", "{end:?}");
        assert!(expires <= Timestamp::now() && body.frame().await.is_none());
    }
}
