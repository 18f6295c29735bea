//! The socket of a connection, which reports reads, writes and stalls to the connection's activity.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::activity::Activity;

/// How many of a client's further bytes are read and discarded before the socket is closed.
const MAX_LINGER_BYTES: usize = 1 << 20;

pub(super) struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Bytes discarded since the write side was shut down; `None` before that.
    discarded: Option<usize>,
}

impl WatchedStream {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self { stream, activity, discarded: None }
    }

    fn report_write(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending => self.activity.stalled(),
            Poll::Ready(_) => self.activity.wrote(),
        }
        written
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.received();
        }
        read
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.report_write(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.report_write(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // hyper flushes only after everything in its buffer is written.
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.activity.flushed();
        Poll::Ready(Ok(()))
    }

    /// Shuts down the write side, then reads and discards until the client closes its side: closing a
    /// socket with unread bytes resets the connection.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut discarded = match self.discarded {
            Some(discarded) => discarded,
            None => {
                ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
                self.activity.closing();
                0
            }
        };
        while discarded < MAX_LINGER_BYTES {
            self.discarded = Some(discarded);
            let mut space = [0; 8 << 10];
            let mut buffer = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            match buffer.filled().len() {
                0 => break,
                length => discarded += length,
            }
        }
        Poll::Ready(Ok(()))
    }
}
