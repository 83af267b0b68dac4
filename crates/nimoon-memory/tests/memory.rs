//! Freed memory is reused.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use nimoon_memory::ReportingAllocator;

#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

/// These tests measure all memory of the process, so they run one after the other.
static ONE: Mutex<()> = Mutex::new(());

const MEGABYTE: usize = 1 << 20;

fn address(block: &[u8]) -> usize {
    block.as_ptr().addr()
}

/// The bytes in memory, now or at the peak.
fn resident(name: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
}

#[test]
fn freed_memory_is_reused_cleared_and_below_the_peak() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    ReportingAllocator::keep_large_blocks();
    let first = vec![7_u8; 160 * MEGABYTE];
    let other = vec![9_u8; 80 * MEGABYTE];
    let peak = resident("VmHWM:");
    let was = address(&first)..address(&first) + first.len();
    drop(first);
    // All but an eighth of the peak is kept, and is cut for several blocks.
    let kept = resident("VmRSS:");
    assert!(peak - kept < 40 * MEGABYTE && peak - kept > 20 * MEGABYTE, "{kept} of {peak}");
    let again: Vec<Vec<u8>> = (0..12).map(|_| vec![0_u8; 10 * MEGABYTE]).collect();
    for block in &again {
        assert!(was.contains(&address(block)), "another address");
        assert!(block.iter().all(|&byte| byte == 0), "not cleared");
    }
    // A block that does not fit is new, and spare memory returns to the system for it.
    drop(again);
    let large = vec![5_u8; 150 * MEGABYTE];
    assert!(other.iter().all(|&byte| byte == 9) && large.iter().all(|&byte| byte == 5));
    let now = resident("VmHWM:");
    assert!(now < peak + 2 * MEGABYTE, "{now} after {peak}");
}

/// Under a limit that spare memory uses up, small and growing blocks get that memory. The limit
/// needs a process of its own.
#[test]
fn spare_memory_returns_to_the_system_under_a_limit() {
    const NAME: &str = "spare_memory_returns_to_the_system_under_a_limit";
    const MARK: &str = "NIMOON_TEST_UNDER_A_LIMIT";
    if env::var_os(MARK).is_none() {
        let test = env::current_exe().unwrap();
        let limited = format!("ulimit -v 600000; exec '{}' --exact {NAME}", test.display());
        let out = Command::new("sh").args(["-c", &limited]).env(MARK, "1").output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        let error = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success() && text.contains("1 passed"), "{text}{error}");
        return;
    }
    ReportingAllocator::keep_large_blocks();
    let mut grows = vec![1_u8; 100 * MEGABYTE];
    drop(vec![2_u8; 300 * MEGABYTE]);
    grows.resize(350 * MEGABYTE, 1);
    assert!(grows.iter().all(|&byte| byte == 1));
    drop(grows);
    let small: Vec<Box<[u8; 1000]>> = (0..400_000).map(|_| Box::new([3; 1000])).collect();
    assert!(small.iter().all(|block| **block == [3; 1000]));
}

#[test]
fn blocks_keep_their_bytes_when_threads_share_memory() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let calls = |thread: u64| {
        let mut state = thread + 1;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) as usize % n
        };
        let mut blocks: Vec<(u8, Vec<u8>)> = Vec::new();
        let mut grown = 0;
        for step in 0..600 {
            let mark = (step * 4 + thread) as u8;
            // About as many small blocks as large ones.
            let len = 1 + below(2 * MEGABYTE) + below(6) / 5 * below(8 * MEGABYTE);
            match below(6) {
                0 => blocks.push((mark, vec![mark; len])),
                1 => {
                    let zeros = vec![0_u8; len];
                    assert!(zeros.iter().all(|&byte| byte == 0));
                    blocks.push((0, zeros));
                }
                2 if !blocks.is_empty() => drop(blocks.swap_remove(below(blocks.len()))),
                _ if !blocks.is_empty() => {
                    // Grows or shrinks, often from small to large or back.
                    let i = below(blocks.len());
                    let (mark, block) = &mut blocks[i];
                    grown += usize::from(len > block.len());
                    block.resize(len, *mark);
                    block.shrink_to_fit();
                }
                _ => {}
            }
            if blocks.len() > 20 {
                blocks.clear();
            }
            if step % 10 == 0 {
                let whole = |(mark, block): &(u8, Vec<u8>)| block.iter().all(|byte| byte == mark);
                assert!(blocks.iter().all(whole), "step {step} of thread {thread}");
            }
        }
        grown
    };
    let grown: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || calls(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(grown > 200, "{grown}");
}
