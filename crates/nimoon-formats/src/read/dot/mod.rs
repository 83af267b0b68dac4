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
//! The language is read as Graphviz defines it: `strict`; identifiers that are bare words, numerals,
//! `"quoted"` (with `+` between pieces) or `<HTML>`; statements for nodes, arcs, chains of arcs,
//! subgraphs and attributes; ports; comments `/* */`, `//` and `#`. All arcs from a subgraph
//! start at all of its nodes, all arcs to it end at all of them. What the nodes look like is ignored,
//! but for gray:
//!
//! - the attribute `gray` (or `grey`) without a value, or with `true` or `false`;
//! - `color=gray`;
//! - a gray fill: a `fillcolor` with red, green and blue alike that is neither black nor white, be
//!   it a name (`lightgray`, `gray70`, `silver`, …), `#808080`, or hue, saturation and value.
//!   With `style=filled` and no `fillcolor`, Graphviz fills with `color` or, where there is none, with
//!   light gray; so does this reader. A later value of an attribute replaces an earlier one.
//!
//! Spelling is American or British, in any case. Attributes in `node [...]` hold for the nodes first
//! mentioned after it in the same braces.
//!
//! In quoted names `\"` stands for `"` and `\\` for `\`; a backslash before a line end joins
//! the lines; other escapes stay as they are. The name of an HTML identifier includes its outer
//! brackets. Nodes are numbered by first mention. One file has one digraph. Subgraphs are at most 100
//! deep, and arcs between subgraphs stand for at most 2²⁶ arcs altogether.

mod color;
mod token;

use nimoon::Node;

use super::ReadErrorKind;
use super::error::Fault;
use crate::{Names, Source};
use color::Paint;
use token::{Keyword, Lexer, Token};

/// How deep subgraphs may be nested.
const MAX_DEPTH: usize = 100;

/// How many arcs may come from pairs of subgraphs: a file of a few megabytes could ask for
/// millions of millions.
const MAX_SUBGRAPH_ARCS: usize = 1 << 26;

pub(super) fn read(text: &str) -> Result<Source, Fault> {
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
    };
    parser.document()?;
    let Parser { names, paints, arcs, .. } = parser;
    let gray = (0..names.len()).filter(|&node| paints[node].is_gray()).map(|node| node as Node);
    Ok(Source { gray: gray.collect(), names, arcs, ..Source::default() })
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token and its place.
    token: Token<'a>,
    place: usize,
    names: Names,
    paints: Vec<Paint>,
    arcs: Vec<(Node, Node)>,
    subgraph_arcs: usize,
}

/// What holds between a pair of braces.
struct Scope {
    depth: usize,
    defaults: Paint,
    /// The nodes mentioned, perhaps more than once. Nobody asks at the outermost level.
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

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<Token<'a>, Fault> {
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
    fn id(&mut self, expected: &'static str) -> Result<std::borrow::Cow<'a, str>, Fault> {
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

    /// What follows the first node or subgraph of a statement: arcs, with their attributes.
    /// Tells whether there are any.
    fn chain(&mut self, scope: &mut Scope, first: &[Node]) -> Result<bool, Fault> {
        let mut arrow = self.place;
        if self.token == Token::Undirected {
            let found = "an undirected edge `--`";
            return Err(Fault::new(arrow, ReadErrorKind::Undirected { found }));
        }
        if !self.take(&Token::Arrow)? {
            return Ok(false);
        }
        let mut from = first.to_vec();
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
            if self.token == Token::Undirected {
                let found = "an undirected edge `--`";
                return Err(Fault::new(arrow, ReadErrorKind::Undirected { found }));
            }
            if !self.take(&Token::Arrow)? {
                break;
            }
            from = to;
        }
        self.attribute_lists(Target::Ignored)?;
        Ok(true)
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
        for &from in from {
            self.arcs.extend(to.iter().map(|&to| (from, to)));
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

    /// The node of a name, with a port behind it.
    fn node(&mut self, scope: &mut Scope, place: usize, name: &str) -> Result<Node, Fault> {
        for _ in 0..2 {
            if self.take(&Token::Symbol(':'))? {
                self.id("the name of a port after `:`")?;
            }
        }
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
    }

    #[test]
    fn defaults_hold_in_their_braces_for_what_comes_first_there() {
        assert_eq!(gray("a; node [gray]; a -> b; { node [gray=false]; b -> c } d"), "b d");
        assert_eq!(gray("{ node [color=grey] a } b"), "a");
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
