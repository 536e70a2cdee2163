//! Every limit of loading and querying, with what it buys. They stand together so that whoever is refused finds the
//! reason in one place. Next: `workbench`, which applies them.

/// Largest file loaded into memory, in bytes. The file and the table made of it are both held while loading, so this
/// keeps a load within about two gigabytes; databases are read in place and know no such limit.
pub const IMPORT_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// How much files may weigh together that are loaded: they take about twice that in memory.
pub const MEMORY_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// How much files have to weigh together to be read in place, in bytes, where there is an engine for that: from here on
/// loading them is felt, and they take a multiple of it in memory.
pub const LARGE_BYTES_MIN: u64 = 128 * 1024 * 1024;

/// How many bytes of text a byte of Parquet stands for: it is compressed, and what it takes in memory is not.
pub const PARQUET_WEIGHT: u64 = 4;

/// How many bytes of memory a byte of a JSON document takes while it is loaded, beyond its table.
pub const JSON_WEIGHT: u64 = 4;

/// How many bytes of cells a byte of a spreadsheet stands for: it is a compressed archive.
pub const SPREADSHEET_WEIGHT: u64 = 8;

/// Most bytes hashed for a fingerprint. Beyond this, size and modification time stand in: hashing more would be felt
/// at start-up.
pub const FINGERPRINT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// How much files have to weigh together for what they become to be cached, in bytes: below it loading is not felt.
pub const CACHED_BYTES_MIN: u64 = 8 * 1024 * 1024;

/// How much the cache of loaded files may take on the disk, in bytes: a dozen large data sets.
pub const CACHE_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// Records between two tellings how far a file is read: seldom enough to cost nothing.
pub const RECORDS_PER_TELLING: u64 = 8_192;

/// Most databases open at once: SQLite attaches ten, and one of them holds the loaded files.
pub const DATABASES_MAX: usize = 9;

/// Most tables read from one server: more would not fit into anybody's question.
pub const SERVER_TABLES_MAX: usize = 300;

/// Rows of a server's table that are counted; of larger ones the server's own estimate is taken.
pub const SERVER_ROWS_COUNTED_MAX: u64 = 200_000;

/// Rows of a large table looked at for values.
pub const SERVER_ROWS_SAMPLED: u64 = 50_000;

/// Most files loaded at once: a folder with more is more likely a wrong folder than a data set.
pub const FILES_MAX: usize = 500;

/// Most columns of a table, SQLite's own limit.
pub const COLUMNS_MAX: usize = 2_000;

/// Rows of a database table looked at to check what its columns hold.
pub const SAMPLE_ROWS: u32 = 1_000;

/// How long a view may take to be described; a slower one is left out, with a note, rather than delaying the start.
pub const VIEW_TIME_MAX: std::time::Duration = std::time::Duration::from_secs(2);

/// How long a table of a server may take to be counted, before the server's own estimate has to do.
pub const COUNT_TIME_MAX: std::time::Duration = std::time::Duration::from_secs(5);

/// Connections kept open between queries: as many as steps run at once.
pub const IDLE_CONNECTIONS_MAX: usize = turnwise_core::limits::STEPS_PARALLEL_MAX;

/// Virtual machine instructions between two looks at the clock and the stop signal: well under a millisecond of work.
pub const INSTRUCTIONS_PER_CHECK: i32 = 4_000;

/// Longest query, in bytes.
pub const QUERY_BYTES_MAX: i32 = 256 * 1024;

/// Longest single value a query may make or read, in bytes: keeps one query from filling the memory.
pub const VALUE_BYTES_MAX: i32 = 64 * 1024 * 1024;

/// Deepest expression of a query.
pub const EXPRESSION_DEPTH_MAX: i32 = 200;

/// Most `SELECT`s joined by `UNION` and the like in one query.
pub const COMPOUND_SELECT_MAX: i32 = 100;

/// Notes kept for one table; the last one says how many were left out.
pub const NOTES_MAX: usize = 12;

/// How long a query waits for another program that is writing the database before it says so.
pub const BUSY_WAIT: std::time::Duration = std::time::Duration::from_secs(2);
