//! Digraphs in DOT, the language of Graphviz.
//!
//! ```dot
//! digraph example {
//!   node [shape=circle]
//!   a -> b -> {c d} [label="an arc"]
//!   b [color=gray]
//!   c [style=filled, fillcolor="#c0c0c0"];
//!   subgraph cluster { node [gray]; g; h -> a }
//! }
//! ```
//!
//! The language is read as Graphviz defines it: `strict`; identifiers that are bare words,
//! numerals, `"quoted"` (with `+` between pieces) or `<HTML>`; statements for nodes, arcs, chains
//! of arcs, subgraphs and attributes; ports; comments `/* */`, `//` and `#`. All arcs from a
//! subgraph start at all of its nodes, all arcs to it end at all of them. What the nodes look like
//! is ignored, but for gray:
//!
//! - the attribute `gray` (or `grey`) without a value, or with `true` or `false`;
//! - `color=gray`;
//! - a gray fill: a `fillcolor` with red, green and blue alike that is neither black nor white, be
//!   it a name (`lightgray`, `gray70`, `silver`, …), `#808080`, or hue, saturation and value. With
//!   `style=filled` and no `fillcolor`, Graphviz fills with `color` or, where there is none, with
//!   light gray; so does this reader. A later value of an attribute replaces an earlier one.
//!
//! Spelling is American or British, in any case. Attributes in `node [...]` hold for the nodes
//! first mentioned after it in the same braces.
//!
//! In quoted names `\"` stands for `"` and `\\` for `\`; a backslash before a line end joins the
//! lines; other escapes stay as they are. The name of an HTML identifier includes its outer
//! brackets. Nodes are numbered by first mention. One file has one digraph. Subgraphs are at most
//! 100 deep, and arcs between subgraphs stand for at most 2²⁶ arcs altogether.

mod color;
mod token;

use std::borrow::Cow;

use nimoon::Node;

use super::ReadErrorKind;
use super::error::Fault;
use super::watch::Watch;
use crate::names::{BATCH, hash_text};
use crate::{Names, Source};
use color::Paint;
use token::{Keyword, Lexer, Token};

/// How deep subgraphs may be nested.
const MAX_DEPTH: usize = 100;

/// How many arcs may come from pairs of subgraphs: a file of a few megabytes could ask for
/// millions of millions.
const MAX_SUBGRAPH_ARCS: usize = 1 << 26;

/// The clock is checked after this many tokens, since many may name no node.
const TOKENS_PER_LOOK: usize = 1024;

/// The clock and the memory are checked after this many arcs between subgraphs.
const ARCS_PER_LOOK: usize = 1 << 14;

pub(super) fn read(text: &str, watch: &Watch<'_>) -> Result<Source, Fault> {
    let mut lexer = Lexer::new(text);
    let (place, token) = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        place,
        names: Names::for_text_of(text.len()),
        paints: Vec::new(),
        arcs: Vec::new(),
        subgraph_arcs: 0,
        plain: Plain::default(),
        tokens: 0,
        watch,
    };
    parser.document()?;
    let Parser { names, paints, arcs, .. } = parser;
    let gray = (0..names.len()).filter(|&node| paints[node].is_gray()).map(|node| node as Node);
    Ok(Source { gray: gray.collect(), names, arcs, ..Source::default() })
}

struct Parser<'a, 'w> {
    lexer: Lexer<'a>,
    /// The next token and its place.
    token: Token<'a>,
    place: usize,
    names: Names,
    paints: Vec<Paint>,
    arcs: Vec<(Node, Node)>,
    subgraph_arcs: usize,
    plain: Plain<'a>,
    /// How many were taken.
    tokens: usize,
    /// Receives reports of how far the text is read.
    watch: &'w Watch<'w>,
}

/// Nodes of plain statements of the outermost level, such as `a -> b`, whose names are looked up
/// together.
#[derive(Default)]
struct Plain<'a> {
    nodes: Vec<PlainNode<'a>>,
    /// The last of those before, that were looked up.
    last: Node,
    /// What holds for those that are new.
    defaults: Paint,
}

/// A node of a plain statement.
struct PlainNode<'a> {
    place: usize,
    name: &'a str,
    /// Whether an arc leads to it from the one before.
    is_led_to: bool,
}

/// What holds between a pair of braces.
struct Scope {
    depth: usize,
    defaults: Paint,
    /// The nodes mentioned, perhaps more than once. Not needed at the outermost level.
    nodes: Vec<Node>,
}

impl Scope {
    fn mention(&mut self, nodes: &[Node]) {
        if self.depth > 0 {
            self.nodes.extend_from_slice(nodes);
        }
    }
}

/// Whose attributes are read.
enum Target<'s> {
    Node(Node),
    Defaults(&'s mut Paint),
    Ignored,
}

impl<'a> Parser<'a, '_> {
    fn advance(&mut self) -> Result<Token<'a>, Fault> {
        if self.tokens.is_multiple_of(TOKENS_PER_LOOK) {
            self.watch.go_on(self.place, &self.names, self.arcs.len())?;
        }
        self.tokens += 1;
        let (place, token) = self.lexer.next()?;
        self.place = place;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn unexpected(&self, expected: &'static str) -> Fault {
        Fault::unexpected(self.lexer.text(), self.place, expected)
    }

    fn take(&mut self, token: &Token<'_>) -> Result<bool, Fault> {
        let found = self.token == *token;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, token: &Token<'_>, expected: &'static str) -> Result<(), Fault> {
        if self.take(token)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes an identifier that must stand here.
    fn id(&mut self, expected: &'static str) -> Result<Cow<'a, str>, Fault> {
        if !matches!(self.token, Token::Id(_)) {
            return Err(self.unexpected(expected));
        }
        match self.advance()? {
            Token::Id(id) => Ok(id),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        self.take(&Token::Keyword(Keyword::Strict))?;
        if self.token == Token::Keyword(Keyword::Graph) {
            let found = "an undirected `graph`";
            return Err(Fault::new(self.place, ReadErrorKind::Undirected { found }));
        }
        self.expect(&Token::Keyword(Keyword::Digraph), "`digraph`, as in `digraph { a -> b }`")?;
        if let Token::Id(_) = self.token {
            self.advance()?;
        }
        self.expect(&Token::Symbol('{'), "`{` and the statements of the digraph")?;
        let mut scope = Scope { depth: 0, defaults: Paint::default(), nodes: Vec::new() };
        self.statements(&mut scope)?;
        self.look_up()?;
        if self.token != Token::End {
            let expected = "the end of the file after the digraph: a file has one digraph";
            return Err(self.unexpected(expected));
        }
        Ok(())
    }

    /// Statements up to and including the closing brace.
    fn statements(&mut self, scope: &mut Scope) -> Result<(), Fault> {
        loop {
            if self.take(&Token::Symbol('}'))? {
                return Ok(());
            }
            if !self.take(&Token::Symbol(';'))? {
                self.statement(scope)?;
            }
        }
    }

    fn statement(&mut self, scope: &mut Scope) -> Result<(), Fault> {
        match self.token {
            Token::Keyword(Keyword::Node) => {
                self.advance()?;
                self.default_attributes(Target::Defaults(&mut scope.defaults))
            }
            Token::Keyword(Keyword::Edge | Keyword::Graph) => {
                self.advance()?;
                self.default_attributes(Target::Ignored)
            }
            Token::Keyword(Keyword::Subgraph) | Token::Symbol('{') => {
                let nodes = self.subgraph(scope)?;
                self.chain(scope, &nodes)?;
                Ok(())
            }
            Token::Id(_) => {
                let place = self.place;
                let name = self.id("a name")?;
                if self.take(&Token::Symbol('='))? {
                    self.id("a value after `=`")?;
                    return Ok(());
                }
                if let (0, Cow::Borrowed(name)) = (scope.depth, &name) {
                    match self.token {
                        Token::Arrow => return self.plain_chain(scope, place, name),
                        Token::Symbol(';' | '}') | Token::Id(_) => {
                            return self.put(scope, PlainNode { place, name, is_led_to: false });
                        }
                        _ => {}
                    }
                }
                let node = self.node(scope, place, &name)?;
                let target =
                    if self.chain(scope, &[node])? { Target::Ignored } else { Target::Node(node) };
                self.attribute_lists(target)
            }
            _ => Err(self.unexpected(
                "a node, an arc as in `a -> b`, or `}`: put quotes around a name with blanks or signs",
            )),
        }
    }

    /// Keeps a node of a plain statement until there are enough to look up together.
    fn put(&mut self, scope: &Scope, node: PlainNode<'a>) -> Result<(), Fault> {
        if self.plain.nodes.len() >= BATCH || self.plain.defaults != scope.defaults {
            self.look_up()?;
            self.plain.defaults = scope.defaults;
        }
        self.plain.nodes.push(node);
        Ok(())
    }

    /// Finds the nodes of plain statements, and adds their arcs.
    fn look_up(&mut self) -> Result<(), Fault> {
        self.watch.reached(self.place, &self.names, self.arcs.len())?;
        let Self { names, paints, arcs, plain: Plain { nodes, last, defaults }, .. } = self;
        let mut full = None;
        names.try_intern_all(
            nodes.len(),
            |i| nodes[i].name,
            |i| hash_text(nodes[i].name),
            |i, node| {
                let Some(node) = node else {
                    full = Some(nodes[i].place);
                    return false;
                };
                if node as usize == paints.len() {
                    paints.push(*defaults);
                }
                let from = std::mem::replace(last, node);
                if nodes[i].is_led_to {
                    arcs.push((from, node));
                }
                true
            },
        );
        nodes.clear();
        full.map_or(Ok(()), |place| Err(Fault::new(place, ReadErrorKind::TooManyNames)))
    }

    /// The arcs of a chain that begins with a node without port, and stands before an arrow.
    fn plain_chain(&mut self, scope: &mut Scope, place: usize, name: &'a str) -> Result<(), Fault> {
        self.put(scope, PlainNode { place, name, is_led_to: false })?;
        loop {
            let arrow = self.place;
            if !self.take(&Token::Arrow)? {
                self.refuse_undirected()?;
                return self.attribute_lists(Target::Ignored);
            }
            if let Token::Id(Cow::Borrowed(name)) = self.token {
                let place = self.place;
                self.advance()?;
                self.ports()?;
                self.put(scope, PlainNode { place, name, is_led_to: true })?;
            } else {
                self.look_up()?;
                return self.chain_from(scope, arrow, vec![self.plain.last]);
            }
        }
    }

    fn refuse_undirected(&self) -> Result<(), Fault> {
        if self.token != Token::Undirected {
            return Ok(());
        }
        let found = "an undirected edge `--`";
        Err(Fault::new(self.place, ReadErrorKind::Undirected { found }))
    }

    /// What follows the first node or subgraph of a statement: arcs, with their attributes.
    /// Returns whether there are any.
    fn chain(&mut self, scope: &mut Scope, first: &[Node]) -> Result<bool, Fault> {
        let arrow = self.place;
        self.refuse_undirected()?;
        if !self.take(&Token::Arrow)? {
            return Ok(false);
        }
        self.chain_from(scope, arrow, first.to_vec())?;
        Ok(true)
    }

    /// What follows an arrow.
    fn chain_from(
        &mut self,
        scope: &mut Scope,
        mut arrow: usize,
        mut from: Vec<Node>,
    ) -> Result<(), Fault> {
        loop {
            let to = match self.token {
                Token::Keyword(Keyword::Subgraph) | Token::Symbol('{') => self.subgraph(scope)?,
                _ => {
                    let place = self.place;
                    let name = self.id("a node or a subgraph after `->`")?;
                    vec![self.node(scope, place, &name)?]
                }
            };
            self.join(arrow, &from, &to)?;
            arrow = self.place;
            self.refuse_undirected()?;
            if !self.take(&Token::Arrow)? {
                break;
            }
            from = to;
        }
        self.attribute_lists(Target::Ignored)
    }

    fn join(&mut self, arrow: usize, from: &[Node], to: &[Node]) -> Result<(), Fault> {
        let count = from.len().saturating_mul(to.len());
        if from.len() != 1 || to.len() != 1 {
            self.subgraph_arcs = self.subgraph_arcs.saturating_add(count);
            if self.subgraph_arcs > MAX_SUBGRAPH_ARCS {
                let kind = ReadErrorKind::TooManyArcs { limit: MAX_SUBGRAPH_ARCS };
                return Err(Fault::new(arrow, kind));
            }
        }
        let mut unwatched = 0;
        for &from in from {
            self.arcs.extend(to.iter().map(|&to| (from, to)));
            unwatched += to.len();
            if unwatched >= ARCS_PER_LOOK {
                self.watch.go_on(arrow, &self.names, self.arcs.len())?;
                unwatched = 0;
            }
        }
        Ok(())
    }

    /// A subgraph; gives its nodes, each once.
    fn subgraph(&mut self, outer: &mut Scope) -> Result<Vec<Node>, Fault> {
        let place = self.place;
        if self.take(&Token::Keyword(Keyword::Subgraph))?
            && let Token::Id(_) = self.token
        {
            self.advance()?;
        }
        let depth = outer.depth + 1;
        if depth > MAX_DEPTH {
            return Err(Fault::new(place, ReadErrorKind::TooDeep { limit: MAX_DEPTH }));
        }
        self.expect(&Token::Symbol('{'), "`{` and the statements of the subgraph")?;
        let mut scope = Scope { depth, defaults: outer.defaults, nodes: Vec::new() };
        self.statements(&mut scope)?;
        let mut seen = rustc_hash::FxHashSet::default();
        scope.nodes.retain(|&node| seen.insert(node));
        outer.mention(&scope.nodes);
        Ok(scope.nodes)
    }

    /// The ports that may stand behind a node.
    fn ports(&mut self) -> Result<(), Fault> {
        for _ in 0..2 {
            if self.take(&Token::Symbol(':'))? {
                self.id("the name of a port after `:`")?;
            }
        }
        Ok(())
    }

    /// The node of a name, with a port behind it.
    fn node(&mut self, scope: &mut Scope, place: usize, name: &str) -> Result<Node, Fault> {
        self.ports()?;
        self.look_up()?;
        let node = self
            .names
            .try_intern(name)
            .ok_or_else(|| Fault::new(place, ReadErrorKind::TooManyNames))?;
        if node as usize == self.paints.len() {
            self.paints.push(scope.defaults);
        }
        scope.mention(&[node]);
        Ok(node)
    }

    /// Attributes after `node`, `edge` or `graph`.
    fn default_attributes(&mut self, target: Target<'_>) -> Result<(), Fault> {
        if self.token != Token::Symbol('[') {
            return Err(self.unexpected(
                "`[` and attributes after this keyword: put quotes around it if it is a name",
            ));
        }
        self.attribute_lists(target)
    }

    fn attribute_lists(&mut self, mut target: Target<'_>) -> Result<(), Fault> {
        while self.take(&Token::Symbol('['))? {
            while !self.take(&Token::Symbol(']'))? {
                let place = self.place;
                let key = self.id("the name of an attribute, or `]`")?;
                let value = if self.take(&Token::Symbol('='))? {
                    Some(self.id("a value after `=`: put quotes around it")?)
                } else {
                    None
                };
                let paint = match &mut target {
                    Target::Node(node) => self.paints.get_mut(*node as usize),
                    Target::Defaults(paint) => Some(&mut **paint),
                    Target::Ignored => None,
                };
                if let Some(paint) = paint
                    && !paint.set(&key, value.as_deref())
                {
                    let expected = "`gray` alone, or with `true` or `false`";
                    return Err(Fault::unexpected(self.lexer.text(), place, expected));
                }
                if !self.take(&Token::Symbol(','))? {
                    self.take(&Token::Symbol(';'))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, Fault> {
        super::read(text, &crate::read::watch::NOBODY)
    }

    fn names(source: &Source) -> Vec<String> {
        source.names.iter().map(std::borrow::Cow::into_owned).collect()
    }

    fn gray(statements: &str) -> String {
        let source = read(&format!("digraph {{ {statements} }}")).unwrap();
        source.gray.iter().map(|&node| source.names.name(node)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn chains_and_subgraphs_give_all_arcs() {
        let source = read("strict digraph G { a -> b -> {c; d e->c} -> f:p:n [x=y] }").unwrap();
        assert_eq!(names(&source), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(source.arcs, [(0, 1), (4, 2), (1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5)]);
        let source = read("digraph{subgraph s{a{b}}->subgraph{c}; {} -> a}").unwrap();
        assert_eq!(source.arcs, [(0, 2), (1, 2)]);
        let source = read("digraph{a->b:p->\"c\\\"\"->a; b c d->d; e->{a b}->f f;}").unwrap();
        assert_eq!(names(&source), ["a", "b", "c\"", "c", "d", "e", "f"]);
        let expected = [(0, 1), (1, 2), (2, 0), (4, 4), (5, 0), (5, 1), (0, 6), (1, 6)];
        assert_eq!(source.arcs, expected);
    }

    #[test]
    fn a_chain_of_very_many_nodes_is_a_chain() {
        let many: Vec<String> = (0..5005).map(|i| (i % 1000).to_string()).collect();
        let source = read(&format!("digraph {{ {} }}", many.join("->"))).unwrap();
        assert_eq!(source.names.len(), 1000);
        let node = |i: usize| (i % 1000) as Node;
        assert!(source.arcs.into_iter().eq((1..many.len()).map(|i| (node(i - 1), node(i)))));
    }

    #[test]
    fn defaults_hold_in_their_braces_for_what_comes_first_there() {
        assert_eq!(gray("a; node [gray]; a -> b; { node [gray=false]; b -> c } d"), "b d");
        assert_eq!(gray("{ node [color=grey] a } b"), "a");
        assert_eq!(gray("a -> b; { node [gray] c -> d } e; node [gray] b -> f"), "c d f");
        assert_eq!(gray("node [color=gray]; a [color=black]; b [color=GREY]"), "b");
        assert_eq!(
            gray("edge [color=gray]; graph [color=gray]; color=gray; a -> b [color=gray]"),
            ""
        );
    }

    #[test]
    fn a_gray_fill_is_gray() {
        assert_eq!(gray("a [style=filled] b [style=\"rounded,filled\" fillcolor=white]"), "a");
        assert_eq!(gray("a [fillcolor=lightgray] b [color=lightgray]"), "a");
        assert_eq!(gray("a [style=filled, color=lightgray]; b [style=filled; color=red]"), "a");
        assert_eq!(gray("a [style=filled][fillcolor=\"#80\"+\"8080\"]"), "a");
    }

    #[test]
    fn keywords_in_quotes_are_names() {
        let source = read("DIGRAPH \"graph\" { \"node\" -> \"Edge\"; Node [a=b] x=1 }").unwrap();
        assert_eq!(names(&source), ["node", "Edge"]);
    }

    #[test]
    fn arcs_between_subgraphs_are_bounded() {
        let many = (0..10_000).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
        let fault = read(&format!("digraph {{ {{ {many} }} -> {{ {many} }} }}")).unwrap_err();
        assert!(matches!(fault.kind, ReadErrorKind::TooManyArcs { .. }));
    }
}
