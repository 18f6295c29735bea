//! The allocator of the whole process, and the way back from it to the operating system.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns memory that was freed to the operating system. By itself the allocator does so only
/// after some thousand allocations of a thread, and a shop that sheds work hardly allocates.
///
/// Walks through everything that was freed, so it is not for a thread that answers.
pub fn give_back() {
    // SAFETY: it takes no pointer, and any thread may call it at any time.
    unsafe { libmimalloc_sys::mi_collect(true) };
}
