//! Putting a workbench together: what was named is found, databases are described, files loaded, and every table gets a
//! name of its own. Next: `database` and `load`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use turnwise_assistant::Stage;
use turnwise_core::SourceStamp;

use super::cache::{Cache, Looks, Member, Taken};
use super::database::{self, Described};
use super::discover::{self, DocumentFile, Format, Found};
use super::engine::{Database, Engine, FILES, MemoryDatabase};
use super::load::Loaded;
use super::names::{self, DistinctNames};
use super::stamp::{self, Marks};
use super::workbench::{Opening, Origin, Reading};
use super::{Comments, Dialect, EngineId, SourceError, SourceTable, large, limits, load};

/// The parts of a workbench.
pub struct Assembled {
    /// The engine over all of it.
    pub engine: Engine,
    /// The tables with where they come from.
    pub tables: Vec<(SourceTable, Origin)>,
    /// What belongs to no one table.
    pub notes: Vec<String>,
    /// Documents, which are not tables at all.
    pub documents: Vec<DocumentFile>,
    /// Files too large for the memory, for an engine that reads them in place.
    pub large: Vec<Found>,
    /// What is known of looks at what was loaded.
    pub looks: Looks,
}

/// Finds, describes and loads everything named.
pub fn assemble(paths: &[PathBuf], opening: &Opening<'_>) -> Result<Assembled, SourceError> {
    let mut discovery = discover::discover(paths)?;
    let large = large::take(&mut discovery.files, opening.large)?;
    let first = discovery.files.first().map(|found| found.path.clone()).unwrap_or_default();
    check_number_of_databases(&discovery.files)?;
    let mut notes = discovery.notes;
    let mut memory =
        MemoryDatabase::create().map_err(|error| SourceError::Engine { path: first, problem: error.to_string() })?;
    let mut schemas = DistinctNames::default();
    for reserved in ["main", "temp", FILES] {
        schemas.claim(reserved);
    }
    let stem_of = |found: &Found| stem(called_as(found, opening.called)).to_ascii_lowercase();
    let wanted: BTreeSet<String> = discovery.files.iter().map(stem_of).collect();
    let (mut databases, mut gathered, mut documents) = (Vec::new(), Vec::new(), Vec::new());
    let (loaded, looks) = load_files(&discovery.files, &wanted, opening, &mut memory, &mut notes)?;
    let mut loaded = loaded.into_iter();
    for found in &discovery.files {
        let name = called_as(found, opening.called);
        match found.format {
            Format::Database => {
                let database = Database { schema: schemas.claim(&stem(name)), path: found.path.clone() };
                gathered.extend(gather_database(&database, name, &mut notes)?);
                databases.push(database);
            }
            Format::Document(format) => documents.push(DocumentFile { path: found.path.clone(), format }),
            Format::File(_) => gathered.extend(loaded.by_ref().take(1).flat_map(|one| gather_file(one, found, name))),
        }
    }
    let (engine, tables) = (Engine::new(memory, databases), name_tables(gathered));
    Ok(Assembled { engine, tables, notes, documents, large, looks })
}

/// What a file goes by.
fn called_as<'a>(found: &'a Found, called: &'a BTreeMap<PathBuf, String>) -> &'a Path {
    called.get(&found.path).map_or(found.path.as_path(), Path::new)
}

/// No files at all: what a workbench over servers alone begins with.
pub fn nothing() -> Result<Assembled, SourceError> {
    let memory = MemoryDatabase::create()
        .map_err(|error| SourceError::Engine { path: PathBuf::from("nothing"), problem: error.to_string() })?;
    Ok(Assembled {
        engine: Engine::new(memory, Vec::new()),
        tables: Vec::new(),
        notes: Vec::new(),
        documents: Vec::new(),
        large: Vec::new(),
        looks: Looks::default(),
    })
}

/// A table before it is known whether another has its name.
struct Gathered {
    schema: String,
    table: Described,
    stamp: SourceStamp,
    origin: Origin,
}

fn gather_database(database: &Database, name: &Path, notes: &mut Vec<String>) -> Result<Vec<Gathered>, SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(database.path.clone(), &error);
    // Marks come first: a write while the tables are being described must count as a change.
    let marks = Marks::read(&database.path).map_err(unreadable)?;
    let contents = database::describe(database)?;
    let stamp = stamp::stamp(&file_name(name), &database.path).map_err(unreadable)?;
    notes.extend(contents.notes);
    let origin = Origin { path: database.path.clone(), marks, reading: Reading::InPlace };
    Ok(contents
        .tables
        .into_iter()
        .map(|table| Gathered { schema: database.schema.clone(), table, stamp: stamp.clone(), origin: origin.clone() })
        .collect())
}

/// What each of the files becomes, in their order: as it is in the cache, or loaded and cached for the next time.
fn load_files(
    files: &[Found],
    wanted: &BTreeSet<String>,
    opening: &Opening<'_>,
    memory: &mut MemoryDatabase,
    notes: &mut Vec<String>,
) -> Result<(Vec<Loaded>, Looks), SourceError> {
    let mut members: Vec<Member<'_>> = Vec::new();
    for found in files {
        if let Format::File(format) = found.format {
            members.push(Member { path: &found.path, called: called_as(found, opening.called), format });
        }
    }
    let cache = opening.cache.and_then(|folder| Cache::of(folder, &members, wanted));
    if let Some(cache) = &cache {
        opening.progress.tell(Stage::TakingUp { files: members.len() });
        match cache.take(&members, memory.connection()) {
            Taken::All(loaded, looks) => return Ok((loaded, looks)),
            Taken::Nothing => {}
            Taken::Damaged(why) => notes.push(format!(
                "What was kept of these files from an earlier start cannot be used ({why}), so they were read anew."
            )),
        }
    }
    let mut taken = DistinctNames::default();
    let load = |member: &Member<'_>| {
        let mut names = TableNames { taken: &mut taken, wanted, file: member.path, stem: stem(member.called) };
        load::load(memory.connection(), member.path, member.format, &mut names, opening.progress)
    };
    let loaded: Vec<Loaded> = members.iter().map(load).collect::<Result<_, _>>()?;
    let Some(cache) = cache else { return Ok((loaded, Looks::default())) };
    opening.progress.tell(Stage::Keeping);
    let looks = cache.keep(&members, &loaded, memory.connection()).unwrap_or_else(|why| {
        notes.push(format!("What was read of these files could not be kept for the next start ({why})."));
        Looks::default()
    });
    Ok((loaded, looks))
}

fn gather_file(loaded: Loaded, found: &Found, called: &Path) -> Vec<Gathered> {
    let Loaded { tables, mut stamp, marks } = loaded;
    stamp.name = file_name(called);
    let origin = Origin { path: found.path.clone(), marks, reading: Reading::Loaded };
    let gathered = |table| Gathered { schema: FILES.to_owned(), table, stamp: stamp.clone(), origin: origin.clone() };
    tables.into_iter().map(gathered).collect()
}

/// Names for the tables of a file that no table of another file has.
pub struct TableNames<'a> {
    taken: &'a mut DistinctNames,
    /// What the tables of other files want to be called.
    wanted: &'a BTreeSet<String>,
    file: &'a Path,
    stem: String,
}

impl TableNames<'_> {
    /// The name of a file's only table, with a note where it is not the file's.
    pub fn of_file(&mut self) -> (String, Option<String>) {
        let stem = self.stem.clone();
        self.claim(&stem)
    }

    /// The name of a table that belongs to another one: its own where no other table wants that, else with the other's
    /// before it.
    pub fn within(&mut self, parent: &str, key: &str) -> (String, Option<String>) {
        let key = names::tidy(key);
        let is_free = !key.is_empty() && !self.taken.has(&key) && !self.wanted.contains(&key.to_ascii_lowercase());
        if is_free { self.claim(&key) } else { self.claim(&format!("{parent}_{key}")) }
    }

    /// The name of a table that its file holds under a key: the key where no other table wants that, else with the
    /// file's name before it.
    pub fn of_key(&mut self, key: &str) -> (String, Option<String>) {
        let (tidy, stem) = (names::tidy(key), self.stem.clone());
        if tidy.is_empty() || tidy.eq_ignore_ascii_case(&stem) {
            return self.of_file();
        }
        let (name, note) = self.within(&stem, key);
        let is_another = note.is_none() && name != tidy;
        let file = self.file.display();
        let told =
            is_another.then(|| format!("Another file gives a table {tidy}; the one from {file} is named {name}."));
        (name, note.or(told))
    }

    /// A name like this one, with a note where it is another.
    pub fn claim(&mut self, wanted: &str) -> (String, Option<String>) {
        let tidy = names::tidy(wanted);
        let wanted = if tidy.is_empty() { self.stem.clone() } else { tidy };
        let reserved = wanted.to_ascii_lowercase().starts_with("sqlite_");
        let name = self.taken.claim(&if reserved { format!("table_{wanted}") } else { wanted.clone() });
        let file = self.file.display();
        let note = if reserved {
            Some(format!("Names like {wanted} belong to the engine; the table from {file} is named {name}."))
        } else if name != wanted {
            Some(format!("Another file gives a table {wanted}; the one from {file} is named {name}."))
        } else {
            None
        };
        (name, note)
    }
}

/// Gives each table a name of its own, and SQL that finds it: its bare name wherever only one schema has it.
fn name_tables(gathered: Vec<Gathered>) -> Vec<(SourceTable, Origin)> {
    let mut holders: BTreeMap<String, u32> = BTreeMap::new();
    for item in &gathered {
        *holders.entry(item.table.name.to_ascii_lowercase()).or_default() += 1;
    }
    let mut taken = DistinctNames::default();
    let shown: Vec<String> = gathered.iter().map(|item| show_as(item, &mut taken)).collect();
    let by_real_name: BTreeMap<(String, String), String> = gathered
        .iter()
        .zip(&shown)
        .map(|(item, shown)| ((item.schema.clone(), item.table.name.to_ascii_lowercase()), shown.clone()))
        .collect();
    gathered
        .into_iter()
        .zip(shown)
        .map(|(item, name)| {
            let Gathered { schema, mut table, stamp, origin } = item;
            if !name.eq_ignore_ascii_case(&table.name) {
                let real = &table.name;
                table.notes.insert(
                    0,
                    format!("Another source has a table {real} too; the one of {} is named {name}.", stamp.name),
                );
            }
            table.foreign_keys.retain_mut(|key| {
                let referred = by_real_name.get(&(schema.clone(), key.table.to_ascii_lowercase()));
                referred.map(|name| key.table.clone_from(name)).is_some()
            });
            let alone = holders.get(&table.name.to_ascii_lowercase()) == Some(&1);
            let bare = names::quoted(&table.name);
            let sql_name = if alone { bare } else { format!("{}.{bare}", names::quoted(&schema)) };
            let Described { columns, rows, is_view, foreign_keys, notes, .. } = table;
            let (engine, dialect, comments) = (EngineId::default(), Dialect::Sqlite, Comments::default());
            let sample_name = None;
            let table = SourceTable {
                name,
                sql_name,
                columns,
                rows,
                is_view,
                foreign_keys,
                stamp,
                notes,
                engine,
                dialect,
                sample_name,
                comments,
            };
            (table, origin)
        })
        .collect()
}

fn show_as(item: &Gathered, taken: &mut DistinctNames) -> String {
    let name = &item.table.name;
    if item.origin.reading == Reading::InPlace && taken.has(name) {
        return taken.claim(&format!("{}_{name}", item.schema));
    }
    taken.claim(name)
}

fn check_number_of_databases(files: &[Found]) -> Result<(), SourceError> {
    let count = files.iter().filter(|found| found.format == Format::Database).count();
    if count > limits::DATABASES_MAX {
        return Err(SourceError::TooMany { what: "Databases".to_owned(), count, limit: limits::DATABASES_MAX });
    }
    Ok(())
}

pub fn stem(path: &Path) -> String {
    let stem = names::tidy(&path.file_stem().unwrap_or_default().to_string_lossy());
    if stem.is_empty() { "data".to_owned() } else { stem }
}

pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
