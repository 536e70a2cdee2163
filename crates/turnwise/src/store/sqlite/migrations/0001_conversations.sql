-- Format 1: conversations as logs of events, with what their inputs were answered and the work they wait for.

CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    assistant TEXT NOT NULL,
    -- The first message, cut short.
    title TEXT,
    phase TEXT NOT NULL,
    -- The last event: the version a turn must have decided on.
    sequence INTEGER NOT NULL,
    -- Milliseconds since 1970.
    active_at INTEGER NOT NULL
) STRICT;

-- The log. `position` is the order in which the store took events in, over all conversations.
CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (conversation, sequence)
) STRICT;

-- Folded logs, so that loading does not begin at the first event. Apart from `conversations`, whose rows change with
-- every turn and must stay small. Only the version of the program that made one reads it; the log is the truth.
CREATE TABLE snapshots (
    conversation INTEGER PRIMARY KEY REFERENCES conversations (number),
    sequence INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- What each input was answered, so that a second delivery gets the same again.
CREATE TABLE inputs (
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    key TEXT NOT NULL,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (conversation, key)
) STRICT, WITHOUT ROWID;

-- Work that was decided on and is not over, and who performs it until when. No owner: given back.
CREATE TABLE outbox (
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    effect TEXT NOT NULL,
    owner TEXT,
    until INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    PRIMARY KEY (conversation, effect)
) STRICT, WITHOUT ROWID;
