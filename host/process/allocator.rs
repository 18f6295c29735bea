//! The process's allocator, and how it returns free memory to the operating system.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns freed memory to the operating system. By itself the allocator does so only after some
/// thousand allocations of a thread, and a shop that sheds work hardly allocates.
///
/// Walks through everything that was freed, so call it on a blocking thread.
#[expect(unsafe_code, reason = "the allocator offers this as a C function only")]
pub(crate) fn release_free_memory() {
    // SAFETY: `mi_collect` takes no pointer, and any thread may call it at any time.
    unsafe { libmimalloc_sys::mi_collect(true) };
}
