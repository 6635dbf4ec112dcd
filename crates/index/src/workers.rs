//! Threads that make segments of notes, while others are scrubbed.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{JoinHandle, ScopedJoinHandle};

use tantivy::index::SegmentMeta;
use tantivy::{Index, TantivyError};

use crate::note::Note;
use crate::segment::SegmentBuilder;

/// Notes that go to a thread together.
const TOGETHER: usize = 64;
/// So many times as many notes wait before each thread: enough for the time in which the interpreter has the next ones ready.
const WAITING: usize = 16;

enum Order {
    Add(Vec<Note>),
    /// Write what there is, and end.
    Finish,
}

/// How to tell a thread what to do, and how it ended.
type Thread = (SyncSender<Order>, JoinHandle<Result<(), TantivyError>>);

/// Threads that each fill a segment after the other. Notes are dealt out in turn, so that which segment a note goes to does
/// not depend on which thread is faster.
pub(crate) struct Workers {
    threads: Vec<Thread>,
    finished: Receiver<SegmentMeta>,
    /// Notes for the next thread in turn.
    next: Vec<Note>,
    turn: usize,
}

impl Workers {
    /// Starts threads that write a segment whenever that would take more than `memory` bytes.
    pub(crate) fn start(index: &Index, threads: usize, memory: usize) -> Result<Self, TantivyError> {
        let (done, finished) = mpsc::channel();
        let start = |number: usize| {
            let (index, done) = (index.clone(), done.clone());
            let (send, orders) = mpsc::sync_channel(WAITING);
            let thread = std::thread::Builder::new()
                .name(format!("notesieve-index-{number}"))
                .spawn(move || work(&index, memory, &orders, &done))?;
            Ok((send, thread))
        };
        let threads = (0..threads).map(start).collect::<Result<_, TantivyError>>()?;
        Ok(Self { threads, finished, next: Vec::with_capacity(TOGETHER), turn: 0 })
    }

    /// Hands a note over. Waits while all are busy.
    pub(crate) fn add(&mut self, note: Note) -> Result<(), TantivyError> {
        self.next.push(note);
        if self.next.len() == TOGETHER { self.hand_over() } else { Ok(()) }
    }

    fn hand_over(&mut self) -> Result<(), TantivyError> {
        let notes = std::mem::replace(&mut self.next, Vec::with_capacity(TOGETHER));
        self.turn = (self.turn + 1) % self.threads.len();
        if self.threads[self.turn].0.send(Order::Add(notes)).is_ok() {
            return Ok(());
        }
        // It ended before its time, and tells why.
        self.join().and(Err(TantivyError::ErrorInThread(String::new())))
    }

    /// The segments that were finished since it was last asked.
    pub(crate) fn finished(&self) -> impl Iterator<Item = SegmentMeta> + '_ {
        self.finished.try_iter()
    }

    /// Finishes all segments.
    pub(crate) fn finish(mut self) -> Result<Vec<SegmentMeta>, TantivyError> {
        if !self.next.is_empty() {
            self.hand_over()?;
        }
        for (orders, _) in &self.threads {
            // One that is not there any more tells why when it is waited for.
            _ = orders.send(Order::Finish);
        }
        self.join()?;
        Ok(self.finished.try_iter().collect())
    }

    /// Waits for all threads; whoever has not been told to finish forgets its notes.
    fn join(&mut self) -> Result<(), TantivyError> {
        let (orders, threads): (Vec<_>, Vec<_>) = std::mem::take(&mut self.threads).into_iter().unzip();
        drop(orders);
        let ended =
            threads.into_iter().map(|thread| thread.join().map_err(|_| TantivyError::ErrorInThread(String::new()))?);
        // All of them, and then the first error.
        ended.collect::<Vec<_>>().into_iter().collect()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Nobody asks for what went wrong with notes that are not wanted.
        _ = self.join();
    }
}

/// A thread that writes a segment.
type Writing<'scope> = ScopedJoinHandle<'scope, Result<(), TantivyError>>;

fn wait(writing: Writing<'_>) -> Result<(), TantivyError> {
    writing.join().map_err(|_| TantivyError::ErrorInThread(String::new()))?
}

/// Fills segments. Each is written by a thread of its own, while the next one is filled.
fn work(
    index: &Index,
    memory: usize,
    orders: &Receiver<Order>,
    done: &Sender<SegmentMeta>,
) -> Result<(), TantivyError> {
    let write = |builder: SegmentBuilder| {
        // Nobody waits for it if the writer is gone.
        _ = done.send(builder.finish()?);
        Ok(())
    };
    std::thread::scope(|scope| {
        let mut open: Option<SegmentBuilder> = None;
        let mut writing: Option<Writing<'_>> = None;
        for order in orders {
            let notes = match order {
                Order::Add(notes) => notes,
                Order::Finish => {
                    open.take().map_or(Ok(()), &write)?;
                    break;
                }
            };
            for note in notes {
                let mut builder = match open.take() {
                    Some(builder) => builder,
                    None => SegmentBuilder::new(index)?,
                };
                builder.add(note)?;
                if builder.memory() < memory {
                    open = Some(builder);
                } else {
                    // Two at a time, not more, are in memory.
                    writing.take().map_or(Ok(()), wait)?;
                    writing = Some(scope.spawn(move || write(builder)));
                }
            }
        }
        writing.map_or(Ok(()), wait)
    })
}
