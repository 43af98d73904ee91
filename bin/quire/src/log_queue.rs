//! Writes the log on a separate thread. Requests append their lines to a buffer, and one write takes all of them.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum size of the buffer in bytes. Callers beyond it wait for the next write, so no line is lost.
const MAX_WAITING: usize = 1 << 20;
/// Pause after a write, to collect lines. On an idle server a line is written at once.
const PAUSE: Duration = Duration::from_millis(5);

/// Writer thread. Dropping it waits until every line is written.
pub struct LogQueue {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

/// Adds lines to a [`LogQueue`].
pub struct LogLines(Arc<Shared>);

struct Shared {
    waiting: Mutex<Waiting>,
    /// Notified of a first line, and of the end of the queue.
    filled: Condvar,
    /// Notified when the writer has taken the buffered lines.
    emptied: Condvar,
}

#[derive(Default)]
struct Waiting {
    lines: Vec<u8>,
    /// `true` if the writer waits for a first line.
    is_idle: bool,
    /// `true` if no more lines are accepted.
    is_closed: bool,
}

impl LogQueue {
    /// Starts the thread, which writes into `output`.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start(output: impl Write + Send + 'static) -> io::Result<(Self, LogLines)> {
        let shared = Shared { waiting: Mutex::default(), filled: Condvar::new(), emptied: Condvar::new() };
        let shared = Arc::new(shared);
        let writing = shared.clone();
        let writer =
            thread::Builder::new().name("log".to_owned()).spawn(move || writing.write_all(output))?;
        Ok((Self { shared: shared.clone(), writer: Some(writer) }, LogLines(shared)))
    }
}

impl Drop for LogQueue {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.filled.notify_all();
        self.shared.emptied.notify_all();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, mut output: impl Write) {
        let mut lines = Vec::new();
        loop {
            let mut waiting = self.lock();
            while waiting.lines.is_empty() && !waiting.is_closed {
                waiting.is_idle = true;
                waiting = self.filled.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            waiting.is_idle = false;
            std::mem::swap(&mut lines, &mut waiting.lines);
            let is_closed = waiting.is_closed;
            drop(waiting);
            self.emptied.notify_all();
            // A failure to write the log cannot be logged.
            let _ = output.write_all(&lines).and_then(|()| output.flush());
            lines.clear();
            if is_closed {
                return;
            }
            let pause = self.filled.wait_timeout_while(self.lock(), PAUSE, |waiting| !waiting.is_closed);
            drop(pause);
        }
    }
}

impl Write for LogLines {
    /// Adds a line. After the end of the queue, the line goes straight to standard error.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.lock();
        while waiting.lines.len() >= MAX_WAITING && !waiting.is_closed {
            waiting = self.0.emptied.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.is_closed {
            drop(waiting);
            return io::stderr().write_all(line).map(|()| line.len());
        }
        waiting.lines.extend_from_slice(line);
        if std::mem::take(&mut waiting.is_idle) {
            self.0.filled.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Writer that reports each write, and continues only when allowed to.
    struct Gated {
        writes: Sender<Vec<u8>>,
        allowed: Receiver<()>,
    }

    impl Write for Gated {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.allowed.recv();
            let _ = self.writes.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn gated() -> (Gated, Sender<()>, Receiver<Vec<u8>>) {
        let ((writes, written), (allow, allowed)) = (channel(), channel());
        (Gated { writes, allowed }, allow, written)
    }

    #[test]
    fn lines_that_wait_are_written_in_one_write() {
        let (output, allow, written) = gated();
        let (queue, mut lines) = LogQueue::start(output).unwrap();
        lines.write_all(b"first\n").unwrap();
        // An empty queue means that the writer has taken the first line.
        while !queue.shared.lock().lines.is_empty() {
            thread::yield_now();
        }
        for line in ["second\n", "third\n"] {
            lines.write_all(line.as_bytes()).unwrap();
        }
        drop(allow);
        assert_eq!(written.recv().unwrap(), b"first\n");
        assert_eq!(written.recv().unwrap(), b"second\nthird\n");
    }

    #[test]
    fn every_line_is_written_before_the_queue_ends() {
        let (output, allow, written) = gated();
        drop(allow);
        let (queue, lines) = LogQueue::start(output).unwrap();
        let shared = lines.0;
        thread::scope(|scope| {
            for writer in 0..4 {
                let shared = shared.clone();
                scope.spawn(move || {
                    for number in 0..500 {
                        LogLines(shared.clone())
                            .write_all(format!("{writer} {number}\n").as_bytes())
                            .unwrap();
                    }
                });
            }
        });
        drop(queue);
        let text: Vec<u8> = written.try_iter().flatten().collect();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), 2_000);
        for writer in 0..4 {
            let of_writer = text.lines().filter_map(|line| line.strip_prefix(&format!("{writer} ")));
            assert!(of_writer.eq((0..500).map(|number| number.to_string())));
        }
    }

    #[test]
    fn a_full_queue_has_its_callers_wait() {
        let (output, allow, written) = gated();
        let (queue, mut lines) = LogQueue::start(output).unwrap();
        let line = vec![b'x'; MAX_WAITING / 2];
        let (done, is_done) = channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..6 {
                    lines.write_all(&line).unwrap();
                }
                done.send(()).unwrap();
            });
            while queue.shared.lock().lines.len() < MAX_WAITING {
                thread::yield_now();
            }
            assert!(is_done.try_recv().is_err(), "the queue takes no more");
            drop(allow);
        });
        drop(queue);
        assert_eq!(written.try_iter().map(|write| write.len()).sum::<usize>(), 3 * MAX_WAITING);
    }
}
