//! The description of the API holds what the server takes and gives.

use std::collections::BTreeSet;

use nimoon_session::{ErrorKind, Question, Session, Work};
use serde_json::{Map, Value, json};

use crate::doors;

/// The description as the server sends it.
async fn document() -> Value {
    let router = nimoon_web::router(nimoon_web::Settings::default());
    let (_, body) = doors::send(&router, "GET", "openapi.json", "").await;
    body
}

/// Compares values with schemas. It knows the keywords that are generated, and no others.
///
/// It is stricter than JSON Schema: an object may have only keys that its schema names.
struct Schemas<'a>(&'a Value);

type Keys = BTreeSet<String>;

impl Schemas<'_> {
    fn of(&self, name: &str) -> Value {
        self.0["components"]["schemas"][name].clone()
    }

    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let named = self.keys(schema, value)?;
        let keys = value.as_object().into_iter().flat_map(Map::keys);
        match keys.into_iter().find(|key| !named.contains(*key)) {
            Some(key) => Err(format!("no schema names `{key}`")),
            None => Ok(()),
        }
    }

    /// The keys of the value that the schema names, if the value fits.
    fn keys(&self, schema: &Value, value: &Value) -> Result<Keys, String> {
        let Some(schema) = schema.as_object() else {
            let all = value.as_object().into_iter().flat_map(Map::keys).cloned();
            return if schema == &json!(true) {
                Ok(all.collect())
            } else {
                Err("never".to_owned())
            };
        };
        let wrong = |keyword: &str| Err(format!("{keyword}: {} has not {value}", json!(schema)));
        let mut named = Keys::new();
        for (keyword, reply) in schema {
            match keyword.as_str() {
                "description" | "title" | "default" | "format" | "unevaluatedProperties" => {}
                "$ref" => {
                    let name = reply.as_str().and_then(|place| place.rsplit('/').next());
                    named.extend(self.keys(&self.of(name.expect("a name")), value)?);
                }
                "type" => {
                    let types: Vec<&Value> =
                        reply.as_array().map_or(vec![reply], |types| types.iter().collect());
                    let is = |of: &&Value| of.as_str().is_some_and(|of| is_of_type(value, of));
                    if !types.iter().any(is) {
                        return wrong(keyword);
                    }
                }
                "enum" if reply.as_array().is_some_and(|known| known.contains(value)) => {}
                "const" if reply == value => {}
                "minimum" if value.as_f64() >= reply.as_f64() || value.is_null() => {}
                "maximum" if value.as_f64() <= reply.as_f64() || value.is_null() => {}
                "minItems"
                    if value.as_array().is_none_or(|all| {
                        reply == all.len() || json!(all.len()).as_u64() >= reply.as_u64()
                    }) => {}
                "maxItems"
                    if value
                        .as_array()
                        .is_none_or(|all| json!(all.len()).as_u64() <= reply.as_u64()) => {}
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(reply, item)?;
                    }
                }
                "prefixItems" => {
                    let all = value.as_array().into_iter().flatten();
                    for (schema, item) in reply.as_array().expect("a list").iter().zip(all) {
                        self.check(schema, item)?;
                    }
                }
                "required" => {
                    for key in reply.as_array().expect("a list") {
                        if value.is_object() && value.get(key.as_str().expect("a key")).is_none() {
                            return wrong(&format!("required {key}"));
                        }
                    }
                }
                "properties" => {
                    for (key, schema) in reply.as_object().expect("properties") {
                        if let Some(field) = value.get(key) {
                            self.check(schema, field).map_err(|error| format!("{key}: {error}"))?;
                            named.insert(key.clone());
                        }
                    }
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    for (key, field) in value.as_object().into_iter().flatten() {
                        if known.is_none_or(|known| !known.contains_key(key)) {
                            self.check(reply, field)?;
                            named.insert(key.clone());
                        }
                    }
                }
                "anyOf" | "oneOf" | "allOf" => {
                    let all = reply.as_array().expect("a list");
                    let fits: Vec<_> = all.iter().map(|schema| self.keys(schema, value)).collect();
                    let count = fits.iter().filter(|fit| fit.is_ok()).count();
                    let fit = match keyword.as_str() {
                        "anyOf" => count > 0,
                        "oneOf" => count == 1,
                        _ => count == all.len(),
                    };
                    if !fit {
                        let errors: Vec<_> = fits.into_iter().filter_map(Result::err).collect();
                        return Err(format!("{keyword}, {count} fit: {}", errors.join("; ")));
                    }
                    named.extend(fits.into_iter().flatten().flatten());
                }
                "enum" | "const" | "minimum" | "maximum" | "minItems" | "maxItems" => {
                    return wrong(keyword);
                }
                _ => panic!("unknown keyword `{keyword}`"),
            }
        }
        Ok(named)
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("unknown type `{name}`"),
    }
}

fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

#[tokio::test]
async fn every_request_and_every_answer_fits_its_schema() {
    let document = document().await;
    let schemas = Schemas(&document);
    for case in doors::cases() {
        let name = capital(&case.question);
        let request = schemas.check(&schemas.of(&format!("{name}Request")), &case.fields);
        assert_eq!(request, Ok(()), "{name} {}", case.fields);
        let answer = doors::through_the_library(&case);
        let schema = schemas.of(&format!("{name}Answer"));
        assert_eq!(schemas.check(&schema, &answer), Ok(()), "{name} {}", case.fields);
        // What is not described does not fit.
        for (change, wrong) in changed(&answer) {
            assert!(schemas.check(&schema, &wrong).is_err(), "{name}: {change}: {wrong}");
        }
    }
}

/// The same answer with a key more, and without one that it must have.
fn changed(answer: &Value) -> Vec<(&'static str, Value)> {
    let mut changed = vec![("a number for all", json!(1.5))];
    let object = match answer {
        Value::Array(all) => all.first(),
        other => Some(other),
    };
    let Some(Value::Object(object)) = object else { return changed };
    let put = |object: Map<String, Value>| match answer {
        Value::Array(all) => Value::Array([vec![object.into()], all[1..].to_vec()].concat()),
        _ => object.into(),
    };
    let mut more = object.clone();
    more.insert("surplus".to_owned(), Value::Null);
    changed.push(("a key more", put(more)));
    changed.push(("no keys", put(Map::new())));
    changed
}

#[tokio::test]
async fn every_example_is_answered_as_its_schema_says() {
    let document = document().await;
    let schemas = Schemas(&document);
    for &name in Question::NAMES {
        let post = &document["paths"][format!("/api/{name}")]["post"];
        assert!(post["summary"].as_str().is_some_and(|reply| reply.starts_with("Ask ")), "{name}");
        let example = &post["requestBody"]["content"]["application/json"]["example"];
        let (question, _) = Question::read(name, example.to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let answer = Session::default().ask(&question, &Work::default());
        let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(answer.missing, None, "{name}");
        let answer = answer.value().expect("the answer is JSON").expect("it can be written");
        let schema = schemas.of(&format!("{}Answer", capital(name)));
        assert_eq!(schemas.check(&schema, &answer), Ok(()), "{name}");
    }
}

#[tokio::test]
async fn answers_in_all_shapes_fit_their_schemas() {
    let document = document().await;
    let schemas = Schemas(&document);
    let digraph = json!({ "text": "gray g\nz:\nc: c g\ng: z\nx: z g c\n" });
    let cases = [
        ("value", json!({ "expression": "backsliding:t..f + nim:2" })),
        ("value", json!({ "expression": "fox-geese:4/geese=3.1,3.3/fox=2.4" })),
        ("explain", json!({ "position": "green-lime:0-1g,1-2l,1-3l + nim:2" })),
        ("explain", json!({ "position": "nimstring:2x2" })),
        ("moves", json!({ "position": "top-entails:3 + nim:1", "moves": [0] })),
        ("moves", json!({ "position": "nim:0" })),
        ("engine", json!({ "game": { "position": "nim:0" } })),
        ("label", json!({ "digraph": digraph, "output": "drawing" })),
        ("label", json!({ "digraph": digraph, "output": "digraph" })),
        ("label", json!({ "digraph": digraph, "explain": "x" })),
        ("label", json!({ "digraph": digraph, "theory": "general" })),
        ("sum", json!({ "digraph": digraph, "nodes": ["c", "x"], "turns": true })),
        ("remoteness", json!({ "digraph": { "text": "a: b\nb:\npayoff b 3\n" } })),
        ("loopy", json!({ "game": "tis{tisn{|tis}|}", "vertices": true })),
        ("affine", json!({ "form": "{{oo|0},0|...}", "output": "digraph" })),
        ("affine", json!({ "form": "{1|-1}", "more": true })),
        ("ordinal", json!({ "expression": "1 + w" })),
        ("ordinal", json!({ "expression": "w < w*2" })),
        ("ordinal", json!({ "expression": "dollars(1, 5)" })),
        ("ordinal", json!({ "expression": "conjunctive(dollars(2, 0), dollars(1, 4))" })),
        ("unicycle", json!({ "pattern": "LLRR", "all": true, "limit": 1 })),
        ("period", json!({ "ruleset": "kayles", "exceptions": true })),
        ("check", json!({ "certificate": "{}" })),
        ("audit", json!({ "exhaustive": 3, "as_printed": true, "frozen": true })),
    ];
    for (name, fields) in cases {
        let read = Question::read(name, fields.to_string().as_bytes());
        let Ok((question, _)) = read else { panic!("{name} {fields}: {read:?}") };
        let answer = Session::default().ask(&question, &Work::default());
        let answer = answer.unwrap_or_else(|error| panic!("{name} {fields}: {error}"));
        let answer = answer.value().expect("the answer is JSON").expect("it can be written");
        let schema = schemas.of(&format!("{}Answer", capital(name)));
        assert_eq!(schemas.check(&schema, &answer), Ok(()), "{name} {fields}: {answer}");
    }
}

#[tokio::test]
async fn errors_fit_their_schema_and_have_a_status_that_is_described() {
    let document = document().await;
    let schemas = Schemas(&document);
    let router = nimoon_web::router(nimoon_web::Settings::default());
    for (question, body) in
        [("value", r#"{"expression": "nim:3 + kales:4"}"#), ("value", "{"), ("valeu", "{}")]
    {
        let (status, error) = doors::send(&router, "POST", question, body).await;
        assert_eq!(schemas.check(&schemas.of("Error"), &error), Ok(()), "{body}");
        let described = &document["paths"]["/api/value"]["post"]["responses"][status.as_str()];
        assert!(described.is_object(), "{status}");
    }
    for kind in ErrorKind::ALL {
        let status = kind.http_status().to_string();
        let reply = document["components"]["responses"][&status]["description"].as_str();
        assert!(reply.is_some_and(|reply| reply.contains(kind.name())), "{kind:?}");
    }
}

#[tokio::test]
async fn every_field_is_described_and_every_reference_leads_somewhere() {
    fn walk(document: &Value, place: &str, schema: &Value) {
        match schema {
            Value::Object(object) => {
                for (key, value) in object {
                    let place = format!("{place}/{key}");
                    if key == "$ref" {
                        let target = value.as_str().expect("a reference").trim_start_matches('#');
                        assert!(document.pointer(target).is_some(), "{place}: {value}");
                    } else if key == "properties" {
                        for (name, field) in value.as_object().expect("properties") {
                            let target = field["$ref"].as_str().unwrap_or_default();
                            let target = document.pointer(target.trim_start_matches('#'));
                            // A field that tells variants apart, or is all of one, is described by
                            // the variant.
                            let is_variant = object["properties"].as_object().map(Map::len)
                                == Some(1)
                                || field["const"].is_string();
                            let variant = Some(schema).filter(|_| is_variant);
                            let reply = [Some(field), target, variant].into_iter().flatten();
                            let mut reply = reply.filter(|reply| reply["description"].is_string());
                            assert!(reply.next().is_some(), "{place}/{name}");
                        }
                    }
                    walk(document, &place, value);
                }
            }
            Value::Array(all) => all.iter().for_each(|item| walk(document, place, item)),
            _ => {}
        }
    }
    let document = document().await;
    walk(&document, "", &document["components"]["schemas"]);
    walk(&document, "", &document["paths"]);
}
