//! What is written comes back as it was, whatever stands in it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
use proptest::prelude::*;

use super::*;
use crate::store::SeedField;

fn saved(number: i64, text: &str) -> KeptNote {
    let (number, state, text) = (Some(number), NoteState::Committed, text.to_owned());
    KeptNote {
        number,
        state,
        text,
        group: None,
        created_ms: Some(1_700_000_000_000),
        expires_ms: None,
        by: Some("ada".to_owned()),
    }
}

fn artefact(name: &str, version: i64, content: &[u8]) -> KeptArtefact {
    let (kind, media) = ("report".to_owned(), MARKDOWN.to_owned());
    KeptArtefact { name: name.to_owned(), kind, version, media, content: content.to_vec() }
}

fn farm() -> Whole {
    let work = SeedValue::Said("An app\n\n## for farms\n\\# and \\more".to_owned());
    let waiting = KeptNote { state: NoteState::Held, group: Some("Time & place".to_owned()), ..saved(4, "March 15th") };
    let passing = KeptNote { expires_ms: Some(1_800_000_000_000), ..saved(5, "Group: none\n\n# Clay\n## Loam") };
    Whole {
        id: Some(ProjectId::new("0123456789abcdef")),
        name: "Farm & Guard".to_owned(),
        state: ProjectState::Ready,
        seed: Seed { values: vec![(SeedField::Work, work), (SeedField::Audience, SeedValue::Skipped)] },
        notes: vec![saved(1, "Clay"), waiting, passing],
        groups: vec![Group {
            label: "Time & place".to_owned(),
            summary: "When it is due.\nAnd where.".to_owned(),
            rationale: "Both are fixed.".to_owned(),
            notes: 0,
        }],
        specifications: vec![("Soil".to_owned(), "Three types.\n\n# All\n".to_owned())],
        artefacts: vec![
            artefact("Field report", 1, b"# Findings\n\nDry.\n"),
            artefact("Field report", 2, b"Type: none\n\nWet."),
            KeptArtefact { media: "image/png".to_owned(), ..artefact("Map", 1, &[0xff, 0, 0x0d, 0x0a]) },
        ],
    }
}

#[test]
fn a_project_that_was_written_is_read_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("out"), &farm()).unwrap();
    assert_eq!(read(&folder.path().join("out")).unwrap(), farm());
    assert_eq!(read(folder.path()).unwrap_err().to_string(), "there is no project.md in that folder");
    fs::write(folder.path().join("own.txt"), "mine").unwrap();
    assert!(write(folder.path(), &farm()).is_err(), "nothing is written among other files");
}

#[test]
fn a_folder_of_another_project_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &farm()).unwrap();
    let other = Whole { id: Some(ProjectId::new("fedcba9876543210")), ..farm() };
    let refused = write(folder.path(), &other).unwrap_err().to_string();
    assert_eq!(refused, "another project, Farm & Guard, is in that folder; name a new one");
    let later = Whole { notes: vec![saved(1, "Loam")], ..farm() };
    write(folder.path(), &later).unwrap();
    assert_eq!(read(folder.path()).unwrap().notes, later.notes, "its own is written over");
}

#[test]
fn what_was_packed_is_unpacked_and_what_is_no_archive_is_told() {
    let packed = pack("farm", &files_of(&farm())).unwrap();
    assert_eq!(whole_of(&unpack(&packed).unwrap()).unwrap(), farm());
    let told = unpack(b"PK no").unwrap_err().to_string();
    assert!(told.starts_with("that is no ZIP archive that can be read"), "{told}");
}

#[test]
fn what_a_person_wrote_by_hand_is_taken() {
    let file = |text: &str| text.as_bytes().to_vec();
    let files = Files(BTreeMap::from([
        (PROJECT.to_owned(), file("# Meadow\n")),
        (NOTES.to_owned(), file("## Saved\n\nClay\n\n## Idea\nLoam")),
        ("artefacts/plan.md".to_owned(), file("Dig.")),
    ]));
    let whole = whole_of(&files).unwrap();
    let notes: Vec<(NoteState, &str)> = whole.notes.iter().map(|note| (note.state, note.text.as_str())).collect();
    assert_eq!(notes, [(NoteState::Committed, "Clay"), (NoteState::Held, "Loam")]);
    assert_eq!((whole.artefacts[0].name.as_str(), whole.artefacts[0].content.as_slice()), ("plan", b"Dig.".as_slice()));
}

proptest! {
    #[test]
    fn any_text_comes_back(text in "[#\\\\ a\n:]{1,40}", content in any::<Vec<u8>>()) {
        let text = text.trim().to_owned();
        prop_assume!(!text.is_empty());
        let whole = Whole {
            notes: vec![saved(1, &text)],
            seed: Seed { values: vec![(SeedField::Work, SeedValue::Said(text.clone()))] },
            specifications: vec![("Soil".to_owned(), text)],
            artefacts: vec![artefact("Map", 1, &content)],
            ..farm()
        };
        let read = whole_of(&files_of(&whole)).unwrap();
        // Files keep the ends of lines as Unix has them; what is no text is kept byte by byte.
        let is_text = std::str::from_utf8(&content).is_ok_and(|text| text.contains('\r'));
        prop_assume!(!is_text);
        prop_assert_eq!(read, whole);
    }
}
