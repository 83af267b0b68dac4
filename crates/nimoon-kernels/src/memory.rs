//! Memory that the system does not give.
//!
//! Rust ends a program that gets no memory by a signal, with a backtrace where a sentence is wanted. [`Told`] is the allocator
//! of the system, which says instead what happened and what to do, and ends the program with exit code 1. It costs a comparison for each
//! allocation.
//!
//! It is of use where there is a limit (`ulimit -v`, a container without overcommitment). Where the system promises more memory than it
//! has, it kills programs without asking anybody.
//!
//! Linux is asked to give large blocks in large pages, of 2 MiB mostly in place of 4 KiB. Threads that touch new memory stand in each
//! other's way for every page, and look-ups in no order find more of what large pages translate.

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
    /// A large block has this many bytes or more.
    const LARGE: i32 = 4 << 20;

    /// Comes back to the first thread alone that is about to tell why the program ends, for want of memory or of what takes it: where
    /// one finds none, others do at the same moment, and one sentence is enough.
    pub fn begin_to_tell() {
        if TELLING.swap(true, Ordering::Relaxed) {
            // Another thread is telling it, and the program ends. Whatever else happens, it does not stay.
            std::thread::sleep(Duration::from_secs(1));
            std::process::abort();
        }
    }

    /// From now on memory of 4 MiB or more goes back to the system as soon as it is freed, whichever thread asked for it. The allocator
    /// of glibc does so at first, but after a large block was freed it keeps blocks of that size for the thread that had it: two threads
    /// that labelled 4·10⁶ arcs took 106 MB at most, and take 99 MB with this. New memory has to be cleared, so it takes time: two threads
    /// labelled such digraphs in a tenth more, and one thread, which needs no less memory for it, in a twentieth more. Other allocators are
    /// left as they are.
    pub fn give_back_large_blocks() {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        {
            unsafe extern "C" {
                fn mallopt(parameter: i32, value: i32) -> i32;
            }
            /// `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` in `malloc.h`. Who sets one of them ends the guessing of the other, which would stay
            /// so low that the heap shrinks and grows with every block at its end.
            const THRESHOLDS: [(i32, i32); 2] = [(-3, Told::LARGE), (-1, 2 * Told::LARGE)];
            for (parameter, value) in THRESHOLDS {
                // SAFETY: this is the function of the C library with its signature; it sets a number, under a lock of its own.
                let _ = unsafe { mallopt(parameter, value) };
            }
        }
    }
}

/// Whether some thread tells why the program ends.
static TELLING: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that ended otherwise than by an answer, bad input or a budget.
const CODE: i32 = 1;

// SAFETY: everything is handed to `System`, which keeps to the contract; a pointer is passed on only if it is not null, as it was
// returned.
unsafe impl GlobalAlloc for Told {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `alloc`, which is that of `System`.
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: `memory` came from `System` with this layout, since all memory here does.
        there(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn there(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        tell_and_end(size);
    }
    if size >= Told::LARGE as usize {
        ask_for_large_pages(memory, size);
    }
    memory
}

/// Asks the system for large pages where a large block is. It may give others, and where it has no large ones nothing happens.
///
/// The block is meant with all the pages that it begins and ends in: a block of this size has them to itself as a rule, and glibc moves
/// it when it grows only if the system sees one region in it. Otherwise it is copied, for which there must be memory twice.
#[cold]
fn ask_for_large_pages(memory: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            fn madvise(start: *mut u8, len: usize, advice: i32) -> i32;
        }
        /// Where pages are larger the system refuses what does not begin with one.
        const PAGE: usize = 4096;
        const MADV_HUGEPAGE: i32 = 14;
        let into = memory.addr() % PAGE;
        let len = (into + size).next_multiple_of(PAGE);
        // SAFETY: this is the function of the C library with its signature; the advice changes no byte, whatever else is in these pages.
        let _ = unsafe { madvise(memory.wrapping_sub(into), len, MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, size);
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
