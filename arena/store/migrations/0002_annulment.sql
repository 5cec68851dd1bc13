-- Matches can be annulled, with a reason, and the annulment undone: what a broken worker or a wrong version played.
--
-- Facts stay where they are. An annulment names the plays that it covers, a play being all matches of one job; a match or
-- death counts while no annulment that stands covers its job. The mark on their own rows says so without a join.

CREATE TABLE annulment (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reason        text NOT NULL CONSTRAINT annulment_reason_length CHECK (length(reason) BETWEEN 1 AND 1000),
    tournament_id integer REFERENCES tournament ON DELETE CASCADE,
    version_id    integer REFERENCES bot_version,
    worker        text,
    played_from   timestamptz,
    played_until  timestamptz,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    undone_at     timestamptz,
    CONSTRAINT annulment_asks_something CHECK (
        version_id IS NOT NULL OR worker IS NOT NULL OR played_from IS NOT NULL OR played_until IS NOT NULL)
);
COMMENT ON TABLE annulment IS 'Matches that count no longer, and why; the columns that are set say which were meant';
COMMENT ON COLUMN annulment.undone_at IS 'Since when its matches count again, where no other annulment covers them';

CREATE TABLE annulled_play (
    annulment_id integer NOT NULL REFERENCES annulment ON DELETE CASCADE,
    job_id       bigint NOT NULL REFERENCES play ON DELETE CASCADE,
    PRIMARY KEY (job_id, annulment_id)
);
COMMENT ON TABLE annulled_play IS 'The plays that an annulment covers, fixed when it was made: what is played later counts';

ALTER TABLE death ADD COLUMN annulled_at timestamptz;
CREATE INDEX match_annulled ON match (tournament_id) WHERE annulled_at IS NOT NULL;
COMMENT ON COLUMN match.annulled_at IS 'Set while an annulment that stands covers its job';
COMMENT ON COLUMN death.annulled_at IS 'Set while an annulment that stands covers its job';
