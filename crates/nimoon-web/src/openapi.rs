//! The description of the API in the form of `OpenAPI` 3.1, generated from the types of requests,
//! answers and errors.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use nimoon_session::{Described, ErrorKind, Schemas};
use serde_json::{Map, Value, json};

/// The document.
pub(crate) static DOCUMENT: LazyLock<String> = LazyLock::new(|| document().to_string());

const JSON: &str = "application/json";

fn document() -> Value {
    let (questions, error, mut schemas) = Schemas::of_questions();
    let (mut paths, responses) = (Map::new(), errors());
    for question in questions {
        let [request, answer] = ["Request", "Answer"].map(|what| capital(question.name) + what);
        let path = path(&question, &request, &answer, &responses);
        paths.insert(format!("/api/{}", question.name), path);
        schemas.insert(request, question.request.into());
        schemas.insert(answer, question.answer.into());
    }
    let document = json!({ "get": {
        "summary": "Ask for this description.",
        "responses": { "200": { "description": "The document.", "content": { JSON: {} } } },
    } });
    paths.insert("/api/openapi.json".to_owned(), document);
    let error =
        json!({ "type": "object", "properties": { "error": error }, "required": ["error"] });
    schemas.insert("Error".to_owned(), error);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "nimoon",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Exact values of games with cycles, entailing and carry-on moves",
            "description": "The JSON of the command line. All errors have one shape. An answer that a limit cut short says what is known.",
            "license": { "name": env!("CARGO_PKG_LICENSE") },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas, "responses": responses },
    })
}

fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The methods of a question. Only the one whose fields may all be left out is asked by `GET` too.
fn path(question: &Described, request: &str, answer: &str, errors: &Map<String, Value>) -> Value {
    let mut content = Map::new();
    content.insert(JSON.to_owned(), json!({ "schema": schema(answer) }));
    if question.request.pointer("/properties/output").is_some() {
        for text in ["text/plain", "text/csv", "image/svg+xml"] {
            content.insert(text.to_owned(), json!({ "schema": { "type": "string" } }));
        }
    }
    let mut responses = Map::new();
    for status in errors.keys() {
        let place = format!("#/components/responses/{status}");
        responses.insert(status.clone(), json!({ "$ref": place }));
    }
    let header = json!({ "schema": { "type": "string" }, "description": "What is missing from the answer." });
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "The answer. If a limit was hit, the answer says what is known, and the header nimoon-budget says what is missing.",
            "headers": { "nimoon-budget": header },
            "content": content,
        }),
    );
    let mut operation = json!({ "summary": question.summary, "responses": responses });
    if !question.description.is_empty() {
        operation["description"] = question.description.as_str().into();
    }
    let mut methods = Map::new();
    if question.name == "rulesets" {
        methods.insert("get".to_owned(), operation.clone());
    }
    operation["requestBody"] = json!({
        "required": true,
        "content": { JSON: { "schema": schema(request), "example": question.example } },
    });
    methods.insert("post".to_owned(), operation);
    methods.into()
}

/// What each status says, from the table of errors.
fn errors() -> Map<String, Value> {
    let mut kinds: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for kind in ErrorKind::ALL {
        kinds.entry(kind.http_status()).or_default().push(kind.name());
    }
    let response = |(status, kinds): (u16, Vec<&str>)| {
        let description = format!("An error of this kind: {}.", kinds.join(", "));
        let content = json!({ JSON: { "schema": schema("Error") } });
        (status.to_string(), json!({ "description": description, "content": content }))
    };
    kinds.into_iter().map(response).collect()
}
