-- Lists are gone through in an order from any row on.
DROP INDEX puzzle_rating;
DROP INDEX puzzle_plays;
DROP INDEX puzzle_wins;
DROP INDEX puzzle_played;
CREATE INDEX puzzle_rating ON puzzle (rating);
CREATE INDEX puzzle_plays ON puzzle (plays);
CREATE INDEX puzzle_wins ON puzzle (wins);
CREATE INDEX puzzle_played ON puzzle (played);
