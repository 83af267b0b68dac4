//! What the allocator asks of the system.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use nimoon_kernels::Told;

#[global_allocator]
static MEMORY: Told = Told;

/// Whether Linux was asked for large pages where this byte is.
fn is_in_large_pages(byte: &u8) -> bool {
    let address = std::ptr::from_ref(byte).addr();
    let regions = fs::read_to_string("/proc/self/smaps").unwrap();
    let mut holds = false;
    for line in regions.lines() {
        let first = line.split(' ').next().unwrap();
        let number = |text| usize::from_str_radix(text, 16).ok();
        let ends = first.split_once('-').and_then(|(from, to)| number(from).zip(number(to)));
        if let Some((from, to)) = ends {
            holds = (from..to).contains(&address);
        } else if holds && let Some(flags) = line.strip_prefix("VmFlags:") {
            return flags.split_whitespace().any(|flag| flag == "hg");
        }
    }
    panic!("no region holds {address:x}");
}

#[test]
fn large_blocks_are_wanted_in_large_pages_also_when_they_grow() {
    // A kernel may be built without large pages; then it refuses, and blocks are as good as others.
    let has_large_pages = Path::new("/sys/kernel/mm/transparent_hugepage").exists();
    let mut block: Vec<u8> = (0..8_usize << 20).map(|i| (i % 251) as u8).collect();
    let mut lens = Vec::new();
    while block.len() < 64 << 20 {
        block.extend_from_within(..);
        block.shrink_to_fit();
        lens.push(block.len());
        let places = [0, block.len() / 2, block.len() - 1];
        let asked = places.map(|place| is_in_large_pages(&block[place]));
        assert_eq!(asked, [has_large_pages; 3], "{} bytes", block.len());
    }
    assert_eq!(lens, [16 << 20, 32 << 20, 64 << 20]);
    assert!(block.chunks(8 << 20).all(|part| part == &block[..8 << 20]));
    assert!(block[..8 << 20].iter().enumerate().all(|(i, &byte)| byte == (i % 251) as u8));
    let cleared = vec![0_u8; 16 << 20];
    assert_eq!(is_in_large_pages(&cleared[cleared.len() / 2]), has_large_pages);
    assert!(cleared.iter().all(|&byte| byte == 0));
}
