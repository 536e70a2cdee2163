//! The binary `turnwise`. Everything is in the library, so that tests and other programs reach what the binary
//! does. Next: `turnwise::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnwise::cli::main()
}
