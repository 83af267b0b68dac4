//! Large blocks of memory, straight from Linux.
//!
//! Memory that the system gives has to be cleared by it, page by page when the pages are touched, and threads stand in each other's
//! way there. So what was freed is used again: by blocks of any size, of any thread, cut as they are needed.
//!
//! A program that has its memory in large blocks may keep all that does not make their peak higher: blocks in use and spare memory
//! together are kept to seven eighths of the most that blocks in use have been. Not to all of that, since blocks are not always touched to
//! their ends, and what is used again may be. A little is spare in any program. The rest goes back to the system at once.

use std::ffi::c_void;
use std::io::Error;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::spare::{Span, Spare};

/// Blocks have multiples of this many bytes: pages have 64 KiB at most.
const UNIT: usize = 64 << 10;

/// As many bytes may be spare in any program.
const SPARE_ANYWAY: usize = 4 << 20;

/// What is in use, and what is spare.
struct Account {
    /// Bytes in use, and the most that they have been.
    used: usize,
    most_used: usize,
    spare: Spare,
    /// Whether more is spared than in any program.
    keeps: bool,
}

static ACCOUNT: Mutex<Account> =
    Mutex::new(Account { used: 0, most_used: 0, spare: Spare::new(), keeps: false });

fn account() -> MutexGuard<'static, Account> {
    ACCOUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Account {
    fn use_more(&mut self, bytes: usize) {
        // What does not fit into the address space is refused by the system later.
        self.used = self.used.saturating_add(bytes);
        self.most_used = self.most_used.max(self.used);
    }

    fn use_less(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// What must go back to the system, or a part of it.
    fn excess(&mut self) -> Option<Span> {
        let below_peak = (self.most_used - self.most_used / 8).saturating_sub(self.used);
        let may_be_spare = if self.keeps { below_peak.max(SPARE_ANYWAY) } else { SPARE_ANYWAY };
        self.spare.give(self.spare.bytes().saturating_sub(may_be_spare))
    }
}

/// From now on all is kept that does not make the peak higher.
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
    give_back(Account::excess);
    let mut memory = map(len);
    if memory.is_null() {
        give_back_all();
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
/// It came from this module with this size, and is used by nobody any more.
pub(super) unsafe fn free(memory: *mut u8, size: usize) {
    // SAFETY: all of the block is as the caller says.
    unsafe { free_span(memory, size.next_multiple_of(UNIT)) }
}

/// # Safety
/// This is a part of a block, of whole units, and is used by nobody any more.
unsafe fn free_span(memory: *mut u8, len: usize) {
    let span = Span { start: memory.expose_provenance(), len };
    let left = {
        let mut account = account();
        account.use_less(len);
        account.spare.put(span)
    };
    left.into_iter().for_each(unmap);
    give_back(Account::excess);
}

/// A block of another size with the same bytes at its beginning, or null if it must be copied.
///
/// # Safety
/// The block came from this module with the old size; if another one is returned it is used no more.
pub(super) unsafe fn resize(memory: *mut u8, old_size: usize, size: usize) -> *mut u8 {
    let (old, len) = (old_size.next_multiple_of(UNIT), size.next_multiple_of(UNIT));
    if len <= old {
        if len < old {
            // SAFETY: what is beyond the new size is used no more.
            unsafe { free_span(memory.wrapping_add(len), old - len) };
        }
        return memory;
    }
    account().use_more(len - old);
    give_back(Account::excess);
    // SAFETY: the caller says that it is a block of this size.
    let mut moved = unsafe { remap(memory, old, len) };
    if moved.is_null() && Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
        give_back_all();
        // SAFETY: as above; it was not moved.
        moved = unsafe { remap(memory, old, len) };
    }
    if moved.is_null() {
        // There is no memory; or the system keeps the block as two regions, and moves none such.
        account().use_less(len - old);
    }
    moved
}

/// Gives all spare memory to the system: where there is a limit it may be that which takes up what is left.
pub(super) fn give_back_all() {
    give_back(|account| account.spare.give(usize::MAX));
}

/// Gives to the system, one after the other, what is told to be given.
fn give_back(next: impl Fn(&mut Account) -> Option<Span>) {
    loop {
        // The account is free for others meanwhile.
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
    // SAFETY: a new region takes nothing from anybody.
    let memory = unsafe { libc::mmap(ptr::null_mut(), len, access, kind, -1, 0) };
    if memory == libc::MAP_FAILED { ptr::null_mut() } else { memory.cast::<u8>() }
}

/// # Safety
/// As for [`resize`].
unsafe fn remap(memory: *mut u8, old: usize, len: usize) -> *mut u8 {
    // SAFETY: these addresses are a block, of which nobody knows but the caller.
    let moved = unsafe { libc::mremap(memory.cast::<c_void>(), old, len, libc::MREMAP_MAYMOVE) };
    if moved == libc::MAP_FAILED { ptr::null_mut() } else { moved.cast::<u8>() }
}

fn unmap(span: Span) {
    let memory = ptr::with_exposed_provenance_mut::<c_void>(span.start);
    // SAFETY: spans are memory of this module that nobody uses. If Linux cannot cut a region for it, it stays, which is no harm.
    let _ = unsafe { libc::munmap(memory, span.len) };
}
