use nimoon::Limits;
use std::collections::HashMap;
use std::sync::Mutex;

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::ruleset::Ruleset;
use proptest::prelude::*;

use super::canonical::{Coder, unpack};
use super::graph::{Chain, Graph, joints};
use super::table::{Cost, Known};
use super::*;
use crate::graph::{Coins, testing::Evaluator};

/// A search with its own table.
fn alone() -> Strings {
    Strings::within(MOST_BYTES)
}

/// Searches without limits, and counts.
fn found(
    strings: &Strings,
    position: &[[u32; 2]],
    nimber: Option<u64>,
) -> Result<(Option<Found>, u64), Interrupted> {
    let mut work = Work::new(Limits::new(u64::MAX));
    let found = strings.search(position.iter().copied(), nimber, &mut work)?;
    Ok((found, work.used()))
}

fn value(strings: &Strings, position: &[[u32; 2]]) -> EntailingValue {
    match found(strings, position, None) {
        Ok((Some(Found::Value(value)), _)) => value,
        other => panic!("{position:?}: {other:?}"),
    }
}

/// A board of R × C boxes as plain lists: the boxes at each edge, the horizontal ones first.
struct Board {
    edges: Vec<[u32; 2]>,
    boxes: Vec<u32>,
}

impl Board {
    fn new(rows: u32, columns: u32) -> Self {
        let number = |row: u32, column: u32| {
            let inside = (1..=rows).contains(&row) && (1..=columns).contains(&column);
            if inside { (row - 1) * columns + column } else { 0 }
        };
        let mut edges = Vec::new();
        for row in 0..=rows {
            edges
                .extend((1..=columns).map(|column| [number(row, column), number(row + 1, column)]));
        }
        for row in 1..=rows {
            edges
                .extend((0..=columns).map(|column| [number(row, column), number(row, column + 1)]));
        }
        let sides = |coin: u32| {
            let at = edges.iter().enumerate().filter(|(_, ends)| ends.contains(&coin));
            at.map(|(edge, _)| 1 << edge).sum()
        };
        let boxes = (1..=rows * columns).map(sides).collect();
        Self { edges, boxes }
    }

    fn position(&self, missing: u32) -> Vec<[u32; 2]> {
        let edges = self.edges.iter().enumerate();
        edges.filter(|(edge, _)| missing >> edge & 1 == 1).map(|(_, &ends)| ends).collect()
    }

    /// The values of all sets of missing edges by the definition, over plain bits; none is the
    /// moon.
    fn values(&self) -> Vec<Option<u8>> {
        let mut values: Vec<Option<u8>> = vec![None; 1 << self.edges.len()];
        for missing in 0..1_u32 << self.edges.len() {
            // The heaps of less than 64 tokens beside which a first move here wins.
            let mut wins = 0_u64;
            for edge in (0..self.edges.len()).filter(|edge| missing >> edge & 1 == 1) {
                let after = missing & !(1 << edge);
                let closed = |sides: &&u32| **sides >> edge & 1 == 1 && **sides & after == 0;
                let again = self.boxes.iter().any(|sides| closed(&sides));
                wins |= match (again, values[after as usize]) {
                    (false, None) => 0,
                    (false, Some(heap)) => 1 << heap,
                    (true, None) => u64::MAX,
                    (true, Some(heap)) => !(1_u64 << heap),
                };
            }
            values[missing as usize] = (wins != u64::MAX).then(|| wins.trailing_ones() as u8);
        }
        values
    }

    /// Compares every so many positions with the search.
    fn compare(&self, every: usize) -> usize {
        self.compare_with(&alone(), every)
    }

    fn compare_with(&self, strings: &Strings, every: usize) -> usize {
        let mut moons = 0;
        for (missing, by_definition) in self.values().into_iter().enumerate().step_by(every) {
            let position = self.position(missing as u32);
            let expected = by_definition.map_or(Moon, |nimber| Nimber(u64::from(nimber)));
            assert_eq!(value(strings, &position), expected, "{missing:#b}");
            moons += usize::from(expected == Moon);
        }
        moons
    }
}

#[test]
fn every_position_of_small_boards_has_its_value_by_the_definition() {
    for (rows, columns) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2)] {
        let moons = Board::new(rows, columns).compare(1);
        assert_eq!(moons > 0, rows * columns > 1, "{rows}x{columns}");
    }
}

#[test]
fn positions_of_3_by_3_have_their_values_by_the_definition() {
    // Every 61st of 16,777,216; the bench compares them all.
    assert!(Board::new(3, 3).compare(61) > 1000);
}

#[test]
fn questions_in_a_tree_have_the_same_answers() {
    // With nothing for the depth-first search, with very little, with ever more, and with a tree
    // that is soon full.
    let little = |small, most| Depth { small, most, share: 0.0 };
    let depths = [
        (Depth::NONE, MOST_BYTES),
        (little(1e9, 3), MOST_BYTES),
        (little(0.5, 40), MOST_BYTES),
        (Depth { share: 0.1, ..Depth::NONE }, MOST_BYTES),
        (Depth::NONE, 1 << 14),
    ];
    for (depth, bytes) in depths {
        let strings = || Strings { depth, ..Strings::within(bytes) };
        for (rows, columns) in [(1, 4), (2, 2), (2, 3)] {
            Board::new(rows, columns).compare_with(&strings(), 1);
        }
        Board::new(3, 3).compare_with(&strings(), 9973);
        // Each with nothing known before; the value 2 is found by searching for 0, 1 and 2.
        for (rows, columns, nimber) in [(3, 3, 2), (2, 4, 0), (2, 5, 0), (1, 9, 1)] {
            let board = Board::new(rows, columns);
            assert_eq!(value(&strings(), &board.edges), Nimber(nimber), "{rows}x{columns}");
        }
    }
}

#[test]
fn on_large_boards_more_threads_search_together() {
    let after = |positions| {
        let Depth { small, most, .. } = Depth::default().after(positions);
        (small, most)
    };
    assert_eq!(after(0), (30_000.0, 200_000));
    assert_eq!(after(20 << 20), (40_960.0, 200_000));
    assert_eq!(after(200 << 20), (409_600.0, 1_638_400));
    assert_eq!(after(u64::MAX).1, (u64::MAX >> 7) + 1);
}

#[test]
fn large_values_are_ruled_out_in_a_tree() {
    let strings = || Strings { depth: Depth::NONE, ..alone() };
    let board = Board::new(2, 4);
    for nimber in [2, 3, 5, 9, 30, 200, 1000] {
        let (another, visited) = found(&strings(), &board.edges, Some(nimber)).unwrap();
        assert_eq!(another, Some(Found::Another), "{nimber}");
        // No more than it takes to find out that the value is 0, about.
        assert!(visited < 40_000, "{nimber}: {visited}");
    }
}

#[test]
fn an_answered_question_leaves_nothing_in_the_tree() {
    let Reduced::Sum(0, graphs) = reduce(Board::new(2, 4).edges.into_iter()) else {
        unreachable!()
    };
    let [part] = &Part::all(&graphs)[..] else { unreachable!() };
    for value in [0, 1, 2] {
        let table = Table::new(MOST_BYTES);
        let known = Knowledge::new(&table, None);
        let depth = Depth::NONE;
        let tree = Mutex::new(Tree::new(known, part, value, 1 << 30, depth));
        let mut pace = |_| Ok(());
        let found = proof::answer(&tree, &mut Search::new(known, &mut pace), false);
        assert_eq!(found, Ok(value == 0));
        assert_eq!(tree.into_inner().unwrap().len(), 1, "{value}");
    }
}

#[test]
fn empty_boards_have_their_known_values() {
    let strings = alone();
    let known = [(1, 9, 1), (2, 4, 0), (2, 5, 0), (3, 3, 2), (3, 4, 0)];
    for (rows, columns, nimber) in known {
        let board = Board::new(rows, columns);
        assert_eq!(value(&strings, &board.edges), Nimber(nimber), "{rows}x{columns}");
    }
}

#[test]
fn chains_and_loops_have_their_known_values() {
    let strings = alone();
    let chain = |coins: u32| (0..=coins).map(|k| [k, if k == coins { 0 } else { k + 1 }]).collect();
    let ring = |coins: u32| (1..=coins).map(|k| [k, k % coins + 1]).collect();
    for coins in 0..300 {
        let chain: Vec<_> = chain(coins);
        assert_eq!(value(&strings, &chain), Nimber(u64::from(coins < 3)), "{coins}");
        if coins > 1 {
            let ring: Vec<_> = ring(coins);
            assert_eq!(value(&strings, &ring), Nimber(u64::from(coins < 4)), "{coins}");
            // A chain that is open at one end.
            assert_eq!(value(&strings, &chain[1..]), Moon, "{coins}");
        }
    }
}

#[test]
fn a_position_is_found_loony_only_after_a_coin_is_taken() {
    let strings = alone();
    // The coins 1 and 3 hang on 2, which has three strings. If 1 is taken, 3 and 2 hang in a row.
    assert_eq!(value(&strings, &[[1, 2], [3, 2], [2, 0]]), Moon);
    // Three coins on one: all are taken.
    assert_eq!(value(&strings, &[[1, 4], [2, 4], [3, 4]]), Nimber(0));
}

#[test]
fn a_search_can_test_one_nimber() {
    let strings = alone();
    let board = Board::new(3, 3);
    let search = |nimber| found(&strings, &board.edges, Some(nimber)).unwrap().0;
    assert_eq!(search(0), Some(Found::Another));
    assert_eq!(search(1), Some(Found::Another));
    assert_eq!(search(2), Some(Found::Value(Nimber(2))));
    assert_eq!(search(3), Some(Found::Another));
    assert_eq!(search(1000), Some(Found::Another));
    assert_eq!(found(&strings, &[[0, 0]], Some(2)).unwrap().0, Some(Found::Value(Nimber(1))));
}

#[test]
fn a_search_stops_when_it_should() {
    let board = Board::new(3, 4);
    let search = |budget, stop| {
        let mut work = Work::new(Limits::new(budget));
        work.token().store(stop, Ordering::Relaxed);
        alone().search(board.edges.iter().copied(), None, &mut work)
    };
    assert_eq!(search(5_000, false), Err(Interrupted::positions(5_000)));
    // Also after the second thread was started.
    assert_eq!(search(40_000, false), Err(Interrupted::positions(40_000)));
    assert_eq!(search(u64::MAX, true), Err(Interrupted::Stopped));
}

#[test]
fn rulesets_that_are_there_together_share_one_table() {
    let board = Board::new(3, 3);
    let one = Strings::default();
    let other = Strings::default();
    let most = MOST_BYTES as u64;
    assert!(std::ptr::eq(one.table(most), other.table(most)));
    // With less memory a search has its own, so that no limit is that of another.
    assert!(!std::ptr::eq(Strings::default().table(most - 1), one.table(most)));
    assert_eq!(value(&one, &board.edges), Nimber(2));
    assert_eq!(found(&other, &board.edges, None), Ok((Some(Found::Value(Nimber(2))), 0)));
}

#[test]
fn little_memory_costs_time_and_no_answer() {
    let board = Board::new(2, 4);
    for bytes in [0, 1 << 20, 1 << 22] {
        assert_eq!(value(&Strings::within(bytes), &board.edges), Nimber(0), "{bytes}");
    }
}

#[test]
fn a_full_table_keeps_what_took_most_work_and_stays_within_its_bytes() {
    let table = Table::new(4 << 20);
    let code = |number: u32| [b"code".as_slice(), &number.to_le_bytes()].concat();
    let put = |number: u32, positions: u64| {
        let code = code(number);
        table.put(table::hash_of(&code), &code, Known::value(3), Cost::of(positions));
    };
    let get = |number: u32| table.get(table::hash_of(&code(number)), &code(number)).exact();
    put(0, 1 << 40);
    for number in 1..1_000_000 {
        put(number, 1 + u64::from(number % 8));
    }
    assert_eq!(get(0), Some(3));
    assert_eq!(get(1), None);
    assert_eq!(get(999_999), Some(3));
    assert_eq!(get(1_000_000), None);
    // Most of its bytes are used, and no more: each entry takes eleven and a slot.
    let least = table.len() * 16;
    assert!((1 << 20..4 << 20).contains(&least), "{least}");
    assert!(table.bytes() <= 4 << 20, "{}", table.bytes());
}

#[test]
fn a_graph_that_is_too_large_is_refused_and_long_chains_do_not_count() {
    // A wheel of 70 coins, each on the ground, is too large; if its rim has long chains it splits.
    let rim = |k: u32| k % 70 + 1;
    let wheel: Vec<_> = (1..=70).flat_map(|k| [[k, rim(k)], [k, 0]]).collect();
    assert!(!Strings::fits(wheel.iter().copied()));
    assert_eq!(found(&alone(), &wheel, None), Ok((None, 0)));
    let stretched = (1..=70).flat_map(|k| {
        let [a, b, c] = [1, 2, 3].map(|part| 70 * part + k);
        [[k, a], [a, b], [b, c], [c, rim(k)], [k, 0], [k, 0]]
    });
    let stretched: Vec<_> = stretched.collect();
    assert!(Strings::fits(stretched.iter().copied()));
    assert_eq!(value(&alone(), &stretched), Nimber(0));
}

#[derive(Default)]
struct Kept(Mutex<HashMap<Vec<u8>, Vec<u8>>>);

impl Memory for Kept {
    fn recall(&self, _ruleset: &str, key: &[u8]) -> Option<Box<[u8]>> {
        self.0.lock().unwrap().get(key).map(|value| value.clone().into())
    }

    fn keep(&self, _ruleset: &str, key: &[u8], value: &[u8]) {
        self.0.lock().unwrap().insert(key.to_vec(), value.to_vec());
    }
}

/// A memory that does not work for the thread that helps.
struct Broken(std::thread::ThreadId);

impl Memory for Broken {
    fn recall(&self, _ruleset: &str, _key: &[u8]) -> Option<Box<[u8]>> {
        assert_eq!(std::thread::current().id(), self.0, "this is the panic that the test is about");
        None
    }

    fn keep(&self, _ruleset: &str, _key: &[u8], _value: &[u8]) {}
}

#[test]
fn a_panic_of_the_thread_that_helps_ends_the_search() {
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let searched = pool.install(|| {
            // All questions are in the tree, so that none is answered but by who took it.
            let mut strings = Strings { depth: Depth::NONE, ..alone() };
            strings.remember(Arc::new(Broken(std::thread::current().id())));
            let board = Board::new(3, 4);
            let search = || found(&strings, &board.edges, None);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(search))
        });
        sender.send(searched.is_err()).unwrap();
    });
    let ended = ended.recv_timeout(std::time::Duration::from_mins(5));
    assert_eq!(ended, Ok(true), "it ends, and with the panic");
}

#[test]
fn a_run_resumes_from_what_another_one_kept() {
    // With one thread the same positions are visited each time.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(go_on_from_what_was_kept);
}

fn go_on_from_what_was_kept() {
    let board = Board::new(2, 6);
    let memory = Arc::new(Kept::default());
    let mut visited = Vec::new();
    for budget in [40_000, u64::MAX, u64::MAX] {
        let mut strings = alone();
        strings.remember(memory.clone());
        let mut work = Work::new(Limits::new(budget));
        let found = strings.search(board.edges.iter().copied(), None, &mut work);
        assert_eq!(found.is_ok(), budget == u64::MAX);
        visited.push(work.used());
    }
    let without = found(&alone(), &board.edges, None).unwrap().1;
    assert!(visited[1] < without, "{visited:?}, {without}");
    assert_eq!(visited[2], 0);
    // What is kept are values, or what they are not.
    let strings = alone();
    for (key, known) in &*memory.0.lock().unwrap() {
        let (&first, code) = key.split_first().unwrap();
        assert_eq!(first, PACKED);
        let part = Part::of_code(code.to_vec());
        let mut work = Work::new(Limits::new(u64::MAX));
        let value = strings.value(&part, &mut work).unwrap();
        let known = Known::from_byte(known[0]);
        assert!(known.exact().is_none_or(|exact| exact == value) && !known.excludes(value));
    }
}

/// Chains between joints 1 to 5, from random numbers.
fn chains() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec((0_u8..6, 1_u8..6, 0_u8..4), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn strings_and_coins_of_any_shape_have_their_values_by_the_definition(
        strings in prop::collection::vec([0_u32..7, 0_u32..7], 0..13),
    ) {
        let text: Vec<String> = strings.iter().map(|[a, b]| format!("{}-{}", name(*a), name(*b))).collect();
        let text = if text.is_empty() { "0".to_owned() } else { text.join(",") };
        let coins = Coins::default();
        let position = coins.read(&text).unwrap();
        let by_definition = Evaluator::new(Coins::default()).value(&position);
        prop_assert_eq!(value(&alone(), &strings), by_definition, "{}", text);
    }

    #[test]
    fn codes_do_not_depend_on_numbers_and_contain_everything(
        chains in chains(),
        order in Just((1_u8..6).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let long_to_ground = |(a, b, coins): (u8, u8, u8)| if coins == 3 { (0, b, 3) } else { (a, b, coins) };
        let chains: Vec<_> = chains.into_iter().map(long_to_ground).collect();
        let renamed = |end: u8| if end == 0 { 0 } else { order[usize::from(end) - 1] + 40 };
        let one: Vec<_> = chains.iter().map(|&(a, b, coins)| Chain::new(a, b, coins)).collect();
        let mut other: Vec<_> =
            chains.iter().map(|&(a, b, coins)| Chain::new(renamed(a), renamed(b), coins)).collect();
        other.reverse();
        let code = |chains: &[Chain]| {
            let mut code = Vec::new();
            Coder::default().code(chains, joints(chains), &mut code);
            code
        };
        prop_assert_eq!(code(&one), code(&other));
        // A code unpacked and packed is the same code.
        let unpacked: Vec<_> = unpack(&code(&one)).collect();
        prop_assert_eq!(unpacked.len(), one.len());
        prop_assert_eq!(code(&unpacked), code(&one));
        let coins = |chains: &[Chain]| {
            let mut coins: Vec<_> = chains.iter().map(|chain| (chain.coins(), chain.ends()[0] == 0)).collect();
            coins.sort_unstable();
            coins
        };
        prop_assert_eq!(coins(&unpacked), coins(&one));
    }
}

fn name(coin: u32) -> String {
    if coin == 0 { "0".to_owned() } else { format!("c{coin}") }
}

#[test]
fn different_small_graphs_have_different_codes() {
    // One joint with four chains: as many as there are multisets of four numbers of coins.
    let mut codes = std::collections::HashSet::new();
    for set in 0_u32..256 {
        let chains: Vec<_> = (0..4).map(|k| Chain::new(0, 1, (set >> (2 * k) & 3) as u8)).collect();
        let mut code = Vec::new();
        Coder::default().code(&chains, joints(&chains), &mut code);
        codes.insert(code);
    }
    assert_eq!(codes.len(), 35);
}

#[test]
fn cutting_makes_chains_long_and_joints_ground() {
    // A joint of degree three between two chains of one coin: together they are long.
    let mut graph = Graph::default();
    let chains = [(0, 1, 1), (1, 2, 1), (0, 1, 0), (0, 2, 0), (0, 2, 0)];
    graph.set(chains.into_iter().map(|(a, b, coins)| Chain::new(a, b, coins)));
    graph.cut(2);
    graph.chains.sort_unstable();
    let expected = [(0, 2, 0), (0, 2, 0), (0, 2, 3)].map(|(a, b, coins)| Chain::new(a, b, coins));
    assert_eq!(graph.chains, expected);
    assert_eq!(graph.loose, 0);
}
