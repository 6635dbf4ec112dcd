//! Many items at once. The one place that starts threads.
//!
//! rayon's global pool hangs in a forked child once the parent has used it, because a fork copies no threads. So each
//! process makes its own pools, the first time it needs one. And since a fork copies a lock as it stands, held or not, no
//! process may take a lock that an ancestor could have held: each claims a place of its own by its process id, without a lock.

use std::collections::HashMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::{Error, Result};

/// The environment variable that says how many threads to use where a call does not.
pub const THREADS_VARIABLE: &str = "NOTESIEVE_THREADS";

/// Items that a thread takes at once. Left to itself rayon cuts a batch into twice as many pieces as there are threads: whoever
/// is held up by another thread of the process, as by those that write an index, is then waited for by all.
const PIECE: usize = 64;

/// Threads for a core, at most: more do nothing faster, and each takes memory, and time until it stands.
const TO_A_CORE: usize = 4;

/// The pools of one process, by their number of threads.
struct Place {
    /// The process that claimed the place; 0 while it is free.
    process: AtomicU32,
    pools: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>>,
}

/// One place a generation of forks. A child finds the places of its ancestors claimed and leaves them alone: their threads do
/// not exist in it, so their pools must not be dropped either.
static PLACES: [Place; 64] = [const { Place { process: AtomicU32::new(0), pools: Mutex::new(None) } }; 64];

/// The place of this process; `None` after 64 generations of forks.
fn process_slot() -> Option<&'static Place> {
    let process = std::process::id();
    PLACES.iter().find(|place| {
        // Threads of one process that come here together agree: the first free place is the same for both, one of them
        // claims it, and the other reads its own process there.
        match place.process.compare_exchange(0, process, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(owner) => owner == process,
        }
    })
}

/// The pool of this process with so many threads; `None` if the system gives no threads.
fn thread_pool(threads: usize) -> Option<Arc<ThreadPool>> {
    let mut pools = process_slot()?.pools.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_with(HashMap::new);
    if let Some(pool) = pools.get(&threads) {
        return Some(Arc::clone(pool));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("notesieve-{index}"))
        .build()
        .ok()?;
    Some(Arc::clone(pools.entry(threads).or_insert_with(|| Arc::new(pool))))
}

/// How many threads to use: what was asked for, or what the environment variable [`THREADS_VARIABLE`] says, or one a core; never
/// more than four a core. An error if the variable is no number.
pub fn thread_count(asked: Option<usize>) -> Result<usize> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let count = match (asked, std::env::var(THREADS_VARIABLE)) {
        (Some(count), _) if count > 0 => count,
        (_, Ok(value)) if !value.trim().is_empty() => value.trim().parse().map_err(|_| Error::Threads)?,
        _ => 0,
    };
    Ok(if count == 0 { cores } else { count.min(TO_A_CORE.saturating_mul(cores)) })
}

/// Works on many items with `threads` threads; results come in the order of the items. Whatever panics costs its item.
pub fn map_items<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    one: impl Fn(usize, &T) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    map_with_buffers(items, threads, |(): &mut (), (at, item)| one(at, item))
}

/// The same, with buffers that a worker uses again for its next item.
pub(crate) fn map_with_buffers<T: Sync, R: Send, B: Default>(
    items: &[T],
    threads: usize,
    work: impl Fn(&mut B, (usize, &T)) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let one = |buffers: &mut B, item: (usize, &T)| {
        let done = catch_unwind(AssertUnwindSafe(|| work(buffers, item)));
        // What a panic left in the buffers is not used again.
        done.unwrap_or_else(|_| {
            *buffers = B::default();
            Err(Error::Internal)
        })
    };
    let alone = || {
        let mut buffers = B::default();
        items.iter().enumerate().map(|item| one(&mut buffers, item)).collect()
    };
    if threads <= 1 || items.len() < 2 {
        return alone();
    }
    match thread_pool(threads) {
        Some(pool) => {
            let pieces = items.par_iter().enumerate().with_max_len(PIECE);
            pool.install(|| pieces.map_init(B::default, one).collect())
        }
        None => alone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn threads_of_one_process_share_a_place() {
        let places: Vec<usize> = std::thread::scope(|scope| {
            let started: Vec<_> = (0..16)
                .map(|_| scope.spawn(|| std::ptr::from_ref(process_slot().expect("a place is free")).addr()))
                .collect();
            started.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(places.iter().all(|&at| at == places[0]));
    }
}
