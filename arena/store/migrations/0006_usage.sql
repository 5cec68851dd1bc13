-- What a bot's processes used in a job: its author asks how near its limits it came, also where it lost nothing.
--
-- Code that is already deployed goes on: jobs that it plays have no rows here, as those that were played before.

CREATE TABLE usage (
    job_id            bigint NOT NULL REFERENCES play ON DELETE CASCADE,
    entry             smallint NOT NULL,
    tournament_id     integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    memory_bytes      bigint NOT NULL,
    memory_limit      bigint NOT NULL,
    memory_source     text NOT NULL,
    processes_refused integer NOT NULL,
    PRIMARY KEY (job_id, entry)
);
CREATE INDEX usage_of_entry ON usage (tournament_id, entry);
COMMENT ON TABLE usage IS 'What the processes of an entry used in a job, as far as the machine that played it can tell';
COMMENT ON COLUMN usage.memory_bytes IS 'The most at one time';
COMMENT ON COLUMN usage.memory_source IS 'Counted by a control group, pages of files too, or added up in looks every 25 ms';
COMMENT ON COLUMN usage.processes_refused IS 'Processes and threads that were refused for its limit, as far as a control group counts them';
