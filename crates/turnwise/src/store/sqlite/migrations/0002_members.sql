-- Format 2: who takes part in a conversation, so that lists show each person only their own. A JSON array of names, kept
-- with each turn; empty for conversations that had no turn since.

ALTER TABLE conversations ADD COLUMN members TEXT NOT NULL DEFAULT '[]';
