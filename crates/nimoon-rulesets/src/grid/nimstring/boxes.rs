//! What is known in advance of boards of one size, so that moves, parts and symmetries cost a few
//! operations on bits.

/// An edge between two dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// Whether it is at the side of a box.
    pub(super) vertical: bool,
    /// How many rows are above it (or above its row of boxes).
    pub(super) row: u8,
    /// How many columns are left of it (or left of its column of boxes).
    pub(super) column: u8,
}

/// The boxes of a board; sets of edges are bits.
#[derive(Debug)]
pub(super) struct Boxes {
    size: [usize; 2],
    /// The edges in the order of their numbers.
    pub(super) edges: Vec<Edge>,
    /// The edges of all boxes of each row.
    pub(super) rows: Vec<u128>,
    /// The edges of all boxes of each column.
    pub(super) columns: Vec<u128>,
    /// For each edge the edges of the boxes at it, itself among them; the second set is empty for
    /// an edge of the border.
    around: Vec<[u128; 2]>,
    /// The border edges of each box that has several.
    corners: Vec<u128>,
    /// In how many ways the board can be turned over onto itself.
    ways: usize,
    /// Where each edge goes when the board is turned over, as a set of one edge for each way to do
    /// so; the first one leaves it as it is.
    images: Vec<[u128; 8]>,
}

/// How many edges a board has, if that can be counted.
pub(super) fn count_edges(rows: u64, columns: u64) -> Option<u64> {
    rows.checked_mul(columns)?.checked_mul(2)?.checked_add(rows.checked_add(columns)?)
}

impl Boxes {
    /// For boards with at least one row and column, and at most 128 edges.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let lines = |vertical: bool, rows: usize, columns: usize| {
            let places =
                (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
            places.map(move |(row, column)| Edge { vertical, row: row as u8, column: column as u8 })
        };
        let edges = lines(false, rows + 1, columns).chain(lines(true, rows, columns + 1)).collect();
        let mut boxes = Self {
            size: [rows, columns],
            edges,
            rows: vec![0; rows],
            columns: vec![0; columns],
            around: Vec::new(),
            corners: Vec::new(),
            ways: if rows == columns { 8 } else { 4 },
            images: Vec::new(),
        };
        boxes.around = vec![[0; 2]; boxes.edges.len()];
        for row in 0..rows {
            for column in 0..columns {
                boxes.add_box(row, column);
            }
        }
        let border = |edge: &usize| boxes.around[*edge][1] == 0;
        let border: u128 = (0..boxes.edges.len()).filter(border).map(|edge| 1 << edge).sum();
        let mut corners: Vec<_> = boxes.around.iter().map(|[first, _]| first & border).collect();
        corners.retain(|edges| edges.count_ones() > 1);
        corners.sort_unstable();
        corners.dedup();
        boxes.corners = corners;
        boxes.images = boxes.edges.iter().map(|&edge| boxes.images_of(edge)).collect();
        boxes
    }

    fn add_box(&mut self, row: usize, column: usize) {
        let (r, c) = (row as u8, column as u8);
        let sides = [(false, r, c), (false, r + 1, c), (true, r, c), (true, r, c + 1)];
        let sides =
            sides.map(|(vertical, row, column)| self.number(Edge { vertical, row, column }));
        let set: u128 = sides.iter().map(|&side| 1 << side).sum();
        self.rows[row] |= set;
        self.columns[column] |= set;
        for side in sides {
            let [first, second] = &mut self.around[side];
            *(if *first == 0 { first } else { second }) = set;
        }
    }

    fn images_of(&self, edge: Edge) -> [u128; 8] {
        let [rows, columns] = self.size;
        let mut images = [0; 8];
        for (way, image) in images[..self.ways].iter_mut().enumerate() {
            let Edge { vertical, mut row, mut column } = edge;
            if way & 1 != 0 {
                row = (rows - usize::from(vertical)) as u8 - row;
            }
            if way & 2 != 0 {
                column = (columns - usize::from(!vertical)) as u8 - column;
            }
            let turned = if way & 4 == 0 {
                Edge { vertical, row, column }
            } else {
                Edge { vertical: !vertical, row: column, column: row }
            };
            *image = 1 << self.number(turned);
        }
        images
    }

    /// The boxes at an edge, numbered row by row from 1; 0 for an edge of the border.
    pub(super) fn at(&self, edge: usize) -> [u32; 2] {
        let [rows, columns] = self.size;
        let Edge { vertical, row, column } = self.edges[edge];
        let (row, column) = (usize::from(row), usize::from(column));
        let (before, after) = if vertical {
            ((row, column.wrapping_sub(1)), (row, column))
        } else {
            ((row.wrapping_sub(1), column), (row, column))
        };
        [before, after].map(|(row, column)| {
            if row < rows && column < columns { (row * columns + column) as u32 + 1 } else { 0 }
        })
    }

    /// How many edges are horizontal; they have the lowest numbers.
    pub(super) fn horizontal(&self) -> usize {
        (self.size[0] + 1) * self.size[1]
    }

    /// The number of an edge.
    pub(super) fn number(&self, edge: Edge) -> usize {
        let (row, column) = (usize::from(edge.row), usize::from(edge.column));
        if edge.vertical {
            self.horizontal() + row * (self.size[1] + 1) + column
        } else {
            row * self.size[1] + column
        }
    }

    /// The set of all edges.
    pub(super) fn all(&self) -> u128 {
        u128::MAX >> (128 - self.edges.len())
    }

    /// How many boxes at this edge have no missing edges.
    pub(super) fn completed(&self, edge: usize, missing: u128) -> usize {
        self.around[edge].iter().filter(|&&set| set != 0 && set & missing == 0).count()
    }

    /// The missing edges that are connected with this one through boxes.
    pub(super) fn part(&self, missing: u128, edge: usize) -> u128 {
        let mut part = 1 << edge;
        let mut todo: u128 = part;
        while todo != 0 {
            let [first, second] = self.around[todo.trailing_zeros() as usize];
            todo &= todo - 1;
            let new = (first | second) & missing & !part;
            part |= new;
            todo |= new;
        }
        part
    }

    /// The smallest of the sets that this one can be turned to, where the border edges of one box
    /// stand for each other.
    pub(super) fn smallest(&self, missing: u128) -> u128 {
        let mut turned = [0; 8];
        let mut rest = missing;
        while rest != 0 {
            // All ways at once: none waits for another.
            let images = &self.images[rest.trailing_zeros() as usize];
            for (turned, image) in turned.iter_mut().zip(images) {
                *turned |= image;
            }
            rest &= rest - 1;
        }
        let settled = turned[..self.ways].iter().map(|&turned| self.settle(turned));
        settled.min().unwrap_or(missing)
    }

    /// Of the border edges of one box, those with the lowest numbers are the missing ones.
    fn settle(&self, mut missing: u128) -> u128 {
        for &corner in &self.corners {
            let mut surplus = (corner & !missing).count_ones();
            if surplus == 0 || surplus == corner.count_ones() {
                continue;
            }
            let mut lowest = corner;
            while surplus > 0 {
                lowest ^= 1 << lowest.ilog2();
                surplus -= 1;
            }
            missing = missing & !corner | lowest;
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_symmetry_permutes_the_edges_and_takes_boxes_to_boxes() {
        for (rows, columns, ways) in [(1, 1, 8), (1, 4, 4), (2, 3, 4), (3, 3, 8), (7, 8, 4)] {
            let boxes = Boxes::new(rows, columns);
            assert_eq!(boxes.ways, ways, "{rows}x{columns}");
            let turn = |set: u128, way: usize| -> u128 {
                let edges = (0..boxes.edges.len()).filter(|edge| set >> edge & 1 == 1);
                edges.fold(0, |turned, edge| turned | boxes.images[edge][way])
            };
            let known = |set: u128| boxes.around.iter().any(|around| around.contains(&set));
            let mut different = HashSet::new();
            for way in 0..ways {
                assert_eq!(turn(boxes.all(), way), boxes.all());
                assert!(boxes.around.iter().all(|&[set, _]| known(turn(set, way))));
                different.insert(boxes.images.iter().map(|images| images[way]).collect::<Vec<_>>());
            }
            assert_eq!(different.len(), ways, "{rows}x{columns}");
        }
    }

    #[test]
    fn a_board_has_as_many_edges_as_counted() {
        for (rows, columns) in [(1, 1), (2, 5), (7, 8), (1, 42), (42, 1)] {
            let count = count_edges(rows as u64, columns as u64);
            assert_eq!(count, Some(Boxes::new(rows, columns).edges.len() as u64));
        }
        assert_eq!(count_edges(u64::MAX, 2), None);
    }
}
