//! The socket of a connection, which reports reads, writes and stalls to the connection's activity.

use std::io::{self, ErrorKind, Read as _};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

use super::activity::Activity;

/// How many of a client's further bytes are read and discarded before the socket is closed.
const MAX_LINGER_BYTES: usize = 1 << 20;

pub(super) struct WatchedStream {
    /// Shared with the connection's task, which watches for a reset.
    stream: Arc<TcpStream>,
    activity: Arc<Activity>,
    /// Bytes discarded since the write side was shut down; `None` before that.
    discarded: Option<usize>,
}

impl WatchedStream {
    pub(super) fn new(stream: Arc<TcpStream>, activity: Arc<Activity>) -> Self {
        Self { stream, activity, discarded: None }
    }

    /// Reads what there is, at most as much as fits.
    fn read(&self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            let (space, mut received) = (buffer.initialize_unfilled(), None);
            let read = self.stream.try_io(Interest::READABLE, || {
                let length = (&*SockRef::from(&*self.stream)).read(space)?;
                received = Some(length);
                // The kernel had no more than this, so the next read waits until more arrives, instead of
                // asking in vain. An empty read is the end of the stream, after which nothing arrives.
                if (1..space.len()).contains(&length) { Err(ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            match (received, read) {
                (Some(length), _) => {
                    buffer.advance(length);
                    return Poll::Ready(Ok(()));
                }
                (None, Err(error)) if error.kind() != ErrorKind::WouldBlock => {
                    return Poll::Ready(Err(error));
                }
                (None, _) => {}
            }
        }
    }

    /// Writes with `write` as soon as the socket takes bytes.
    fn write(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_write_ready(context))?;
            match write(&self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
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
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = self.read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.received();
        }
        read
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.write(context, |stream| stream.try_write(bytes));
        self.report_write(written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.write(context, |stream| stream.try_write_vectored(slices));
        self.report_write(written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // hyper flushes only after everything in its buffer is written, and a socket has no other buffer.
        self.activity.flushed();
        Poll::Ready(Ok(()))
    }

    /// Shuts down the write side, then reads and discards until the client closes its side: closing a
    /// socket with unread bytes resets the connection.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut discarded = match self.discarded {
            Some(discarded) => discarded,
            None => {
                SockRef::from(&*self.stream).shutdown(Shutdown::Write)?;
                self.activity.closing();
                0
            }
        };
        while discarded < MAX_LINGER_BYTES {
            self.discarded = Some(discarded);
            let mut space = [0; 8 << 10];
            let mut buffer = ReadBuf::new(&mut space);
            ready!(self.read(context, &mut buffer))?;
            match buffer.filled().len() {
                0 => break,
                length => discarded += length,
            }
        }
        Poll::Ready(Ok(()))
    }
}
