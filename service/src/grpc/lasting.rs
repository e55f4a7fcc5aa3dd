//! Streams that libraries implement: `Health/Watch` and reflection.
//!
//! Like streams of IDs, they end when the token that started them expires, or when a reload changes
//! or removes it.

use crate::auth::Access;
use crate::problem::Problem;
use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::Status;

/// The body of a response without an end of its own. It ends with the access.
pub(super) struct Lasting {
    body: Body,
    end: Pin<Box<dyn Future<Output = Problem> + Send>>,
    is_over: bool,
}

impl Lasting {
    pub(super) fn body(body: Body, access: Arc<Access>) -> Body {
        Body::new(Lasting { body, end: Box::pin(async move { access.ended().await }), is_over: false })
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
        if let Poll::Ready(problem) = self.end.as_mut().poll(context) {
            self.is_over = true;
            let mut trailers = HeaderMap::new();
            // All values of this status are valid in headers.
            let _ = Status::from(problem).add_header(&mut trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
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
    async fn a_stream_ends_when_its_token_expires_and_reports_it() {
        let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"serving"))]);
        let body = Body::from_stream(stream::StreamExt::chain(first, stream::pending()));
        let expires = Timestamp::now() + SignedDuration::from_millis(100);
        let mut body = Lasting::body(body, Arc::new(Access::until(Some(expires))));
        let data = body.frame().await.expect("a frame").expect("it does not fail").into_data().expect("data");
        assert_eq!(data, "serving");
        let end = body.frame().await.expect("an end").expect("it does not fail").into_trailers().expect("trailers");
        assert!(end["grpc-status"] == "16" && end["saiban-error"] == "UNAUTHENTICATED", "{end:?}");
        assert!(expires <= Timestamp::now() && body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_stream_ends_when_its_token_is_removed() {
        let access = Arc::new(Access::until(None));
        let mut body =
            Lasting::body(Body::from_stream(stream::pending::<Result<Bytes, Infallible>>()), Arc::clone(&access));
        access.end();
        let end = body.frame().await.expect("an end").expect("it does not fail").into_trailers().expect("trailers");
        assert!(end["grpc-status"] == "16", "{end:?}");
        assert!(body.frame().await.is_none());
    }
}
