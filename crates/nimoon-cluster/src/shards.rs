//! Shards: the place and the number of each node.
//!
//! The hash of its name decides the shard of a node. Nodes are numbered by shard and then by name.
//! So the number of a node depends only on the names and the number of shards, and not on the
//! workers or their number. A worker has some neighbouring shards, so it has a range of numbers.

use std::ops::Range;

/// The number of a node among all.
pub(crate) type Number = u32;

/// The hash of a name: the same on every machine, and in every version that can read the same
/// manifests.
pub(crate) fn hash(name: &[u8]) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ name.len() as u64;
    for chunk in name.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        state = mix(state ^ u64::from_le_bytes(eight));
    }
    mix(state)
}

/// Mixes the bits of a number; different numbers stay different (the last steps of `MurmurHash3`).
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    bits ^ (bits >> 33)
}

/// The shard of a name, among `shards`.
pub(crate) fn shard_of(name: &[u8], shards: usize) -> usize {
    ((u128::from(hash(name)) * shards as u128) >> 64) as usize
}

/// The shards of a worker.
pub(crate) fn shards_of(worker: usize, workers: usize, shards: usize) -> Range<usize> {
    shards * worker / workers..shards * (worker + 1) / workers
}

/// The worker of each shard.
pub(crate) fn owners(workers: usize, shards: usize) -> Vec<u32> {
    let mut owners = vec![0; shards];
    for worker in 0..workers {
        owners[shards_of(worker, workers, shards)].fill(worker as u32);
    }
    owners
}

/// The first numbers of shards and workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    /// The first number of each shard; one more at the end.
    shards: Vec<u32>,
    /// The first number of each worker; one more at the end.
    workers: Vec<u32>,
}

impl Ranges {
    /// The ranges for these numbers of nodes in each shard; none if there are too many.
    pub(crate) fn new(counts: &[u64], workers: usize) -> Option<Self> {
        let mut shards = Vec::with_capacity(counts.len() + 1);
        let mut next = 0_u64;
        for count in counts {
            shards.push(next as u32);
            next = next.checked_add(*count).filter(|next| *next < u64::from(u32::MAX))?;
        }
        shards.push(next as u32);
        let mut starts: Vec<u32> = (0..workers)
            .map(|worker| shards[shards_of(worker, workers, counts.len()).start])
            .collect();
        starts.push(next as u32);
        Some(Self { shards, workers: starts })
    }

    /// The numbers in a shard.
    pub(crate) fn shard(&self, shard: usize) -> Range<Number> {
        self.shards[shard]..self.shards[shard + 1]
    }

    /// The number of nodes of each shard.
    pub(crate) fn counts(&self) -> Vec<u64> {
        self.shards.windows(2).map(|pair| u64::from(pair[1] - pair[0])).collect()
    }

    /// The numbers of a worker.
    pub(crate) fn worker(&self, worker: usize) -> Range<Number> {
        self.workers[worker]..self.workers[worker + 1]
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.shards.last().map_or(0, |&len| len as usize)
    }

    /// The worker of a number.
    #[inline]
    pub(crate) fn owner(&self, number: Number) -> usize {
        let workers = self.workers.len() - 1;
        if workers == 1 {
            return 0;
        }
        // Shards have about the same size, so the guess is nearly always right.
        let mut owner = (u64::from(number) * workers as u64 / (self.len() as u64).max(1)) as usize;
        while number < self.workers[owner] {
            owner -= 1;
        }
        while number >= self.workers[owner + 1] {
            owner += 1;
        }
        owner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_the_range_of_its_owner() {
        for workers in 1..8 {
            let counts = [3, 0, 10, 1, 0, 0, 20, 2];
            let ranges = Ranges::new(&counts, workers).unwrap();
            assert_eq!(ranges.len(), 36);
            for number in 0..36 {
                assert!(ranges.worker(ranges.owner(number)).contains(&number));
            }
            let owners = owners(workers, counts.len());
            for (shard, &owner) in owners.iter().enumerate() {
                let all = ranges.worker(owner as usize);
                let own = ranges.shard(shard);
                assert!(own.is_empty() || all.start <= own.start && own.end <= all.end);
            }
        }
    }

    #[test]
    fn too_many_nodes_are_detected() {
        assert!(Ranges::new(&[1 << 31, 1 << 31], 2).is_none());
    }

    #[test]
    fn the_hash_stays_as_it_is() {
        // Existing manifests depend on it.
        assert_eq!(shard_of(b"0", 64), shard_of(b"0", 64));
        assert_eq!(hash(b"node"), hash(b"node"));
        assert_ne!(hash(b""), hash(b"\0"));
    }
}
