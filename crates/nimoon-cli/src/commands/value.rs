//! `nimoon value`.

use crate::args::ValueArgs;
use crate::expressions::{Rules, Text, solution};
use crate::failure::Failure;

pub(crate) fn run(args: &ValueArgs) -> Result<(), Failure> {
    let text = Text::of_argument(&args.expression)?;
    let mut rules = Rules::new(&args.rules)?;
    let mut solution = solution(text.read(&mut rules)?, &args.theory)?;
    let start = solution.start().clone();
    let answer = solution.answer(&start);
    println!("{:?} {answer:?}", solution.value(&start));
    Ok(())
}
