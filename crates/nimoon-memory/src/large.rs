//! Large blocks of memory, directly from Linux.
//!
//! Blocks below 1 MiB come from the system's allocator, larger ones from here. On other systems all
//! blocks come from the system's allocator. The system clears new memory page by page, when a page
//! is first used, and threads wait for each other there. So freed memory is reused, by blocks of
//! any size, of any thread: a new block is cut from the smallest spare span that has room for it,
//! neighbouring spans are joined, and memory that must be zero is cleared in one pass. The system
//! moves a growing block without copying, unless the block lies in two regions.
//!
//! Spare memory must not raise the peak, which limits and reports are about. A program with most of
//! its memory in large blocks, such as `label`, keeps spare memory as long as the peak does not
//! rise: blocks in use and spare memory together take at most seven eighths of the largest amount
//! that was ever in use. The last eighth is for blocks that were not used to their ends. Other
//! commands have many small blocks, which are not counted here; they keep 4 MiB. The rest returns
//! to the system before new memory is requested, and everything returns when the system refuses a
//! request.

use std::ffi::c_void;
use std::io::Error;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::spare::{Span, Spare};

/// Blocks have multiples of this many bytes: pages have 64 KiB at most.
const UNIT: usize = 64 << 10;

/// Any program may keep this many spare bytes.
const ALWAYS_SPARE: usize = 4 << 20;

/// What is in use, and what is spare.
struct Account {
    /// Bytes in use, and their largest number so far.
    used: usize,
    most_used: usize,
    spare: Spare,
    /// Whether more than [`ALWAYS_SPARE`] may be kept.
    keeps: bool,
}

static ACCOUNT: Mutex<Account> =
    Mutex::new(Account { used: 0, most_used: 0, spare: Spare::new(), keeps: false });

fn account() -> MutexGuard<'static, Account> {
    ACCOUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Account {
    fn use_more(&mut self, bytes: usize) {
        // The system refuses later what does not fit into the address space.
        self.used = self.used.saturating_add(bytes);
        self.most_used = self.most_used.max(self.used);
    }

    fn use_less(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// What must return to the system, or a part of it.
    fn excess(&mut self) -> Option<Span> {
        let below_peak = (self.most_used - self.most_used / 8).saturating_sub(self.used);
        let may_be_spare = if self.keeps { below_peak.max(ALWAYS_SPARE) } else { ALWAYS_SPARE };
        self.spare.give(self.spare.bytes().saturating_sub(may_be_spare))
    }
}

/// From now on keeps all spare memory that does not raise the peak.
pub(super) fn keep() {
    account().keeps = true;
}

/// A new block, or null; also whether its bytes are all zero.
pub(super) fn allocate(size: usize) -> (*mut u8, bool) {
    let len = size.next_multiple_of(UNIT);
    {
        let mut account = account();
        account.use_more(len);
        if let Some(start) = account.spare.take(len) {
            return (ptr::with_exposed_provenance_mut(start), false);
        }
    }
    return_spans(Account::excess);
    let mut memory = map(len);
    if memory.is_null() {
        return_all();
        memory = map(len);
    }
    if memory.is_null() {
        account().use_less(len);
    }
    (memory, true)
}

/// Frees a block.
///
/// # Safety
/// It came from this module with this size, and is no longer used.
pub(super) unsafe fn free(memory: *mut u8, size: usize) {
    // SAFETY: the caller promises this for the whole block.
    unsafe { free_span(memory, size.next_multiple_of(UNIT)) }
}

/// # Safety
/// This is a part of a block, of whole units, and is no longer used.
unsafe fn free_span(memory: *mut u8, len: usize) {
    let span = Span { start: memory.expose_provenance(), len };
    let left = {
        let mut account = account();
        account.use_less(len);
        account.spare.put(span)
    };
    left.into_iter().for_each(unmap);
    return_spans(Account::excess);
}

/// Resizes a block and keeps the bytes at its beginning; null if it must be copied.
///
/// # Safety
/// The block came from this module with the old size; if another one is returned, the old one is no
/// longer used.
pub(super) unsafe fn resize(memory: *mut u8, old_size: usize, size: usize) -> *mut u8 {
    let (old, len) = (old_size.next_multiple_of(UNIT), size.next_multiple_of(UNIT));
    if len <= old {
        if len < old {
            // SAFETY: the bytes beyond the new size are no longer used.
            unsafe { free_span(memory.wrapping_add(len), old - len) };
        }
        return memory;
    }
    account().use_more(len - old);
    return_spans(Account::excess);
    // SAFETY: the caller promises a block of this size.
    let mut moved = unsafe { remap(memory, old, len) };
    if moved.is_null() && Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
        return_all();
        // SAFETY: as above; it was not moved.
        moved = unsafe { remap(memory, old, len) };
    }
    if moved.is_null() {
        // There is no memory, or the block lies in two regions, which the system does not move.
        account().use_less(len - old);
    }
    moved
}

/// Returns all spare memory to the system: under a limit, spare memory may be what uses it up.
pub(super) fn return_all() {
    return_spans(|account| account.spare.give(usize::MAX));
}

/// Returns spans to the system, one after the other, until `next` has none.
fn return_spans(next: impl Fn(&mut Account) -> Option<Span>) {
    loop {
        // The account is unlocked while the system works.
        let span = next(&mut account());
        match span {
            Some(span) => unmap(span),
            None => return,
        }
    }
}

fn map(len: usize) -> *mut u8 {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new region overlaps no other.
    let memory = unsafe { libc::mmap(ptr::null_mut(), len, access, kind, -1, 0) };
    if memory == libc::MAP_FAILED { ptr::null_mut() } else { memory.cast::<u8>() }
}

/// # Safety
/// As for [`resize`].
unsafe fn remap(memory: *mut u8, old: usize, len: usize) -> *mut u8 {
    // SAFETY: these addresses are a block that only the caller uses.
    let moved = unsafe { libc::mremap(memory.cast::<c_void>(), old, len, libc::MREMAP_MAYMOVE) };
    if moved == libc::MAP_FAILED { ptr::null_mut() } else { moved.cast::<u8>() }
}

fn unmap(span: Span) {
    let memory = ptr::with_exposed_provenance_mut::<c_void>(span.start);
    // SAFETY: spans are memory of this module that nothing uses. If Linux cannot cut a region for
    // it, it stays, which does no harm.
    let _ = unsafe { libc::munmap(memory, span.len) };
}
