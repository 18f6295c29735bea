//! The process's allocator, and how it returns free memory to the operating system.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns freed memory to the operating system. On its own the allocator does so only after a few
/// thousand allocations of a thread, and a shop that sheds work hardly allocates.
///
/// Walks through everything that this thread has freed, so call it on a thread that nobody waits for.
#[expect(unsafe_code, reason = "the allocator offers this as a C function only")]
pub(crate) fn release_free_memory() {
    // SAFETY: `mi_collect` takes no pointer, and any thread may call it at any time.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

/// How often every thread was asked to return memory.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The value of [`REQUESTS`] when this thread last returned memory.
    static DONE: Cell<usize> = const { Cell::new(0) };
}

/// Returns what this thread has freed, and asks the threads that call [`release_if_requested`] to do the same.
///
/// Each thread has memory of its own. Only that thread can return it, even if others have freed it. Call this on a
/// thread that nobody waits for.
pub(crate) fn request_release() {
    // First here, so that the others, which may answer requests, find little left to do.
    release_free_memory();
    let before = REQUESTS.fetch_add(1, Ordering::Relaxed);
    DONE.set(before + 1);
}

/// Returns freed memory if that was requested since this thread did so last. Cheap otherwise; for a thread that is
/// about to wait.
pub(crate) fn release_if_requested() {
    let requested = REQUESTS.load(Ordering::Relaxed);
    if DONE.replace(requested) != requested {
        release_free_memory();
    }
}
