//! The binary `turnwise`: everything is in the library. Next: `turnwise::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnwise::cli::main()
}
