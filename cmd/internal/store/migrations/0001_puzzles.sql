-- Times are microseconds since 1970, UTC.

-- What lists are filtered by stands in narrow rows: a look through all of them
-- is a look through few pages.
CREATE TABLE puzzle (
    id       INTEGER PRIMARY KEY,
    key      BLOB NOT NULL UNIQUE,             -- SHA-256 of family, line feed, text
    family   TEXT NOT NULL,
    cols     INTEGER NOT NULL,
    rows     INTEGER NOT NULL,
    features INTEGER NOT NULL REFERENCES features,
    status   INTEGER NOT NULL,                 -- 0 open, 1 solved, 2 proved to have no answer
    sources  INTEGER NOT NULL,                 -- bit n: seen in the source whose id is n
    seen     INTEGER NOT NULL                  -- first
) STRICT;

CREATE TABLE text (
    puzzle INTEGER PRIMARY KEY REFERENCES puzzle ON DELETE CASCADE,
    text   TEXT NOT NULL
) STRICT;

-- Few combinations of features occur, in many puzzles each.
CREATE TABLE features (
    id    INTEGER PRIMARY KEY,
    words TEXT NOT NULL UNIQUE                 -- in order, a space between them
) STRICT;

CREATE TABLE source (
    id   INTEGER PRIMARY KEY CHECK (id BETWEEN 0 AND 62),
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sighting (
    puzzle INTEGER NOT NULL REFERENCES puzzle ON DELETE CASCADE,
    source INTEGER NOT NULL REFERENCES source,
    place  TEXT NOT NULL,
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    times  INTEGER NOT NULL,
    PRIMARY KEY (puzzle, source, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer (
    id      INTEGER PRIMARY KEY,
    puzzle  INTEGER NOT NULL REFERENCES puzzle ON DELETE CASCADE,
    key     BLOB NOT NULL,                     -- SHA-256 of strokes
    strokes TEXT NOT NULL,                     -- [[[x,y],…],…] in half-cells
    cost    INTEGER,                           -- with bound and unit, or none of them
    bound   INTEGER,
    unit    TEXT,
    micros  INTEGER NOT NULL,                  -- that the solver took
    solver  TEXT NOT NULL,                     -- its version
    at      INTEGER NOT NULL,
    own     INTEGER NOT NULL,                  -- 1: found here, 0: imported, so that cost and bound are somebody else's word
    UNIQUE (puzzle, key)
) STRICT;

CREATE TABLE proof (
    puzzle INTEGER PRIMARY KEY REFERENCES puzzle ON DELETE CASCADE,
    why    TEXT NOT NULL,                      -- '' where nobody asked
    places TEXT NOT NULL,                      -- [[x,y],…] in half-cells
    micros INTEGER NOT NULL,
    solver TEXT NOT NULL,
    at     INTEGER NOT NULL,
    own    INTEGER NOT NULL                    -- 1: found here, 0: imported
) STRICT;

CREATE TABLE run (
    id     INTEGER PRIMARY KEY,
    key    TEXT NOT NULL UNIQUE,               -- random
    at     INTEGER NOT NULL,
    what   TEXT NOT NULL,
    flags  TEXT NOT NULL,                      -- a JSON object
    folder TEXT NOT NULL                       -- of the frames
) STRICT;

CREATE TABLE turn (
    run    INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    frame  TEXT NOT NULL,                      -- its file, '' where it was not kept
    record TEXT NOT NULL,                      -- the Turn's JSON
    PRIMARY KEY (run, number)
) STRICT;

CREATE TABLE turn_puzzle (
    puzzle INTEGER NOT NULL REFERENCES puzzle ON DELETE CASCADE,
    run    INTEGER NOT NULL,
    turn   INTEGER NOT NULL,
    PRIMARY KEY (puzzle, run, turn),
    FOREIGN KEY (run, turn) REFERENCES turn ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX turn_puzzle_turn ON turn_puzzle (run, turn);
