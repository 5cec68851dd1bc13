-- Wins are counted in parts of 2,520: after 852,000 of them an integer is full, and a ladder has no end.
--
-- Code that is already deployed goes on: it adds integers to the numbers that are there.

ALTER TABLE pairing ALTER COLUMN wins TYPE bigint[];
