-- Format 4: lists are filtered here, so that nothing is cut off before what was asked for is found.

-- Who takes part in which conversation: the names of `conversations.members`, to be looked for.
CREATE TABLE participants (
    person TEXT NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    PRIMARY KEY (person, conversation)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO participants (person, conversation)
    SELECT one.value, conversations.number FROM conversations, json_each(conversations.members) AS one;

-- How many questions are open; not known of conversations that had no turn since.
ALTER TABLE conversations ADD COLUMN questions INTEGER;

CREATE INDEX conversations_by_activity ON conversations (active_at, id);
