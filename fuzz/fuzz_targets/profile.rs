//! Any two texts as a profile are a profile or an error that can be shown; what is a profile can be read with. The two
//! are parted by a line `===`. Next: `turnwise_intent::Profile`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnwise_core::{ReadContext, Reader};
use turnwise_intent::{Calibration, IntentReader, Profile, edit};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (assistant, exemplars) = text.split_once("\n===\n").unwrap_or((&text, ""));
    match Profile::parse(assistant, exemplars) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(profile) => {
            let fitted = Calibration { temperature: Some(1.5), cost: 5.0, sub_cost: 5.0, ..Calibration::default() };
            if let Ok(written) = edit::with_calibration(assistant, &fitted) {
                let again = Profile::parse(&written, exemplars).expect("an edit leaves a profile");
                assert_eq!(again.fitted.as_ref(), Some(&fitted));
            }
            // Rules and commands only: a head would be fitted.
            IntentReader::new(profile).read("/help", &ReadContext::default());
        }
    }
});
