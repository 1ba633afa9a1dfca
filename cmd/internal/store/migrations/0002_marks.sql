-- What the user says of a puzzle and did with it by hand. What lists are
-- ordered by stands in the narrow rows.
ALTER TABLE puzzle ADD COLUMN rating INTEGER NOT NULL DEFAULT 0; -- 1 liked, -1 disliked
ALTER TABLE puzzle ADD COLUMN plays  INTEGER NOT NULL DEFAULT 0; -- how often an answer was entered by hand
ALTER TABLE puzzle ADD COLUMN wins   INTEGER NOT NULL DEFAULT 0; -- how often a right one
ALTER TABLE puzzle ADD COLUMN played INTEGER NOT NULL DEFAULT 0; -- when last; 0 never

-- Few puzzles are marked: those are found without a look at the others.
CREATE INDEX puzzle_rating ON puzzle (rating) WHERE rating <> 0;
CREATE INDEX puzzle_plays ON puzzle (plays) WHERE plays <> 0;
CREATE INDEX puzzle_wins ON puzzle (wins) WHERE wins <> 0;
CREATE INDEX puzzle_played ON puzzle (played) WHERE played <> 0;

CREATE TABLE label (
    puzzle INTEGER PRIMARY KEY REFERENCES puzzle ON DELETE CASCADE,
    title  TEXT NOT NULL,
    note   TEXT NOT NULL
) STRICT;
