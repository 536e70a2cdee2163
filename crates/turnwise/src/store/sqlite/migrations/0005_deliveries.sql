-- Format 5: what a channel was delivered is kept before it is read, so that it can be acknowledged at once.

-- What was delivered and is not taken in yet, in the order it came.
CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    -- The same for every delivery of one thing.
    key TEXT NOT NULL,
    -- What was delivered, in the channel's own form.
    content TEXT NOT NULL,
    -- How often a process that began took it up.
    taken_up INTEGER NOT NULL DEFAULT 0,
    UNIQUE (channel, key)
) STRICT;
