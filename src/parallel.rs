//! Many notes at once. The one place that starts threads.
//!
//! rayon's global pool hangs in a forked child once the parent has used it, because a fork copies no threads. So each
//! process makes its own pool, keyed by its process id, the first time it needs one.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::document::Document;
use crate::error::Result;
use crate::pipeline::{Scratch, Scrubber};

/// The pools of this process by their number of threads. A child leaves its parent's pools where they are: their threads
/// do not exist there, so they must not be dropped either.
static POOLS: Mutex<Option<(u32, Pools)>> = Mutex::new(None);

type Pools = HashMap<usize, Arc<ThreadPool>>;

/// The pool of this process with so many threads; `None` if the system gives no threads.
fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.as_ref().is_some_and(|(owner, _)| *owner != process) {
        std::mem::forget(pools.take());
    }
    let (_, pools) = pools.get_or_insert_with(|| (process, HashMap::new()));
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

/// How many threads to use: what was asked for, or one a core.
pub fn threads(asked: Option<usize>) -> usize {
    asked.filter(|&count| count > 0).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

impl Scrubber {
    /// De-identifies many notes with `threads` threads, or one a core. Results come in the order of the texts, the same
    /// whatever the number of threads; a note that cannot be scrubbed gives an error in its place.
    pub fn scrub_many<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        explain: bool,
        threads: Option<usize>,
    ) -> Vec<Result<Document>> {
        let one = |scratch: &mut Scratch, text: &T| {
            let mut document = Document::default();
            self.scrub_into(text.as_ref(), explain, scratch, &mut document).map(|()| document)
        };
        let threads = self::threads(threads);
        let alone = || {
            let mut scratch = Scratch::default();
            texts.iter().map(|text| one(&mut scratch, text)).collect()
        };
        if threads == 1 || texts.len() < 2 {
            return alone();
        }
        match pool(threads) {
            Some(pool) => pool.install(|| texts.par_iter().map_init(Scratch::default, one).collect()),
            None => alone(),
        }
    }
}
