//! Questions to the session, checks of certificates, and tables.

use nimoon_session::expression::NoLibrary;
use nimoon_session::table::Request;
use nimoon_session::{Question, Session, checked};

use crate::stopped::table::{Case, brief, case};

/// A certificate that is correct.
const CERTIFICATE: &str = include_str!("../../../../../examples/certificates/trap.json");

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("session.rs ask", |work| {
            let json = br#"{"expression": "wythoff:900,901"}"#;
            let (question, _) = Question::read("value", json).unwrap();
            match Session::default().ask(&question, work) {
                Ok(answer) => answer.missing.and_then(|error| error.interrupted),
                Err(error) => error.interrupted,
            }
        }),
        brief("ask/check.rs checked", |work| checked(CERTIFICATE.as_bytes(), work).err()),
        case("table.rs run", |work| {
            let (pattern, range) = ("wythoff:3000,{}".parse(), "2000..3000".parse());
            let request =
                Request { pattern: pattern.unwrap(), range: range.unwrap(), theory: None };
            let plan = request.plan(&mut NoLibrary, work.limits()).unwrap();
            let nothing = plan.nothing();
            plan.run(nothing, &mut NoLibrary, work, &mut |_| ()).unwrap().interrupted
        }),
    ]
}
