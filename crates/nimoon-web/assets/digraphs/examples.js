// Example digraphs: files of the folder `examples`, most of them from the papers.

/** @type {{id: string, title: string, text: string, pieces: string[]}[]} */
export const EXAMPLES = [
  { id: "zones", title: "Zones: every kind of value except the full moon", pieces: ["x", "d", "b"], text: "gray g h\nz:\na: z\nb: z a\ng: z\nc: c g\nh: c\nx: z h\nd: e b\ne: d a\n" },
  { id: "figure-1", title: "Fraenkel's digraph, after Figure 1 of the paper", pieces: ["b", "d", "u"], text: "z:\na: r\nr: a z\nb: a\nc: z b\nd: z r c\ns: u z\nu: v c d\nv: u w\nw: u\n" },
  { id: "smith-trap", title: "Smith's trap: a winning move must bring the end nearer", pieces: ["b"], text: "a: b\nb: a c\nc:\n" },
  { id: "three-moons", title: "One moon, or three?", pieces: ["G''", "X"], text: "gray t g0 g1\n0:\n1: 0\nG: t\nG': 0 g0\nG'': g0 g1\nX: X 1\nY: Y g1\npass: pass\nt:\ng0: 0\ng1: 1\n" },
  { id: "pass", title: "A pass beside carry-on moves", pieces: [], text: "gray c0 c1 c2 c3\n0:\n1: 0\n2: 0 1\n3: 0 1 2\n4: 0 1 2 3\nJ0: J0\nJ1: J1 0\nJ2: J2 0 1\nJ3: J3 0 1 2\nJ0': J0' c0\nJ1': J1' c1\nJ2': J2' c2\nJ3': J3' c3\nc0: 0\nc1: 1\nc2: 2\nc3: 3\n" },
  { id: "missed-moon", title: "A moon that the algorithm as printed misses", pieces: ["x", "c"], text: "gray g1 g2\nz:\nc: c g1\nx: z g2\ny: x\ng1: z\ng2: c\n" },
  { id: "frozen-moon", title: "A full moon that must not stay a moon", pieces: [], text: "gray h t g\nz:\nx: z h g\ny: t\np: p\nh: z\nt:\ng: y\n" },
  { id: "entailing", title: "Entailing moves without cycles", pieces: [], text: "gray e f k\n0:\n1: 0\n2: 0 1\ne: 0 1\nf: e 2\nx: 0 1 e\ny: e\nw: f 0\nm: k\nk:\n" },
  { id: "general", title: "Cycles and entailing moves together", pieces: [], text: "gray e\n0:\n1: 0\n2: 0 1\nx: x e 1\ny: y e\nv: 0 e\nw: x 0\ne: x 0\n" },
  { id: "endless", title: "Gray cycles", pieces: [], text: "gray g h k\nz:\n1: z\nr: g\ns: k\nv: z k\ng: h\nh: g\nk: s\n" },
  { id: "menagerie", title: "Every kind of value in one digraph", pieces: [], text: "gray g0 g1 g2 k ge gd\n0:\n1: 0\n2: 0 1\n3: 0 1 2\np: q 1\nq: p 2\nn1: n2 g1\nn2: n1 g1\nm1: 0 g0\nm2: g0 g2\nf: k\ne: 1 ge\na: m1 f\nb: a p\nc: b n1\nd: c gd 3\ng0: 0\ng1: 1\ng2: 2\nk:\nge: f\ngd: d\n" },
  { id: "nim", title: "Nim-heaps", pieces: [], text: "0:\n1: 0\n2: 0 1\n3: 0 1 2\n4: 0 1 2 3\ns1: 0\ns2: 0 s1\ns3: s1 s2\ns4: s2 s3\n" },
];
