//! Unicycles: the search against brute force and the verified counts, the facts of [Siegel2009,
//! §4], and the construction for all admissible patterns.

use nimoon::partizan::unicycle::{
    Inadmissible, Pattern, PatternError, Search, SearchError, Unicycle, UnicycleError, construct,
};
use nimoon::{
    Interrupted, Limits, Work,
    partizan::{Graph, Stopper, Stoppers, Vertex},
    player::Player,
};
use serde_json::Value as Json;

fn pattern(text: &str) -> Pattern {
    text.parse().expect(text)
}

fn canonical(stoppers: &mut Stoppers, graph: &Graph) -> Stopper {
    stoppers.onside(graph, 0, &mut Work::default()).unwrap().expect("a stopper")
}

/// The nimbers below \*n.
fn nimbers(n: Vertex, stoppers: &mut Stoppers) -> Vec<Stopper> {
    let list = (0..n).map(|n| {
        let edges = || (0..n).flat_map(move |i| (i + 1..=n).map(move |j| (i, j)));
        canonical(stoppers, &Graph::new(n as usize + 1, edges(), edges()).unwrap())
    });
    list.collect()
}

/// −1 = {|0}.
fn minus_one(stoppers: &mut Stoppers) -> Stopper {
    canonical(stoppers, &Graph::new(2, [], [(0, 1)]).unwrap())
}

/// All that the search finds, each checked by the engine.
fn all(pattern: &Pattern, exits: &[Stopper], stoppers: &mut Stoppers) -> Vec<Unicycle> {
    let mut work = Work::new(Limits::new(100_000_000));
    let mut search = Search::new(pattern, exits, stoppers, &mut work).unwrap();
    let mut list = Vec::new();
    while let Some(found) = search.next(&mut work).unwrap() {
        assert!(found.is_canonical(&mut stoppers.clone(), &mut work).unwrap(), "{pattern}");
        list.push(found);
    }
    list
}

/// The first that the search finds, checked by the engine.
fn first(pattern: &Pattern, exits: &[Stopper], stoppers: &mut Stoppers) -> Option<Unicycle> {
    let mut work = Work::default();
    let mut search = Search::new(pattern, exits, stoppers, &mut work).unwrap();
    let found = search.next(&mut work).unwrap()?;
    assert!(found.is_canonical(&mut stoppers.clone(), &mut work).unwrap(), "{pattern}");
    Some(found)
}

/// All choices of exits, in lexicographic order, that the engine finds to be canonical.
fn brute_force(pattern: &Pattern, exits: &[Stopper], stoppers: &Stoppers) -> Vec<Unicycle> {
    let choices = exits.len().pow(pattern.len() as u32);
    let unicycles = (0..choices).map(|mut number| {
        let mut chosen = vec![Stoppers::ZERO; pattern.len()];
        for exit in chosen.iter_mut().rev() {
            *exit = exits[number % exits.len()];
            number /= exits.len();
        }
        Unicycle::new(pattern.clone(), chosen, stoppers).unwrap()
    });
    let mut work = stoppers.clone();
    let mut canonical = |found: &Unicycle| found.is_canonical(&mut work, &mut Work::default());
    unicycles.filter(|found| canonical(found).unwrap()).collect()
}

fn admissible(length: usize) -> impl Iterator<Item = Pattern> {
    Pattern::necklaces(length).filter(|pattern| pattern.admissible().is_ok())
}

#[test]
fn the_counts_over_four_nimbers_are_as_verified() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/loopy.json");
    let cases: Json = serde_json::from_str(&std::fs::read_to_string(file).expect(file)).unwrap();
    let counts = cases["unicycle_counts_over_0_to_star3"].as_object().unwrap();
    assert_eq!(counts.len(), 32);
    let mut stoppers = Stoppers::new();
    let exits = nimbers(4, &mut stoppers);
    for (text, count) in counts {
        let found = all(&pattern(text), &exits, &mut stoppers).len();
        assert_eq!(Some(found as u64), count.as_u64(), "{text}");
    }
}

#[test]
fn the_search_finds_what_brute_force_finds_in_lexicographic_order() {
    let mut stoppers = Stoppers::new();
    let mut exits = nimbers(3, &mut stoppers);
    for length in 1..=6 {
        for pattern in Pattern::necklaces(length) {
            let brute = brute_force(&pattern, &exits, &stoppers);
            assert_eq!(all(&pattern, &exits, &mut stoppers), brute, "{pattern}");
            // The other end of the list first, and every place of the cycle as the start.
            exits.reverse();
            let pattern = pattern.rotated(length / 2);
            let brute = brute_force(&pattern, &exits, &stoppers);
            assert_eq!(all(&pattern, &exits, &mut stoppers), brute, "{pattern}");
        }
    }
}

#[test]
fn the_search_agrees_with_brute_force_beyond_nimbers() {
    // −1, 1/2 = {0|1}, the switch ±1 = {1|−1}, and up = {0|*}.
    let mut stoppers = Stoppers::new();
    let half = Graph::new(3, [(0, 2), (1, 2)], [(0, 1)]).unwrap();
    let switch = Graph::new(4, [(0, 1), (1, 3)], [(0, 2), (2, 3)]).unwrap();
    let up = Graph::new(3, [(0, 2), (1, 2)], [(0, 1), (1, 2)]).unwrap();
    let mut games = vec![Stoppers::ZERO, minus_one(&mut stoppers)];
    games.extend([half, switch, up].iter().map(|graph| canonical(&mut stoppers, graph)));
    let mut found = 0;
    for length in 1..=4 {
        for pattern in Pattern::necklaces(length) {
            let brute = brute_force(&pattern, &games, &stoppers);
            found += brute.len();
            assert_eq!(all(&pattern, &games, &mut stoppers), brute, "{pattern}");
        }
    }
    for exits in games.windows(2) {
        for pattern in admissible(5).chain(admissible(6)) {
            let brute = brute_force(&pattern, exits, &stoppers);
            found += brute.len();
            assert_eq!(all(&pattern, exits, &mut stoppers), brute, "{pattern}");
        }
    }
    assert_eq!(found, 31);
}

#[test]
fn all_admissible_patterns_of_length_four_to_nine_have_unicycles_over_four_nimbers() {
    let mut stoppers = Stoppers::new();
    let exits = nimbers(4, &mut stoppers);
    for (length, count) in (4..=9).zip([1, 4, 9, 16, 31, 56]) {
        assert_eq!(admissible(length).count(), count, "length {length}");
        for pattern in admissible(length) {
            assert!(first(&pattern, &exits, &mut stoppers).is_some(), "{pattern}");
        }
    }
}

#[test]
fn llrllrllr_needs_four_nimbers() {
    let mut stoppers = Stoppers::new();
    let exits = nimbers(5, &mut stoppers);
    let pattern = pattern("LLRLLRLLR");
    assert!(first(&pattern, &exits[..4], &mut stoppers).is_some());
    for i in 0..5 {
        for j in i + 1..5 {
            for k in j + 1..5 {
                let three = [i, j, k].map(|n: usize| exits[n]);
                assert_eq!(first(&pattern, &three, &mut stoppers), None, "*{i}, *{j}, *{k}");
            }
        }
    }
}

#[test]
fn at_length_ten_one_pattern_has_no_unicycle_over_five_nimbers() {
    let mut stoppers = Stoppers::new();
    let exits = nimbers(5, &mut stoppers);
    let mut without = Vec::new();
    for pattern in admissible(10) {
        if first(&pattern, &exits, &mut stoppers).is_none() {
            without.push(pattern);
        }
    }
    let open = pattern("LLLRLRRRLR");
    assert_eq!(open.negative().necklace(), open.necklace());
    assert_eq!(without, [open]);
}

#[test]
fn the_open_pattern_has_exactly_one_unicycle_over_zero_and_minus_one() {
    let mut stoppers = Stoppers::new();
    let minus = minus_one(&mut stoppers);
    let found = all(&pattern("LLLRLRRRLR"), &[Stoppers::ZERO, minus], &mut stoppers);
    let zero = Stoppers::ZERO;
    let exits = [minus, minus, minus, zero, zero, zero, zero, zero, minus, minus];
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].exits(), exits);
    assert_eq!(found[0].graph(&stoppers).len(), 12);
}

#[test]
fn the_construction_is_its_own_canonical_form_for_all_patterns_of_length_four_to_twelve() {
    for length in 4..=12 {
        for pattern in admissible(length) {
            let mut stoppers = Stoppers::new();
            let unicycle = construct(&pattern, &mut stoppers).unwrap();
            assert_eq!(unicycle.pattern(), &pattern);
            let canonical = unicycle.is_canonical(&mut stoppers, &mut Work::default());
            assert_eq!(canonical, Ok(true), "{pattern}");
        }
    }
}

#[test]
fn the_construction_follows_the_rotations_and_the_negation_of_a_pattern() {
    for text in ["LLRLLRLR", "RRLRL", "LLLRLRRRLR", "LRLRRLLRL"] {
        for pattern in pattern(text).rotations().flat_map(|word| [word.negative(), word]) {
            let mut stoppers = Stoppers::new();
            let unicycle = construct(&pattern, &mut stoppers).unwrap();
            assert_eq!(unicycle.pattern(), &pattern);
            let canonical = unicycle.is_canonical(&mut stoppers, &mut Work::default());
            assert_eq!(canonical, Ok(true), "{pattern}");
        }
    }
}

#[test]
fn the_canonical_graph_has_the_vertices_of_the_cycle_and_the_followers_of_the_exits() {
    let mut stoppers = Stoppers::new();
    let unicycle = construct(&pattern("LLRR"), &mut stoppers).unwrap();
    // Four vertices; 0 to 8, −1 to −12, and the switch {0|−12}.
    let graph = unicycle.graph(&stoppers);
    assert_eq!(graph.reachable(0).len(), 4 + 9 + 12 + 1);
    let start = canonical(&mut stoppers, &graph);
    assert_eq!(stoppers.graph(start).len(), graph.reachable(0).len());
}

#[test]
fn all_exits_to_zero_are_canonical_exactly_with_three_edges_of_each_player() {
    // [Siegel2009, Figure 6].
    let mut stoppers = Stoppers::new();
    for (a, b) in (1..=11).flat_map(|a| (1..=12 - a).map(move |b| (a, b))) {
        let word = [vec![Player::Left; a], vec![Player::Right; b]].concat();
        let pattern = Pattern::new(word).unwrap();
        let exits = vec![Stoppers::ZERO; a + b];
        let found = all(&pattern, &[Stoppers::ZERO], &mut stoppers);
        assert_eq!(found.len(), usize::from(a >= 3 && b >= 3), "{pattern}");
        let unicycle = Unicycle::new(pattern.clone(), exits, &stoppers).unwrap();
        let canonical = unicycle.is_canonical(&mut stoppers, &mut Work::default());
        assert_eq!(canonical, Ok(a >= 3 && b >= 3), "{pattern}");
    }
}

#[test]
fn almost_alternating_patterns_have_exactly_one_unicycle_over_zero_and_star() {
    // [Siegel2009, Figure 7]: alternating but for one LL, with 4n + 1 edges. From the vertex after LL on, three
    // exits to 0 are followed by one to *; the one vertex that is left over, the first of LL, exits
    // to *.
    let mut stoppers = Stoppers::new();
    let exits = nimbers(2, &mut stoppers);
    let [zero, star] = [exits[0], exits[1]];
    for n in 1..=6 {
        let pattern = pattern(&format!("L{}", "LR".repeat(2 * n)));
        let mut figure = vec![star, star];
        for _ in 0..n {
            figure.extend([zero, zero, zero, star]);
        }
        figure.truncate(4 * n + 1);
        let found = all(&pattern, &exits, &mut stoppers);
        assert_eq!(found.len(), 1, "{pattern}");
        assert_eq!(found[0].exits(), figure, "{pattern}");
    }
}

#[test]
fn nimbers_do_not_suffice_for_these_patterns_of_length_eleven_and_twelve() {
    let mut stoppers = Stoppers::new();
    let exits = nimbers(5, &mut stoppers);
    let known = ["LLLLRLRRRLR", "LLLRLRRRLLR", "LLLLLRLRRRLR", "LLLLRLRRRLLR", "LLLRLRLRRRLR"];
    let mut known: Vec<Pattern> = known
        .iter()
        .flat_map(|text| [pattern(text).necklace(), pattern(text).negative().necklace()])
        .collect();
    let patterns = admissible(11).chain(admissible(12));
    let mut without: Vec<Pattern> =
        patterns.filter(|pattern| first(pattern, &exits, &mut stoppers).is_none()).collect();
    for list in [&mut known, &mut without] {
        list.sort();
        list.dedup();
    }
    assert_eq!(without, known);
}

#[test]
fn a_pattern_without_a_unicycle_says_why() {
    let few = |player, one| Err(Inadmissible::TooFew { player, one });
    let cases = [
        ("LLLR", few(Player::Right, true)),
        ("RRLR", few(Player::Left, true)),
        ("LL", few(Player::Right, false)),
        ("RRR", few(Player::Left, false)),
        ("LR", few(Player::Left, true)),
        ("RLRL", Err(Inadmissible::Alternating)),
        ("LLRR", Ok(())),
        ("L", Ok(())),
        ("R", Ok(())),
    ];
    let mut stoppers = Stoppers::new();
    let exits = nimbers(4, &mut stoppers);
    for (text, expected) in cases {
        assert_eq!(pattern(text).admissible(), expected, "{text}");
        let built = construct(&pattern(text), &mut stoppers).map(|_| ());
        assert_eq!(built, expected, "{text}");
        assert_eq!(
            first(&pattern(text), &exits, &mut stoppers).is_some(),
            expected.is_ok(),
            "{text}"
        );
    }
    assert_eq!(
        Inadmissible::TooFew { player: Player::Right, one: true }.to_string(),
        "it has only one R: a long cycle in graph-canonical form has at least two of each"
    );
}

#[test]
fn a_bad_letter_is_pointed_at() {
    let errors = ["", "LLxR", "llrr", "LL\u{20}RR", "é"].map(str::parse::<Pattern>);
    let letter = |column, found| Err(PatternError::Letter { column, found });
    let expected =
        [Err(PatternError::Empty), letter(3, 'x'), letter(1, 'l'), letter(3, ' '), letter(1, 'é')];
    assert_eq!(errors, expected);
    assert_eq!(errors[1].as_ref().unwrap_err().to_string(), "1:3: expected L or R, found 'x'");
    let long = "L".repeat(Pattern::MOST + 1).parse::<Pattern>();
    assert_eq!(long, Err(PatternError::TooLong { most: Pattern::MOST }));
    assert_eq!("L".repeat(Pattern::MOST).parse::<Pattern>().unwrap().len(), Pattern::MOST);
}

#[test]
fn necklaces_are_all_words_up_to_rotation() {
    // A000031.
    for (length, count) in (1..=14).zip([2, 3, 4, 6, 8, 14, 20, 36, 60, 108, 188, 352, 632, 1182]) {
        let list: Vec<Pattern> = Pattern::necklaces(length).collect();
        assert_eq!(list.len(), count, "length {length}");
        assert!(list.is_sorted() && list.iter().all(|pattern| pattern.necklace() == *pattern));
        let words: usize = list.iter().map(Pattern::period).sum();
        assert_eq!(words, 1 << length);
    }
    assert_eq!(Pattern::necklaces(0).count(), 0);
    assert_eq!(Pattern::necklaces(Pattern::MOST + 1).count(), 0);
}

#[test]
fn exits_must_be_loopfree_and_as_many_as_letters() {
    let mut stoppers = Stoppers::new();
    let over = canonical(&mut stoppers, &Graph::new(2, [(0, 1)], [(0, 0)]).unwrap());
    let word = pattern("LLRR");
    let short = Unicycle::new(word.clone(), vec![over; 3], &stoppers);
    assert_eq!(short, Err(UnicycleError::Lengths { letters: 4, exits: 3 }));
    let mut exits = vec![Stoppers::ZERO; 4];
    exits[2] = over;
    let loopy = Unicycle::new(word.clone(), exits.clone(), &stoppers);
    assert_eq!(loopy, Err(UnicycleError::Loopy { place: 2 }));
    let mut search = |exits: &[Stopper]| {
        Search::new(&word, exits, &mut stoppers, &mut Work::default()).map(|_| ())
    };
    assert_eq!(search(&exits), Err(SearchError::Loopy { place: 2 }));
    assert_eq!(search(&[]), Err(SearchError::NoExits));
    // One exit many times is one exit.
    assert_eq!(search(&[Stoppers::ZERO; 100]), Ok(()));
    let many = nimbers(Search::MOST as Vertex + 1, &mut stoppers);
    let refused = Search::new(&word, &many, &mut stoppers, &mut Work::default()).map(|_| ());
    assert_eq!(refused, Err(SearchError::TooMany { most: Search::MOST }));
    let most = &many[..Search::MOST];
    assert!(first(&word, most, &mut stoppers).is_some());
}

#[test]
fn an_interrupted_search_resumes_where_it_was() {
    let mut stoppers = Stoppers::new();
    let exits = nimbers(4, &mut stoppers);
    let word = pattern("LLRLRR");
    let expected = all(&word, &exits, &mut stoppers);
    let mut search = Search::new(&word, &exits, &mut stoppers, &mut Work::default()).unwrap();
    let (mut found, mut interruptions, mut budget) = (Vec::new(), 0, 100);
    loop {
        match search.next(&mut Work::new(Limits::new(budget))) {
            Ok(Some(unicycle)) => found.push(unicycle),
            Ok(None) => break,
            Err(interrupted) => {
                assert_eq!(interrupted, Interrupted::positions(budget));
                interruptions += 1;
                budget += 100;
            }
        }
    }
    assert_eq!(found, expected);
    assert!(interruptions > 10);
}

#[test]
fn the_negative_of_a_unicycle_is_a_unicycle_with_the_negative_pattern() {
    let mut stoppers = Stoppers::new();
    let minus = minus_one(&mut stoppers);
    let word = pattern("LLLRLRRRLR");
    let found = all(&word, &[Stoppers::ZERO, minus], &mut stoppers);
    let negative = found[0].negative(&mut stoppers);
    let one = stoppers.negative(minus);
    assert_eq!(all(&word.negative(), &[Stoppers::ZERO, one], &mut stoppers), [negative]);
}
