//! What every question asks for and is answered with, as JSON Schema generated from the types.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use crate::{ErrorReport, Wanted};

/// Where the schemas that others refer to stand in a document.
const PLACE: &str = "/components/schemas";

/// A question with the schemas of its fields and of its answer.
#[derive(Clone, Debug)]
pub struct Described {
    /// The name of the question.
    pub name: &'static str,
    /// What it asks for, in a sentence.
    pub summary: String,
    /// More about it; may be empty.
    pub description: String,
    /// Fields to try.
    pub example: Value,
    /// The schema of the fields, with the limits that a request may set.
    pub request: Schema,
    /// The schema of the data of the answer.
    pub answer: Schema,
}

/// The schemas of all questions, and those that they refer to below `#/components/schemas/`.
#[derive(Clone, Debug)]
pub struct Schemas {
    reader: SchemaGenerator,
    writer: SchemaGenerator,
}

impl Schemas {
    /// Describes all questions, and collects what their schemas and that of an error refer to.
    ///
    /// ```
    /// use nimoon_session::{Question, Schemas};
    /// let (questions, error, schemas) = Schemas::of_questions();
    /// let names: Vec<&str> = questions.iter().map(|question| question.name).collect();
    /// assert_eq!(names, Question::NAMES);
    /// assert_eq!(questions[0].request.pointer("/required/0").unwrap(), "expression");
    /// assert!(error.pointer("/properties/kind").is_some() && schemas.contains_key("Sum"));
    /// ```
    pub fn of_questions() -> (Vec<Described>, Schema, Map<String, Value>) {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PLACE.into();
            settings.meta_schema = None;
        });
        let reader = settings.clone().for_deserialize().into_generator();
        let writer = settings.for_serialize().into_generator();
        let mut schemas = Self { reader, writer };
        let questions = crate::question::described(&mut schemas);
        let error = ErrorReport::json_schema(&mut schemas.writer);
        let mut named = schemas.reader.take_definitions(true);
        named.extend(schemas.writer.take_definitions(true));
        named.values_mut().for_each(without_examples);
        (questions, error, named)
    }

    pub(crate) fn described<Q: JsonSchema, A: JsonSchema>(
        &mut self,
        name: &'static str,
        about: &str,
        example: &str,
    ) -> Described {
        let mut request = Q::json_schema(&mut self.reader);
        let limits = Wanted::json_schema(&mut self.reader);
        let limits = limits.get("properties").and_then(Value::as_object).cloned();
        if let Some(fields) = request.get_mut("properties").and_then(Value::as_object_mut) {
            fields.extend(limits.into_iter().flatten());
        }
        let lines: Vec<&str> = about.lines().map(str::trim).collect();
        let (summary, description) = lines.split_first().unwrap_or((&"", &[]));
        Described {
            name,
            summary: (*summary).to_owned(),
            description: description.join(" ").trim().to_owned(),
            // A test reads each of them.
            example: serde_json::from_str(example).unwrap_or_default(),
            request,
            answer: A::json_schema(&mut self.writer),
        }
    }
}

/// Takes the examples in Rust out of a description.
fn without_examples(schema: &mut Value) {
    if let Some(Value::String(reply)) = schema.get_mut("description")
        && let Some(example) = reply.find("\n\n```")
    {
        reply.truncate(example);
    }
}
