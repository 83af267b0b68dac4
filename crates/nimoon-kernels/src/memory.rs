//! Memory that the system does not give.
//!
//! Rust ends a program that gets no memory by a signal, with a backtrace where a sentence is wanted. [`Told`] is the allocator
//! of the system, which says instead what happened and what to do, and ends the program with exit code 1. It costs two comparisons for each
//! small block.
//!
//! It is of use where there is a limit (`ulimit -v`, a container without overcommitment). Where the system promises more memory than it
//! has, it kills programs without asking anybody.
//!
//! On Linux it has large blocks by itself, and can use again what was freed ([`Told::keep_large_blocks`]).

#[cfg(target_os = "linux")]
mod large;
#[cfg(target_os = "linux")]
mod spare;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The allocator of the system; where it has nothing left the program ends with a sentence.
///
/// ```
/// use nimoon_kernels::Told;
///
/// #[global_allocator]
/// static MEMORY: Told = Told;
///
/// assert_eq!(vec![1; 1000].len(), 1000);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Told;

impl Told {
    /// Comes back to the first thread alone that is about to tell why the program ends, for want of memory or of what takes it: where
    /// one finds none, others do at the same moment, and one sentence is enough.
    pub fn begin_to_tell() {
        if TELLING.swap(true, Ordering::Relaxed) {
            // Another thread is telling it, and the program ends. Whatever else happens, it does not stay.
            std::thread::sleep(Duration::from_secs(1));
            std::process::abort();
        }
    }

    /// From now on the memory of freed large blocks is kept for other large blocks, as long as that makes the peak of large blocks no
    /// higher. For programs whose memory is large blocks mostly, and which come to an end soon: others give back all but a little. Linux only.
    pub fn keep_large_blocks() {
        #[cfg(target_os = "linux")]
        large::keep();
    }
}

/// Whether some thread tells why the program ends.
static TELLING: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that ended otherwise than by an answer, bad input or a budget.
const CODE: i32 = 1;

// SAFETY: blocks that are not large are handed to `System`, which keeps to the contract, and large ones to `large`, which does too; size and
// alignment tell which they are whenever they are seen. A pointer is passed on only if it is not null, as it was returned.
unsafe impl GlobalAlloc for Told {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            return there(large::allocate(layout.size()).0, layout.size());
        }
        // SAFETY: the caller keeps to the contract of `alloc`, which is that of `System`.
        by_system(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            let (memory, is_zero) = large::allocate(layout.size());
            let memory = there(memory, layout.size());
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
        // SAFETY: `memory` came from `System` with this layout, since all small blocks do; where it returns null that stays as it is.
        by_system(size, || unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        #[cfg(target_os = "linux")]
        if Self::is_large(layout.size(), layout.align()) {
            // SAFETY: all large blocks come from `large`, and the caller uses this one no more.
            return unsafe { large::free(memory, layout.size()) };
        }
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(target_os = "linux")]
impl Told {
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
        // SAFETY: the size is not zero, since `realloc` is not called with that, and with this alignment not too large.
        let new_layout = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: blocks do not overlap, and both have the bytes that are copied; the old one is used no more.
        unsafe {
            let new = self.alloc(new_layout);
            new.copy_from_nonoverlapping(memory, layout.size().min(size));
            self.dealloc(memory, layout);
            new
        }
    }
}

/// What the system's allocator gives, if need be after all spare memory was given back to the system.
#[inline]
fn by_system(size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = ask();
    #[cfg(target_os = "linux")]
    if memory.is_null() {
        large::give_back_all();
        return there(ask(), size);
    }
    there(memory, size)
}

#[inline]
fn there(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        tell_and_end(size);
    }
    memory
}

/// Says what happened without any memory of its own, and ends the program.
#[cold]
fn tell_and_end(size: usize) -> ! {
    Told::begin_to_tell();
    let mut text = [0_u8; 256];
    let mut rest = &mut text[..];
    let _ = writeln!(
        rest,
        "error: out of memory: {size} more bytes were needed, and the system gave none; allow more memory, \
         or ask for less: a smaller input, a smaller --budget, fewer --threads"
    );
    let left = rest.len();
    let written = text.len() - left;
    let _ = std::io::stderr().write_all(&text[..written]);
    std::process::exit(CODE)
}
