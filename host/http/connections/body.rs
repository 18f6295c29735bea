//! The bodies of answers. They report to the activity how far they are sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use bytes::Buf;
use hyper::body::{Frame, SizeHint};

use super::activity::{Answering, Stream};

/// Largest part of an answer that is handed over at once in HTTP/2, in bytes. The next one is asked for when the client
/// has room for it.
pub(super) const PART: usize = 16 << 10;

/// To whom a body reports.
pub(super) enum Report {
    /// In HTTP/1.1: the drop says that hyper has read all of the body.
    Answering { _answering: Answering },
    /// In HTTP/2: what is handed to the socket.
    Stream(Arc<Stream>),
}

impl Report {
    /// The report of a stream whose answer is there.
    pub(super) fn by(mut stream: Stream) -> Self {
        stream.answered();
        Self::Stream(Arc::new(stream))
    }
}

/// The body of an answer.
pub(super) struct AnswerBody {
    /// Bytes to send before `more`.
    ready: Bytes,
    more: Option<Body>,
    report: Report,
}

impl AnswerBody {
    pub(super) fn ready(ready: Bytes, report: Report) -> Self {
        Self { ready, more: None, report }
    }

    pub(super) fn new(body: Body, report: Report) -> Self {
        Self { ready: Bytes::new(), more: Some(body), report }
    }
}

impl HttpBody for AnswerBody {
    type Data = Part;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        task: &mut Task<'_>,
    ) -> Poll<Option<Result<Frame<Part>, axum::Error>>> {
        while self.ready.is_empty() {
            let Some(more) = &mut self.more else { return Poll::Ready(None) };
            match ready!(Pin::new(more).poll_frame(task)) {
                // Answers have no trailers.
                Some(Ok(frame)) => self.ready = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => self.more = None,
            }
        }
        let (length, stream) = match &self.report {
            Report::Answering { .. } => (self.ready.len(), None),
            Report::Stream(stream) => (self.ready.len().min(PART), Some(Arc::clone(stream))),
        };
        Poll::Ready(Some(Ok(Frame::data(Part { bytes: self.ready.split_to(length), stream }))))
    }

    fn is_end_stream(&self) -> bool {
        self.ready.is_empty() && self.more.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let ready = self.ready.len() as u64;
        let more = self.more.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint);
        let mut both = SizeHint::new();
        both.set_lower(ready.saturating_add(more.lower()));
        if let Some(upper) = more.upper() {
            both.set_upper(ready.saturating_add(upper));
        }
        both
    }
}

/// A part of an answer on its way to the socket.
pub(super) struct Part {
    bytes: Bytes,
    /// The drop of the last clone reports that the answer was handed over.
    stream: Option<Arc<Stream>>,
}

impl Buf for Part {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        if let Some(stream) = &self.stream {
            stream.progressed();
        }
    }
}
