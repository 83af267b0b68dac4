//! The fenced blocks of a document.

/// A fenced block: what stands behind the fence, the text within, and why it is not run.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    pub language: String,
    /// The second word behind the fence.
    pub path: Option<String>,
    pub text: String,
    /// What a line `<!-- not run: … -->` before the block says.
    pub excuse: Option<String>,
}

/// All blocks, also those that are indented below the item of a list.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<&str> = None;
    let mut excuse = None;
    for line in markdown.lines() {
        let unindented = line.trim_start();
        let fence = unindented.strip_prefix("```");
        match (fence, open) {
            (Some(info), None) => {
                open = Some(&line[..line.len() - unindented.len()]);
                let mut info = info.split_whitespace().map(str::to_owned);
                blocks.push(Block {
                    language: info.next().unwrap_or_default(),
                    path: info.next(),
                    text: String::new(),
                    excuse: excuse.take(),
                });
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(indent)) => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(line.strip_prefix(indent).unwrap_or(line));
                    block.text.push('\n');
                }
            }
            (None, None) if unindented.is_empty() => {}
            (None, None) => {
                let comment = unindented.strip_prefix("<!-- not run: ");
                excuse = comment.and_then(|it| it.strip_suffix(" -->")).map(str::to_owned);
            }
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

#[test]
fn a_block_has_a_language_a_file_and_an_excuse() {
    let page = "- item\n\n  ```game a.game\n  a: b\n    c\n  ```\n<!-- not run: it is long -->\n```sh\nx\n```\n```\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks.len(), 3);
    assert_eq!((&*blocks[0].language, blocks[0].path.as_deref()), ("game", Some("a.game")));
    assert_eq!((&*blocks[0].text, &blocks[0].excuse), ("a: b\n  c\n", &None));
    assert_eq!(blocks[1].excuse.as_deref(), Some("it is long"));
    assert_eq!((&*blocks[2].language, &blocks[2].excuse), ("", &None));
}
