//! Licence expressions of SPDX, as they stand in manifests.

/// Whether the expression can be satisfied by allowed licences.
///
/// `AND` binds closer than `OR`; old manifests write `/` for `OR`. An expression that cannot be
/// read is not allowed.
pub fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, allowed };
    let answer = reader.either();
    answer == Some(true) && reader.words.is_empty()
}

struct Reader<'a> {
    words: &'a [&'a str],
    allowed: &'a dyn Fn(&str) -> bool,
}

/// Each method returns whether the part that it reads is allowed, or none if it is not an
/// expression.
impl<'a> Reader<'a> {
    fn word(&mut self) -> Option<&'a str> {
        let (&word, rest) = self.words.split_first()?;
        self.words = rest;
        Some(word)
    }

    fn next_is(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        self.words = &self.words[usize::from(found)..];
        found
    }

    fn either(&mut self) -> Option<bool> {
        let mut answer = self.both()?;
        while self.next_is("OR") {
            answer |= self.both()?;
        }
        Some(answer)
    }

    fn both(&mut self) -> Option<bool> {
        let mut answer = self.one()?;
        while self.next_is("AND") {
            answer &= self.one()?;
        }
        Some(answer)
    }

    fn one(&mut self) -> Option<bool> {
        if self.next_is("(") {
            let answer = self.either()?;
            return self.next_is(")").then_some(answer);
        }
        // "Or any later version", so this version may be chosen.
        let name = self.word()?.trim_end_matches('+');
        if !self.next_is("WITH") {
            return Some((self.allowed)(name));
        }
        Some((self.allowed)(&format!("{name} WITH {}", self.word()?)))
    }
}

#[test]
fn one_licence_of_a_choice_is_enough_and_all_of_several_are_needed() {
    let allowed = |name: &str| ["A", "B", "C WITH x"].contains(&name);
    for good in ["A", "A OR Z", "Z/B", "A AND B", "(A OR Z) AND B", "Z AND Y OR A", "A+"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for good in ["C WITH x", "(Z OR C WITH x) AND A"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in [
        "Z",
        "A AND Z",
        "A WITH y",
        "(A OR B) AND Z",
        "C",
        "C WITH y",
        "A WITH",
        "",
        "A B",
        "(A",
        "A OR",
        "A)",
    ] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
