//! The command line: parses, runs one command, and turns its end into an exit code. No command ends the process
//! itself, so that all of them end alike. Next: `args`, then one file a command.

mod acp;
mod args;
mod ask;
mod attach;
mod brought;
mod by_name;
mod chat;
mod classify;
mod config;
mod conversations;
mod decide;
mod doctor;
mod drawing;
mod embedder;
mod eval;
mod exemplars;
mod fitted;
mod flow;
mod house;
mod labelled;
mod listed;
mod loading;
mod mcp;
mod model;
mod models;
mod open;
mod own;
mod page;
mod past;
mod pending;
mod place;
mod profiles;
mod proof;
mod replay;
mod replayed;
mod requests;
mod results;
mod retention;
mod sample;
mod schema;
mod serve;
mod shelf;
mod shell;
mod slack;
mod taking_up;
mod tokens;
mod traces;
mod upkeep;
mod verify;
mod waiting;
mod weights;
mod why;

use std::process::ExitCode;

use args::Command;

use turnwise_assistant::{Failure, FailureKind, leash};

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    // Before anything is read: it stands in somebody's folder, in place of a program that was started there.
    if words.next().is_some_and(|word| word == leash::WORD) {
        return ExitCode::from(leash::hold(words));
    }
    // Where this cannot be told, programs are started as they are and may outlive a kill; everything else works.
    match std::env::current_exe() {
        Ok(program) => leash::held_by(program),
        Err(error) => eprintln!("Where this program is cannot be told ({error}): what it starts may outlive it."),
    }
    let ran = config::arguments().and_then(|arguments| {
        embedder::ask(arguments.embedder);
        run(arguments.command)
    });
    match ran {
        Ok(code) => code,
        // Whoever reads the output has seen enough (`| head`); that is no failure.
        Err(failure) if is_closed_pipe(&failure) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.kind().exit_code())
        }
    }
}

/// Writes `text` and an end of line to standard output. Unlike `println!` it does not panic when nobody reads it.
fn tell(text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| {
        Failure::new(FailureKind::Operator, format!("standard output fails ({error})")).caused_by(error)
    })
}

fn is_closed_pipe(failure: &Failure) -> bool {
    let source = std::error::Error::source(failure).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Chat(arguments) => block_on(chat::chat(arguments)),
        Command::Ask(arguments) => block_on(ask::ask(arguments)),
        Command::Conversations(arguments) => block_on(conversations::conversations(arguments)),
        Command::Pending(arguments) => block_on(pending::pending(arguments)),
        Command::Approve(arguments) => block_on(decide::approve(arguments)),
        Command::Reject(arguments) => block_on(decide::reject(arguments)),
        Command::Answer(arguments) => block_on(decide::answer(arguments)),
        Command::Classify(arguments) => classify::classify(&arguments),
        Command::Eval(arguments) => eval::eval(&arguments),
        Command::Why(arguments) => block_on(why::why(arguments)),
        Command::Exemplars(command) => block_on(exemplars::exemplars(command)),
        Command::Replay(arguments) => block_on(replay::replay(arguments)),
        Command::Proof(arguments) => block_on(proof::proof(arguments)),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Sample(arguments) => sample::sample(&arguments),
        Command::Serve(arguments) => block_on(serve::serve(arguments)),
        Command::Acp(arguments) => block_on(acp::acp(arguments)),
        Command::Mcp(arguments) => block_on(mcp::mcp(arguments)),
        Command::Token(arguments) => tokens::add(&arguments.person, &arguments.tokens),
        Command::Config => config::show(),
        Command::Schema(arguments) => schema::schema(&arguments),
        Command::Models(arguments) => block_on(async move { models::models(&arguments).await }),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Backup(arguments) => upkeep::backup(&arguments),
        Command::Restore(arguments) => upkeep::restore(&arguments),
        Command::Retention(arguments) => block_on(retention::retention(arguments)),
        Command::Profile(arguments) => profiles::profile(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
    }
}

fn block_on(command: impl Future<Output = Result<ExitCode, Failure>>) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        Failure::new(FailureKind::Operator, "the system refuses threads or timers").caused_by(error)
    })?;
    let ended = runtime.block_on(command);
    // Reading standard input or data cannot be given up; whoever leaves does not wait for it.
    runtime.shutdown_background();
    ended
}
