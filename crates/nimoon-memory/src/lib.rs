//! The program's allocator: it reports when the system refuses memory, and reuses large blocks.
//!
//! When memory runs out, Rust aborts the program with a signal and a backtrace.
//! [`ReportingAllocator`] wraps the system's allocator. It prints one sentence that says what
//! happened and what to do, and ends the program with exit code 1. It costs two comparisons for
//! each small block.
//!
//! This helps where memory is limited (`ulimit -v`, a container without overcommitment). A system
//! that promises more memory than it has kills programs without a warning.
//!
//! On Linux it manages large blocks itself, and can reuse freed ones
//! ([`ReportingAllocator::keep_large_blocks`]).

#[cfg(target_os = "linux")]
mod large;
#[cfg(target_os = "linux")]
mod spare;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The allocator of the system; the program ends with a sentence when no memory is left.
///
/// ```
/// use nimoon_memory::ReportingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: ReportingAllocator = ReportingAllocator;
///
/// assert_eq!(vec![1; 1000].len(), 1000);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportingAllocator;

impl ReportingAllocator {
    /// Reserves the last error message of the program for the calling thread; returns only in the
    /// first thread that calls this. When memory or threads run out, several threads notice at the
    /// same moment, but one message is enough.
    pub fn begin_report() {
        if REPORTING.swap(true, Ordering::Relaxed) {
            // Another thread prints the message and ends the program. If it does not, this thread
            // aborts.
            std::thread::sleep(Duration::from_secs(1));
            std::process::abort();
        }
    }

    /// From now on keeps the memory of freed large blocks for other large blocks, as long as that
    /// does not raise the peak of large blocks. This is for short programs whose memory is mostly
    /// in large blocks. By default, all but a little is returned to the system. Linux only.
    pub fn keep_large_blocks() {
        #[cfg(target_os = "linux")]
        large::keep();
    }
}

/// Whether some thread prints why the program ends.
static REPORTING: AtomicBool = AtomicBool::new(false);

/// The exit code for failures other than bad input or a limit.
const CODE: i32 = 1;

// SAFETY: small blocks come from `System`, which keeps to the contract, and large ones from
// `large`, which does too. Size and alignment decide which of them, so all methods agree. A pointer
// is passed on as it was returned, and only if it is not null.
unsafe impl GlobalAlloc for ReportingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            return or_end(large::allocate(layout.size()).0, layout.size());
        }
        // SAFETY: the caller keeps to the contract of `alloc`, which is that of `System`.
        by_system(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            let (memory, is_zero) = large::allocate(layout.size());
            let memory = or_end(memory, layout.size());
            if !is_zero {
                // SAFETY: the block has this many bytes.
                unsafe { memory.write_bytes(0, layout.size()) };
            }
            return memory;
        }
        // SAFETY: as in `alloc`.
        by_system(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        #[cfg(target_os = "linux")]
        {
            let was_large = Self::is_large(layout.size(), layout.align());
            let is_large = Self::is_large(size, layout.align());
            if was_large || is_large {
                // SAFETY: the caller keeps to the contract of `realloc`.
                return unsafe { self.realloc_large(memory, layout, size, was_large && is_large) };
            }
        }
        // SAFETY: `memory` came from `System` with this layout, since all small blocks do. If it
        // returns null, the block stays as it is.
        by_system(size, || unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            // SAFETY: all large blocks come from `large`, and the caller no longer uses this one.
            return unsafe { large::free(memory, layout.size()) };
        }
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(target_os = "linux")]
impl ReportingAllocator {
    /// A large block has this many bytes or more.
    const LARGE: usize = 1 << 20;
    /// What every page is aligned to.
    const PAGE: usize = 4 << 10;

    /// Whether a block does not come from the system's allocator.
    #[inline]
    fn is_large(size: usize, align: usize) -> bool {
        size >= Self::LARGE && align <= Self::PAGE
    }

    /// Gives a block another size, where the old or the new one is large.
    ///
    /// # Safety
    /// As for `realloc`.
    unsafe fn realloc_large(
        &self,
        memory: *mut u8,
        layout: Layout,
        size: usize,
        stays_large: bool,
    ) -> *mut u8 {
        if stays_large {
            // SAFETY: all large blocks come from `large`.
            let moved = unsafe { large::resize(memory, layout.size(), size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: callers of `realloc` pass no size of zero, and with this alignment the size is
        // not too large.
        let new_layout = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the blocks do not overlap, and both have the bytes that are copied; the old one
        // is no longer used.
        unsafe {
            let new = self.alloc(new_layout);
            new.copy_from_nonoverlapping(memory, layout.size().min(size));
            self.dealloc(memory, layout);
            new
        }
    }
}

/// A block from the system's allocator. If it fails, all spare memory is returned to the system
/// before a second attempt.
#[inline]
fn by_system(size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = ask();
    #[cfg(target_os = "linux")]
    if memory.is_null() {
        large::return_all();
        return or_end(ask(), size);
    }
    or_end(memory, size)
}

/// The block, if the system gave one; otherwise ends the program.
#[inline]
fn or_end(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        report_and_end(size);
    }
    memory
}

/// Prints what happened without allocating memory, and ends the program.
#[cold]
fn report_and_end(size: usize) -> ! {
    ReportingAllocator::begin_report();
    let mut text = [0_u8; 256];
    let mut rest = &mut text[..];
    let _ = writeln!(
        rest,
        "error: out of memory: the system refused {size} more bytes; allow more memory, \
         or use less: a smaller input, a lower budget or fewer threads"
    );
    let left = rest.len();
    let written = text.len() - left;
    let _ = std::io::stderr().write_all(&text[..written]);
    std::process::exit(CODE)
}
