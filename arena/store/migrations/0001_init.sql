-- The first schema: bots, tournaments, jobs with lease and fence, matches and faults as facts.
--
-- Three kinds of table. Facts are written once and never changed: bundle, match, match_record, play, fault, death. Plans say what
-- is to be played: tournament, entry, pairing, job. Signals may be lost without loss: worker, outbox.
-- Constraints are the concurrency rules; the comment on each says which promise of the platform it keeps.

-- Whole numbers as keys of an exclusion constraint; part of PostgreSQL's contrib, installable by a database's owner.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE meta (
    key   text PRIMARY KEY,
    value text NOT NULL
);
COMMENT ON TABLE meta IS 'Facts about this database itself, such as the installation id';

-- ------------------------------------------------------------------------------------------------- bots

CREATE TABLE bot (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL CONSTRAINT bot_name_length CHECK (length(name) BETWEEN 1 AND 100),
    owner      text NOT NULL CONSTRAINT bot_owner_length CHECK (length(owner) BETWEEN 1 AND 100),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE bot IS 'A name under which versions compete, and the owner label that may submit them';
CREATE UNIQUE INDEX bot_name_key ON bot (lower(name));
COMMENT ON INDEX bot_name_key IS 'Two names that differ in case only are one name';

CREATE TABLE bundle (
    digest  bytea PRIMARY KEY CONSTRAINT bundle_digest_length CHECK (length(digest) = 32),
    content bytea NOT NULL
);
COMMENT ON TABLE bundle IS 'The bytes of a bundle under their SHA-256; workers cache them by digest';

CREATE TABLE bot_version (
    id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bot_id       integer NOT NULL REFERENCES bot,
    number       integer NOT NULL CONSTRAINT bot_version_number_positive CHECK (number >= 1),
    digest       bytea NOT NULL CONSTRAINT bot_version_digest_length CHECK (length(digest) = 32),
    manifest     text NOT NULL,
    runtime      text NOT NULL,
    state        text NOT NULL DEFAULT 'submitted'
        CONSTRAINT bot_version_state CHECK (state IN ('submitted', 'checked', 'failed', 'retired')),
    check_report text NOT NULL DEFAULT '',
    stderr       text NOT NULL DEFAULT '',
    submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    checked_at   timestamptz,
    CONSTRAINT bot_version_number_key UNIQUE (bot_id, number),
    CONSTRAINT bot_version_digest_key UNIQUE (bot_id, digest)
);
COMMENT ON TABLE bot_version IS 'One immutable bundle of a bot: submitted -> checked or failed; checked -> retired';
COMMENT ON CONSTRAINT bot_version_digest_key ON bot_version IS 'The same bytes are the same version';
COMMENT ON COLUMN bot_version.manifest IS 'The bot.toml of the bundle, as text';
CREATE INDEX bot_version_digest ON bot_version (digest);

-- ------------------------------------------------------------------------------------------ tournaments

CREATE TABLE tournament (
    id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name            text NOT NULL CONSTRAINT tournament_name_length CHECK (length(name) BETWEEN 1 AND 100),
    arguments       text NOT NULL,
    format          text NOT NULL DEFAULT 'round_robin',
    ruleset_name    text NOT NULL,
    ruleset_text    text NOT NULL,
    ruleset_digest  bytea NOT NULL CONSTRAINT tournament_ruleset_digest_length CHECK (length(ruleset_digest) = 32),
    rules_epoch     integer NOT NULL,
    seats           smallint NOT NULL CONSTRAINT tournament_seats_range CHECK (seats BETWEEN 2 AND 10),
    deal_sets       integer NOT NULL CONSTRAINT tournament_deal_sets_range CHECK (deal_sets BETWEEN 1 AND 1000000),
    budget_ms       integer NOT NULL CONSTRAINT tournament_budget_positive CHECK (budget_ms > 0),
    bank_ms         integer NOT NULL CONSTRAINT tournament_bank_positive CHECK (bank_ms >= 0),
    hello_ms        integer NOT NULL CONSTRAINT tournament_hello_positive CHECK (hello_ms > 0),
    tables_max      integer NOT NULL CONSTRAINT tournament_tables_positive CHECK (tables_max > 0),
    secret          bytea NOT NULL,
    secret_hash     bytea NOT NULL CONSTRAINT tournament_secret_hash_length CHECK (length(secret_hash) = 32),
    secret_chosen   boolean NOT NULL DEFAULT false,
    tournament_key  bytea CONSTRAINT tournament_key_length CHECK (length(tournament_key) = 32),
    proven          boolean NOT NULL DEFAULT true,
    isolation       text NOT NULL
        CONSTRAINT tournament_isolation CHECK (isolation IN ('strict', 'userns', 'landlock', 'none')),
    unrated         boolean NOT NULL DEFAULT false,
    open_hands      boolean NOT NULL DEFAULT false,
    state           text NOT NULL DEFAULT 'open'
        CONSTRAINT tournament_state CHECK (state IN ('open', 'running', 'finished', 'cancelled')),
    paused          boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    closed_at       timestamptz,
    finished_at     timestamptz,
    CONSTRAINT tournament_key_when_closed CHECK (state IN ('open', 'cancelled') OR tournament_key IS NOT NULL)
);
COMMENT ON TABLE tournament IS 'What is played and how: open -> running -> finished; open or running -> cancelled';
COMMENT ON COLUMN tournament.arguments IS 'The arguments in one canonical text: the same name with the same arguments goes on, with others it is refused';
COMMENT ON COLUMN tournament.secret IS 'Kept until the end; its hash is published at once';
COMMENT ON COLUMN tournament.secret_chosen IS 'The organiser gave the secret, so its deals can be repeated but were not drawn by the platform';
COMMENT ON COLUMN tournament.tournament_key IS 'Set when entries close: everything random in the tournament comes from it';
COMMENT ON COLUMN tournament.proven IS 'The hash of the secret was published before the entries were known';
COMMENT ON COLUMN tournament.isolation IS 'The weakest sandbox level in which a match of it may be played';
COMMENT ON COLUMN tournament.paused IS 'Interrupted by the one who ran it: none of its jobs is claimed until it is run again';
CREATE UNIQUE INDEX tournament_name_key ON tournament (lower(name));
COMMENT ON INDEX tournament_name_key IS 'Creating the same tournament twice at once makes one';

CREATE TABLE entry (
    tournament_id integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    number        smallint NOT NULL CONSTRAINT entry_number_range CHECK (number >= 0),
    version_id    integer NOT NULL REFERENCES bot_version,
    twin          smallint NOT NULL DEFAULT 0 CONSTRAINT entry_twin_range CHECK (twin IN (0, 1)),
    suspended_at  timestamptz,
    PRIMARY KEY (tournament_id, number),
    CONSTRAINT entry_version_key UNIQUE (tournament_id, version_id, twin)
);
COMMENT ON TABLE entry IS 'A version in a tournament, twice when it has a twin; numbers go by the order of entering';
COMMENT ON COLUMN entry.suspended_at IS 'Its processes died too often: its remaining matches were cancelled, not forfeited';

CREATE TABLE pairing (
    tournament_id integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    number        integer NOT NULL,
    sets_planned  integer NOT NULL DEFAULT 0,
    matches_done  integer NOT NULL DEFAULT 0,
    play_us       bigint NOT NULL DEFAULT 0,
    entries       smallint[] NOT NULL,
    wins          integer[],
    faults        integer[],
    PRIMARY KEY (tournament_id, number)
) WITH (fillfactor = 90);
COMMENT ON TABLE pairing IS 'The entries that meet at a table, by number; kept narrow, a thousand bots make 499,500';
COMMENT ON COLUMN pairing.sets_planned IS 'Deal sets 0 .. sets_planned-1 are in jobs';
COMMENT ON COLUMN pairing.play_us IS 'Time that its finished matches took a worker: the measured speed that sizes the next jobs';

COMMENT ON COLUMN pairing.wins IS 'Matches won by each of its entries, in parts of 2520 (a place shared by n counts 2520/n); for the live table alone';
COMMENT ON COLUMN pairing.faults IS 'Faults of each of its entries; for the live table alone';
CREATE INDEX pairing_to_plan ON pairing (tournament_id, sets_planned, number);

-- ------------------------------------------------------------------------------------------- the queue

CREATE TABLE job (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tournament_id integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    pairing       integer NOT NULL,
    rotation      smallint NOT NULL CONSTRAINT job_rotation_range CHECK (rotation BETWEEN 0 AND 9),
    sets          int4multirange NOT NULL CONSTRAINT job_sets_some CHECK (NOT isempty(sets)),
    matches       integer NOT NULL CONSTRAINT job_matches_range CHECK (matches BETWEEN 1 AND 1024),
    state         text NOT NULL DEFAULT 'queued'
        CONSTRAINT job_state CHECK (state IN ('queued', 'leased', 'done', 'failed', 'cancelled')),
    fence         integer NOT NULL DEFAULT 0,
    lease_until   timestamptz,
    owner         text,
    attempts      smallint NOT NULL DEFAULT 0,
    infra         smallint NOT NULL DEFAULT 0,
    lost          smallint NOT NULL DEFAULT 0,
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    published_at  timestamptz,
    rules_epoch   integer NOT NULL,
    protocol      integer NOT NULL,
    runtimes      text[] NOT NULL,
    isolation     text NOT NULL,
    progress      integer NOT NULL DEFAULT 0,
    decisions     bigint NOT NULL DEFAULT 0,
    reason        text NOT NULL DEFAULT '',
    result_sha256 bytea,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at    timestamptz,
    ended_at      timestamptz,
    FOREIGN KEY (tournament_id, pairing) REFERENCES pairing ON DELETE CASCADE,
    CONSTRAINT job_leased_has_lease CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
    CONSTRAINT job_planned_once
        EXCLUDE USING gist (tournament_id WITH =, pairing WITH =, rotation WITH =, sets WITH &&)
        WHERE (state IN ('queued', 'leased', 'failed')),
    CONSTRAINT job_one_rotation_at_a_time
        EXCLUDE USING gist (tournament_id WITH =, pairing WITH =, sets WITH &&)
        WHERE (state = 'leased')
);
COMMENT ON TABLE job IS 'One rotation of some deal sets of one pairing: queued -> leased -> done; leased -> queued when the lease is lost or handed back; queued -> failed or cancelled';
COMMENT ON CONSTRAINT job_planned_once ON job IS 'A match that is still to be played stands in exactly one job';
COMMENT ON CONSTRAINT job_one_rotation_at_a_time ON job IS 'No two rotations of a deal set are played at the same time, whoever claims';
COMMENT ON COLUMN job.fence IS 'Grows with every lease; results and heartbeats of an earlier lease are refused';
COMMENT ON COLUMN job.attempts IS 'Leases taken and not handed back';
COMMENT ON COLUMN job.infra IS 'Times that the platform failed it: time limit, worker out of memory, sandbox that does not start';
COMMENT ON COLUMN job.lost IS 'Leases that ran out because their worker vanished';
COMMENT ON COLUMN job.published_at IS 'When its message was last sent; a message is a hint and may be lost';
COMMENT ON COLUMN job.result_sha256 IS 'Digest of what the finishing transaction wrote: an unknown commit is looked up by it';
CREATE INDEX job_queued ON job (id) WHERE state = 'queued';
CREATE INDEX job_leased ON job (lease_until) WHERE state = 'leased';
CREATE INDEX job_unfinished ON job (tournament_id, pairing) WHERE state IN ('queued', 'leased', 'failed');

CREATE TABLE outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id     bigint NOT NULL REFERENCES job ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE outbox IS 'Messages to send once the transaction that wrote them is committed; deleted when sent';

CREATE TABLE worker (
    id           text PRIMARY KEY,
    host         text NOT NULL,
    pid          integer NOT NULL,
    core         integer,
    arena        text NOT NULL,
    rules_epoch  integer NOT NULL,
    protocol     integer NOT NULL,
    runtimes     text[] NOT NULL,
    level        text NOT NULL,
    state        text NOT NULL CONSTRAINT worker_state CHECK (state IN ('idle', 'busy', 'paused', 'gone')),
    reason       text NOT NULL DEFAULT '',
    job_id       bigint,
    jobs_done    integer NOT NULL DEFAULT 0,
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE worker IS 'Heartbeats, for people and for re-sending lost messages; a lease never depends on a row here';

-- ------------------------------------------------------------------------------------------------ facts

CREATE TABLE match (
    id             bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    tournament_id  integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    pairing        integer NOT NULL,
    deal_set       integer NOT NULL,
    rotation       smallint NOT NULL,
    entries        smallint[] NOT NULL,
    places         smallint[] NOT NULL,
    totals         integer[] NOT NULL,
    rounds         integer NOT NULL,
    decisions      integer NOT NULL,
    ending         text NOT NULL,
    asked          integer[] NOT NULL,
    wall_us        bigint[] NOT NULL,
    cpu_us         bigint[] NOT NULL,
    unasked        integer[] NOT NULL,
    dropped        integer[] NOT NULL,
    cut            integer[] NOT NULL,
    sha256         bytea NOT NULL CONSTRAINT match_sha256_length CHECK (length(sha256) = 32),
    job_id         bigint NOT NULL,
    fence          integer NOT NULL,
    level          text NOT NULL CONSTRAINT match_level CHECK (level IN ('strict', 'userns', 'landlock', 'none')),
    annulled_at    timestamptz,
    played_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT match_played_once UNIQUE (tournament_id, pairing, deal_set, rotation),
    CONSTRAINT match_seats_range CHECK (cardinality(entries) BETWEEN 2 AND 10),
    CONSTRAINT match_seats_equal CHECK (
        cardinality(places) = cardinality(entries) AND cardinality(totals) = cardinality(entries)
        AND cardinality(asked) = cardinality(entries) AND cardinality(wall_us) = cardinality(entries)
        AND cardinality(cpu_us) = cardinality(entries) AND cardinality(unasked) = cardinality(entries)
        AND cardinality(dropped) = cardinality(entries) AND cardinality(cut) = cardinality(entries))
);
COMMENT ON TABLE match IS 'A finished match, written once by the lease that played it; arrays go by seat';
COMMENT ON CONSTRAINT match_played_once ON match IS 'Delivered twice, killed halfway or resurrected: a match has one row';
COMMENT ON COLUMN match.entries IS 'Which entry sat in each seat';
COMMENT ON COLUMN match.unasked IS 'Decisions with a single legal move, taken by the referee';
COMMENT ON COLUMN match.asked IS 'Questions put to each seat';
COMMENT ON COLUMN match.cut IS 'Characters cut from what each seat said';
COMMENT ON COLUMN match.dropped IS 'Answers that came too late or to no question: counted, never a fault';

COMMENT ON COLUMN match.job_id IS 'The job that it was played in; see the table play for where and how';
CREATE INDEX match_of_tournament ON match (tournament_id, id);

CREATE TABLE match_record (
    match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
    line     text NOT NULL
);
COMMENT ON TABLE match_record IS 'Ruleset digest, rules epoch, set key and moves in one line: it replays to the same result. Beside the match, because a standing reads a million matches and no record';

CREATE TABLE play (
    job_id        bigint PRIMARY KEY,
    fence         integer NOT NULL,
    tournament_id integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    worker        text NOT NULL,
    bwrap         text NOT NULL,
    filter_hash   text NOT NULL
);
COMMENT ON TABLE play IS 'Which worker played the matches of a job, and in which sandbox; one accepted lease a job';

CREATE TABLE fault (
    match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
    seat     smallint NOT NULL CONSTRAINT fault_seat_range CHECK (seat BETWEEN 0 AND 9),
    place    smallint NOT NULL,
    kind     text NOT NULL,
    evidence jsonb NOT NULL,
    PRIMARY KEY (match_id, seat)
);
COMMENT ON TABLE fault IS 'How a bot lost its seat, with what was measured; a seat leaves a match once';
COMMENT ON COLUMN fault.place IS 'The order in which the faults of a match happened, from 0; the digest of the match knows it';

CREATE TABLE death (
    job_id        bigint NOT NULL,
    fence         integer NOT NULL,
    tournament_id integer NOT NULL REFERENCES tournament ON DELETE CASCADE,
    entry         smallint NOT NULL,
    kind          text NOT NULL,
    evidence      jsonb NOT NULL,
    died_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (job_id, entry)
);
COMMENT ON TABLE death IS 'A process that died or broke the protocol as a whole: one row, however many tables it left';
CREATE INDEX death_entry ON death (tournament_id, entry);
