//! The targets, by subject.

mod api;
mod certificates;
mod cluster;
mod files;
mod forged;
mod loopy;
mod notations;
mod parts;
mod positions;
mod readers;
mod scripts;
mod theories;

use crate::Target;

pub(crate) use loopy::graph_bytes;
pub(crate) use theories::MOST_NODES;

const fn target(name: &'static str, most: usize, about: &'static str, run: fn(&[u8])) -> Target {
    Target { name, about, run, most }
}

pub(crate) const ALL: &[Target] = &[
    target("labels", 64, "labels of all theories against the oracle", theories::labels),
    target("turns", 64, "sums and turns against the oracle", theories::turns),
    target("sides", 64, "sides and order of loopy games against fixpoints", loopy::sides),
    target("forged", 64, "forged certificates: rejected, or true", forged::forged),
    target("certificate", 512, "certificates: rejected, or true", certificates::certificate),
    target("together", 48, "compounds and remoteness against the oracle", theories::together),
    target("checkpoint", 512, "checkpoints: rejected, or true", files::checkpoint),
    target("store", 512, "stores: rejected, or true", files::store),
    target(
        "cluster",
        256,
        "hosts, manifests, shards and checkpoints of a cluster",
        cluster::cluster,
    ),
    target("rulesets", 128, "positions of all rulesets, and moves from them", positions::rulesets),
    target("expressions", 128, "values of expressions of all rulesets", positions::expressions),
    target("periods", 64, "rulesets and codes with a period", positions::periods),
    target("tables", 128, "tables, and resuming them", positions::tables),
    target("scripts", 512, "rules from scripts, within limits", scripts::scripts),
    target("api", 512, "requests to the page's server", api::api),
    target("loopy", 128, "the notation of loopy games", loopy::notation),
    target("affine", 128, "the notation of affine forms", notations::affine),
    target("ordinals", 128, "expressions of ordinals", notations::ordinals),
    target("compounds", 128, "the notation of compounds", notations::compounds),
    target("values", 128, "the notation of values", notations::values),
    target("unicycles", 128, "patterns of unicycles", loopy::unicycles),
    target("json", 512, "the reader of JSON", readers::json),
    target("game", 512, "the reader of .game", readers::game),
    target("dot", 512, "the reader of DOT", readers::dot),
    target("edges", 512, "the reader of edge lists", readers::edges),
    target("aut", 512, "the reader of Aldebaran", readers::aut),
    target("pgsolver", 512, "the reader of PGSolver", readers::pgsolver),
    target("partizan", 512, "the reader of partizan graphs", readers::partizan),
];
