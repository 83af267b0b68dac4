// What the view Calculate can ask.

/**
 * @typedef {{name: string, label: string, value: string, kind?: "text"|"area"|"check"|"choice", choices?: string[]}} Field
 * @typedef {{id: string, title: string, about: string, question: string, fields: Field[], examples: [string, Record<string, string>][],
 *   request: (values: Record<string, string>) => any, words?: (answer: any) => import("../dom.js").Child, columns?: string[]}} Tab
 */

const LOOP = "a: b\nb: a c\nc: d\nd:\n";
const CERTIFICATE = '{"certificate":"labels","version":1,"theory":"short","nodes":["a","b"],"gray":[],"options":[[],[0]],"values":[0,1],"order":[0,1]}';

/** @type {Field} */
const DIGRAPH = { name: "digraph", label: "Digraph: a line for each node, with its options", value: LOOP, kind: "area" };
/** @type {Field} */
const MISERE = { name: "misere", label: " misère play: the player who cannot move wins", value: "", kind: "check" };

/** @type {Tab[]} */
export const TABS = [
  {
    id: "remoteness", title: "Remoteness", question: "remoteness",
    about: "How many moves a game lasts if the winner hurries and the loser delays. It decides games in which players move in every component at once.",
    fields: [DIGRAPH, MISERE, { name: "strategy", label: " show the moves to play", value: "1", kind: "check" }],
    examples: [["a loop", {}], ["a draw", { digraph: "a: b\nb: a\nc: a d\nd:\n" }], ["ends that lose", { digraph: "c: c b\nb: z\nz:\nlose z\n" }]],
    request: ({ digraph, misere, strategy }) => ({ digraph: { text: digraph }, ...(misere ? { misere: true } : {}), ...(strategy ? { strategy: true } : {}) }),
  },
  {
    id: "compound", title: "Compounds", question: "compound",
    about: "Sums in which a turn is a move in every component (conjunctive), in as many as the mover likes (selective), or in one (disjunctive). They nest.",
    fields: [{ name: "compound", label: "Compound of nodes", value: "selective(conjunctive(a,b),c)" }, DIGRAPH, MISERE],
    examples: [["conjunctive", { compound: "conjunctive(a,b)" }], ["selective", { compound: "selective(a,c)" }], ["nested", {}]],
    request: ({ compound, digraph, misere }) => ({ compound, digraph: { text: digraph }, ...(misere ? { misere: true } : {}) }),
  },
  {
    id: "affine", title: "Affine forms", question: "affine",
    about: "Forms over ∞ and −∞, which say that a player has been mated. Write two forms with >=, <= or = between them to compare them.",
    fields: [{ name: "form", label: "Form, or a comparison of two forms", value: "{{oo|0},0|{0|-oo},0}" }],
    examples: [["a moon", {}], ["a threat", { form: "{oo|0}" }], ["a comparison", { form: "{oo|0} >= 0" }], ["a nimber", { form: "*3" }]],
    request: ({ form }) => ({ form }),
  },
  {
    id: "ordinal", title: "Ordinals", question: "ordinal",
    about: "Ordinal arithmetic with w for ω, and nim-sums of transfinite heaps: w^2*3 + w + 5, nim(w, w^2), natural(w, 3), w < w^2.",
    fields: [{ name: "expression", label: "Expression", value: "nim(w, w^2*3 + 5)" }],
    examples: [["a nim-sum", {}], ["a sum", { expression: "5 + w" }], ["a natural sum", { expression: "natural(w + 1, w)" }], ["a comparison", { expression: "w*2 < w^2" }]],
    request: ({ expression }) => ({ expression }),
  },
  {
    id: "unicycle", title: "Unicycles", question: "unicycle",
    about: "Partizan games with a single cycle. A pattern names the player who moves at each step; exits are the values to which the other moves lead.",
    fields: [{ name: "pattern", label: "Pattern", value: "LLRR" }, { name: "exits", label: "Exits, or empty for any", value: "0,*" }],
    examples: [["LLRR", {}], ["LRR", { pattern: "LRR", exits: "" }]],
    request: ({ pattern, exits }) => ({ pattern, ...(exits ? { exits } : {}), count: true }),
  },
  {
    id: "representative", title: "Representatives", question: "representative",
    about: "The simplest digraph that has a value, such as moon{0,1}, ninny{1} or oo{0,2}.",
    fields: [{ name: "value", label: "Value", value: "moon{0,1}" }],
    examples: [["a moon", {}], ["a ninny", { value: "ninny{1}" }], ["a cyclic value", { value: "oo{0,2}" }]],
    request: ({ value }) => ({ value }),
    columns: ["theory", "nodes"],
  },
  {
    id: "certificate", title: "Certificates", question: "check",
    about: "Checks a certificate that nimoon wrote, by a program that shares nothing with the engine. “nimoon label FILE --certificate FILE” writes one.",
    fields: [{ name: "certificate", label: "Certificate", value: CERTIFICATE, kind: "area" }],
    examples: [["one that holds", {}], ["one that does not", { certificate: CERTIFICATE.replace('"values":[0,1]', '"values":[0,2]') }]],
    request: ({ certificate }) => ({ certificate }),
  },
];
