//! Processes many items in parallel. The only module that starts threads.
//!
//! rayon's global pool hangs in a forked child once the parent has used it, because a fork copies no threads. So each
//! process creates its own pools on first use. A fork also copies locks in their current state, so no process may take
//! a lock that an ancestor could have held: each process claims a slot of its own by its process id, without a lock.

use std::collections::HashMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::{Error, Result};

/// The environment variable with the number of threads for calls that give none.
pub const THREADS_VARIABLE: &str = "NOTESIEVE_THREADS";

/// The maximum number of items that a thread takes at once. rayon by default splits a batch into twice as many pieces
/// as there are threads; if another thread of the process delays one of them, such as an index writer, all wait for it.
const MAX_ITEMS_PER_PIECE: usize = 64;

/// The maximum number of threads per core: more are no faster, and each takes memory and start-up time.
const MAX_THREADS_PER_CORE: usize = 4;

/// The pools of one process, by their number of threads.
struct PoolSlot {
    /// The id of the process that claimed the slot; 0 while it is free.
    process: AtomicU32,
    pools: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>>,
}

/// One slot per generation of forks. A child leaves the slots of its ancestors alone: their threads do not exist in the
/// child, so their pools must not be dropped either.
static PLACES: [PoolSlot; 64] = [const { PoolSlot { process: AtomicU32::new(0), pools: Mutex::new(None) } }; 64];

/// Returns the slot of this process; `None` after 64 generations of forks.
fn process_slot() -> Option<&'static PoolSlot> {
    let process = std::process::id();
    PLACES.iter().find(|place| {
        // Concurrent threads of one process agree: the first free slot is the same for both, one of them claims it, and
        // the other finds its own process there.
        match place.process.compare_exchange(0, process, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(owner) => owner == process,
        }
    })
}

/// Returns the pool of this process with that many threads; `None` if the system cannot start them.
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

/// Returns the number of threads to use: `asked`, or the value of [`THREADS_VARIABLE`], or one per core; at most four
/// per core. Fails if the variable is not a number.
pub fn thread_count(asked: Option<usize>) -> Result<usize> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let count = match (asked, std::env::var(THREADS_VARIABLE)) {
        (Some(count), _) if count > 0 => count,
        (_, Ok(value)) if !value.trim().is_empty() => value.trim().parse().map_err(|_| Error::Threads)?,
        _ => 0,
    };
    Ok(if count == 0 { cores } else { count.min(MAX_THREADS_PER_CORE.saturating_mul(cores)) })
}

/// Maps items with `threads` threads; results are in the order of the items. A panic fails only its own item.
pub fn map_items<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    one: impl Fn(usize, &T) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    map_with_buffers(items, threads, |(): &mut (), (at, item)| one(at, item))
}

/// As [`map_items`], with buffers that a worker reuses for its next item.
pub(crate) fn map_with_buffers<T: Sync, R: Send, B: Default>(
    items: &[T],
    threads: usize,
    work: impl Fn(&mut B, (usize, &T)) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let one = |buffers: &mut B, item: (usize, &T)| {
        let done = catch_unwind(AssertUnwindSafe(|| work(buffers, item)));
        // Buffers may be inconsistent after a panic, so they are replaced.
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
            let pieces = items.par_iter().enumerate().with_max_len(MAX_ITEMS_PER_PIECE);
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
