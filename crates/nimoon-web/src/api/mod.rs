//! What can be asked: one function for each path.
//!
//! | path | asks for | as on the command line |
//! |---|---|---|
//! | `value` | the value of a sum of positions | `nimoon value` |
//! | `explain` | the same, with why, and how the values add | `nimoon value --explain` |
//! | `turns` | the same, with all winning turns | `nimoon value --turns` |
//! | `moves` | a game as it stands, and every move with what it achieves | `nimoon play` |
//! | `engine` | the engine's next move in a game | `nimoon play` |
//! | `label` | the labels of a digraph, and pictures of it | `nimoon label` |
//! | `sum` | pieces on the nodes of a digraph | `nimoon sum` |
//! | `loopy`, `compare` | loopy partizan games | `nimoon loopy`, `nimoon compare` |
//! | `table`, `period` | many positions of a ruleset | `nimoon table`, `nimoon period` |
//! | `representative` | the simplest digraph of a value | `nimoon representative` |
//! | `rulesets` | the rulesets | `nimoon rulesets` |
//! | `openapi.json` | the description of all this | |

mod digraph;
mod game;
mod library;
mod loopy;
mod openapi;
mod request;
mod rulesets;
mod sum;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};

use crate::failure::{Failure, Kind};
use crate::work::{Answer, Lane, Work};
use game::Games;
use request::Asked;
pub(crate) use request::Wanted;

/// What all requests share.
#[derive(Clone)]
struct Desk {
    work: Work,
    games: Arc<Games>,
}

/// Everything below `/api`.
pub(crate) fn routes(work: Work) -> Router {
    let desk = Desk { work, games: Arc::default() };
    Router::new()
        .route("/value", post(value))
        .route("/explain", post(explain))
        .route("/turns", post(turns))
        .route("/moves", post(moves))
        .route("/engine", post(engine))
        .route("/label", post(label))
        .route("/sum", post(sum_of_nodes))
        .route("/loopy", post(loopy_game))
        .route("/compare", post(compare))
        .route("/table", post(table_of))
        .route("/period", post(period))
        .route("/representative", post(representative))
        .route("/rulesets", get(rulesets_list))
        .route("/openapi.json", get(openapi::document))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .with_state(desk)
}

type Answered = Result<Answer, Failure>;

async fn wrong_method() -> Failure {
    Failure::new(Kind::Method, "this path is asked by POST with a JSON body, or by GET for lists")
}

async fn unknown() -> Failure {
    Failure::new(Kind::NotFound, "there is no such path: /api/openapi.json lists them")
}

async fn value(State(desk): State<Desk>, Asked(asked, wanted): Asked<sum::Request>) -> Answered {
    desk.work.run(Lane::Quick, wanted, move |allowance| sum::value(&asked, allowance)).await
}

async fn explain(State(desk): State<Desk>, Asked(asked, wanted): Asked<game::Request>) -> Answered {
    let Desk { work, games } = desk;
    work.run(Lane::Quick, wanted, move |allowance| game::explain(&asked, &games, allowance)).await
}

async fn turns(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<sum::TurnsRequest>,
) -> Answered {
    desk.work.run(Lane::Quick, wanted, move |allowance| sum::turns(&asked, allowance)).await
}

async fn moves(State(desk): State<Desk>, Asked(asked, wanted): Asked<game::Request>) -> Answered {
    let Desk { work, games } = desk;
    work.run(Lane::Quick, wanted, move |allowance| game::moves(&asked, &games, allowance)).await
}

async fn engine(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<game::EngineRequest>,
) -> Answered {
    let Desk { work, games } = desk;
    work.run(Lane::Quick, wanted, move |allowance| game::engine(&asked, &games, allowance)).await
}

async fn label(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<digraph::LabelRequest>,
) -> Answered {
    let lane = asked.lane();
    desk.work.run(lane, wanted, move |allowance| digraph::label(&asked, allowance)).await
}

async fn sum_of_nodes(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<digraph::SumRequest>,
) -> Answered {
    let lane = asked.lane();
    desk.work.run(lane, wanted, move |allowance| digraph::sum(&asked, allowance)).await
}

async fn loopy_game(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<loopy::Request>,
) -> Answered {
    desk.work.run(Lane::Quick, wanted, move |allowance| loopy::game(&asked, allowance)).await
}

async fn compare(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<loopy::CompareRequest>,
) -> Answered {
    desk.work.run(Lane::Quick, wanted, move |allowance| loopy::compare(&asked, allowance)).await
}

async fn table_of(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<table::Request>,
) -> Answered {
    let lane = asked.lane();
    desk.work.run(lane, wanted, move |allowance| table::table(&asked, allowance)).await
}

async fn period(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<table::PeriodRequest>,
) -> Answered {
    let lane = asked.lane();
    desk.work.run(lane, wanted, move |allowance| table::period(&asked, allowance)).await
}

async fn representative(
    State(desk): State<Desk>,
    Asked(asked, wanted): Asked<digraph::RepresentativeRequest>,
) -> Answered {
    desk.work
        .run(Lane::Quick, wanted, move |allowance| digraph::representative(&asked, allowance))
        .await
}

async fn rulesets_list() -> Answered {
    rulesets::list()
}
