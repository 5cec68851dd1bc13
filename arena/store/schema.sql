-- The whole schema, made from the migrations by deploy/schema-page; run by nothing but a test.

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';

CREATE TABLE public.annulled_play (
    annulment_id integer NOT NULL,
    job_id bigint NOT NULL
);

COMMENT ON TABLE public.annulled_play IS 'The plays that an annulment covers, fixed when it was made: what is played later counts';

CREATE TABLE public.annulment (
    id integer NOT NULL,
    reason text NOT NULL,
    tournament_id integer,
    version_id integer,
    worker text,
    played_from timestamp with time zone,
    played_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    undone_at timestamp with time zone,
    CONSTRAINT annulment_asks_something CHECK (((version_id IS NOT NULL) OR (worker IS NOT NULL) OR (played_from IS NOT NULL) OR (played_until IS NOT NULL))),
    CONSTRAINT annulment_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 1000)))
);

COMMENT ON TABLE public.annulment IS 'Matches that count no longer, and why; the columns that are set say which were meant';

COMMENT ON COLUMN public.annulment.undone_at IS 'Since when its matches count again, where no other annulment covers them';

ALTER TABLE public.annulment ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.annulment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.bot (
    id integer NOT NULL,
    name text NOT NULL,
    owner text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT bot_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT bot_owner_length CHECK (((length(owner) >= 1) AND (length(owner) <= 100)))
);

COMMENT ON TABLE public.bot IS 'A name under which versions compete, and the owner label that may submit them';

ALTER TABLE public.bot ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.bot_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.bot_version (
    id integer NOT NULL,
    bot_id integer NOT NULL,
    number integer NOT NULL,
    digest bytea NOT NULL,
    manifest text NOT NULL,
    runtime text NOT NULL,
    state text DEFAULT 'submitted'::text NOT NULL,
    check_report text DEFAULT ''::text NOT NULL,
    stderr text DEFAULT ''::text NOT NULL,
    submitted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    checked_at timestamp with time zone,
    CONSTRAINT bot_version_digest_length CHECK ((length(digest) = 32)),
    CONSTRAINT bot_version_number_positive CHECK ((number >= 1)),
    CONSTRAINT bot_version_state CHECK ((state = ANY (ARRAY['submitted'::text, 'checked'::text, 'failed'::text, 'retired'::text])))
);

COMMENT ON TABLE public.bot_version IS 'One immutable bundle of a bot: submitted -> checked or failed; checked -> retired';

COMMENT ON COLUMN public.bot_version.manifest IS 'The bot.toml of the bundle, as text';

ALTER TABLE public.bot_version ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.bot_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.bundle (
    digest bytea NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT bundle_digest_length CHECK ((length(digest) = 32))
);

COMMENT ON TABLE public.bundle IS 'The bytes of a bundle under their SHA-256; workers cache them by digest';

CREATE TABLE public.death (
    job_id bigint NOT NULL,
    fence integer NOT NULL,
    tournament_id integer NOT NULL,
    entry smallint NOT NULL,
    kind text NOT NULL,
    evidence jsonb NOT NULL,
    died_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    annulled_at timestamp with time zone
);

COMMENT ON TABLE public.death IS 'A process that died or broke the protocol as a whole: one row, however many tables it left';

COMMENT ON COLUMN public.death.annulled_at IS 'Set while an annulment that stands covers its job';

CREATE TABLE public.entry (
    tournament_id integer NOT NULL,
    number smallint NOT NULL,
    version_id integer NOT NULL,
    twin smallint DEFAULT 0 NOT NULL,
    suspended_at timestamp with time zone,
    CONSTRAINT entry_number_range CHECK ((number >= 0)),
    CONSTRAINT entry_twin_range CHECK ((twin = ANY (ARRAY[0, 1])))
);

COMMENT ON TABLE public.entry IS 'A version in a tournament, twice when it has a twin; numbers go by the order of entering';

COMMENT ON COLUMN public.entry.suspended_at IS 'Its processes died too often: its remaining matches were cancelled, not forfeited';

CREATE TABLE public.fault (
    match_id bigint NOT NULL,
    seat smallint NOT NULL,
    place smallint NOT NULL,
    kind text NOT NULL,
    evidence jsonb NOT NULL,
    CONSTRAINT fault_seat_range CHECK (((seat >= 0) AND (seat <= 9)))
);

COMMENT ON TABLE public.fault IS 'How a bot lost its seat, with what was measured; a seat leaves a match once';

COMMENT ON COLUMN public.fault.place IS 'The order in which the faults of a match happened, from 0; the digest of the match knows it';

CREATE TABLE public.job (
    id bigint NOT NULL,
    tournament_id integer NOT NULL,
    pairing integer NOT NULL,
    rotation smallint NOT NULL,
    sets int4multirange NOT NULL,
    matches integer NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    fence integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    owner text,
    attempts smallint DEFAULT 0 NOT NULL,
    infra smallint DEFAULT 0 NOT NULL,
    lost smallint DEFAULT 0 NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    published_at timestamp with time zone,
    rules_epoch integer NOT NULL,
    protocol integer NOT NULL,
    runtimes text[] NOT NULL,
    isolation text NOT NULL,
    progress integer DEFAULT 0 NOT NULL,
    decisions bigint DEFAULT 0 NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    result_sha256 bytea,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT job_leased_has_lease CHECK (((state = 'leased'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT job_matches_range CHECK (((matches >= 1) AND (matches <= 4096))),
    CONSTRAINT job_rotation_range CHECK (((rotation >= 0) AND (rotation <= 9))),
    CONSTRAINT job_sets_some CHECK ((NOT isempty(sets))),
    CONSTRAINT job_state CHECK ((state = ANY (ARRAY['queued'::text, 'leased'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

COMMENT ON TABLE public.job IS 'One rotation of some deal sets of one pairing: queued -> leased -> done; leased -> queued when the lease is lost or handed back; queued -> failed or cancelled';

COMMENT ON COLUMN public.job.fence IS 'Grows with every lease; results and heartbeats of an earlier lease are refused';

COMMENT ON COLUMN public.job.attempts IS 'Leases taken and not handed back';

COMMENT ON COLUMN public.job.infra IS 'Times that the platform failed it: time limit, worker out of memory, sandbox that does not start';

COMMENT ON COLUMN public.job.lost IS 'Leases that ran out because their worker vanished';

COMMENT ON COLUMN public.job.published_at IS 'When its message was last sent; a message is a hint and may be lost';

COMMENT ON COLUMN public.job.result_sha256 IS 'Digest of what the finishing transaction wrote: an unknown commit is looked up by it';

ALTER TABLE public.job ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.match (
    id bigint NOT NULL,
    tournament_id integer NOT NULL,
    pairing integer NOT NULL,
    deal_set integer NOT NULL,
    rotation smallint NOT NULL,
    entries smallint[] NOT NULL,
    places smallint[] NOT NULL,
    totals integer[] NOT NULL,
    rounds integer NOT NULL,
    decisions integer NOT NULL,
    ending text NOT NULL,
    asked integer[] NOT NULL,
    wall_us bigint[] NOT NULL,
    cpu_us bigint[] NOT NULL,
    unasked integer[] NOT NULL,
    dropped integer[] NOT NULL,
    cut integer[] NOT NULL,
    sha256 bytea NOT NULL,
    job_id bigint NOT NULL,
    fence integer NOT NULL,
    level text NOT NULL,
    annulled_at timestamp with time zone,
    played_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT match_level CHECK ((level = ANY (ARRAY['strict'::text, 'userns'::text, 'landlock'::text, 'none'::text]))),
    CONSTRAINT match_seats_equal CHECK (((cardinality(places) = cardinality(entries)) AND (cardinality(totals) = cardinality(entries)) AND (cardinality(asked) = cardinality(entries)) AND (cardinality(wall_us) = cardinality(entries)) AND (cardinality(cpu_us) = cardinality(entries)) AND (cardinality(unasked) = cardinality(entries)) AND (cardinality(dropped) = cardinality(entries)) AND (cardinality(cut) = cardinality(entries)))),
    CONSTRAINT match_seats_range CHECK (((cardinality(entries) >= 2) AND (cardinality(entries) <= 10))),
    CONSTRAINT match_sha256_length CHECK ((length(sha256) = 32))
);

COMMENT ON TABLE public.match IS 'A finished match, written once by the lease that played it; arrays go by seat';

COMMENT ON COLUMN public.match.entries IS 'Which entry sat in each seat';

COMMENT ON COLUMN public.match.asked IS 'Questions put to each seat';

COMMENT ON COLUMN public.match.unasked IS 'Decisions with a single legal move, taken by the referee';

COMMENT ON COLUMN public.match.dropped IS 'Answers that came too late or to no question: counted, never a fault';

COMMENT ON COLUMN public.match.cut IS 'Characters cut from what each seat said';

COMMENT ON COLUMN public.match.job_id IS 'The job that it was played in; see the table play for where and how';

COMMENT ON COLUMN public.match.annulled_at IS 'Set while an annulment that stands covers its job';

ALTER TABLE public.match ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.match_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.match_record (
    match_id bigint NOT NULL,
    line text NOT NULL
);

COMMENT ON TABLE public.match_record IS 'Ruleset digest, rules epoch, set key and moves in one line: it replays to the same result. Beside the match, because a standing reads a million matches and no record';

CREATE TABLE public.meta (
    key text NOT NULL,
    value text NOT NULL
);

COMMENT ON TABLE public.meta IS 'Facts about this database itself, such as the installation id';

CREATE TABLE public.migration (
    number integer NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    job_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

COMMENT ON TABLE public.outbox IS 'Messages to send once the transaction that wrote them is committed; deleted when sent';

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pairing (
    tournament_id integer NOT NULL,
    number integer NOT NULL,
    sets_planned integer DEFAULT 0 NOT NULL,
    matches_done integer DEFAULT 0 NOT NULL,
    play_us bigint DEFAULT 0 NOT NULL,
    entries smallint[] NOT NULL,
    wins bigint[],
    faults integer[]
)
WITH (fillfactor='90');

COMMENT ON TABLE public.pairing IS 'The entries that meet at a table, by number; kept narrow, a thousand bots make 499,500';

COMMENT ON COLUMN public.pairing.sets_planned IS 'Deal sets 0 .. sets_planned-1 are in jobs';

COMMENT ON COLUMN public.pairing.play_us IS 'Time that its finished matches took a worker: the measured speed that sizes the next jobs';

COMMENT ON COLUMN public.pairing.wins IS 'Matches won by each of its entries, in parts of 2520 (a place shared by n counts 2520/n); for the live table alone';

COMMENT ON COLUMN public.pairing.faults IS 'Faults of each of its entries; for the live table alone';

CREATE TABLE public.play (
    job_id bigint NOT NULL,
    fence integer NOT NULL,
    tournament_id integer NOT NULL,
    worker text NOT NULL,
    bwrap text NOT NULL,
    filter_hash text NOT NULL
);

COMMENT ON TABLE public.play IS 'Which worker played the matches of a job, and in which sandbox; one accepted lease a job';

CREATE TABLE public.tournament (
    id integer NOT NULL,
    name text NOT NULL,
    arguments text NOT NULL,
    format text DEFAULT 'round_robin'::text NOT NULL,
    ruleset_name text NOT NULL,
    ruleset_text text NOT NULL,
    ruleset_digest bytea NOT NULL,
    rules_epoch integer NOT NULL,
    seats smallint NOT NULL,
    deal_sets integer NOT NULL,
    budget_ms integer NOT NULL,
    bank_ms integer NOT NULL,
    hello_ms integer NOT NULL,
    tables_max integer NOT NULL,
    secret bytea NOT NULL,
    secret_hash bytea NOT NULL,
    secret_chosen boolean DEFAULT false NOT NULL,
    tournament_key bytea,
    proven boolean DEFAULT true NOT NULL,
    isolation text NOT NULL,
    unrated boolean DEFAULT false NOT NULL,
    open_hands boolean DEFAULT false NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    closed_at timestamp with time zone,
    finished_at timestamp with time zone,
    memory_mib integer DEFAULT 512 NOT NULL,
    processes integer DEFAULT 64 NOT NULL,
    cpu_millis integer DEFAULT 1000 NOT NULL,
    CONSTRAINT tournament_bank_positive CHECK ((bank_ms >= 0)),
    CONSTRAINT tournament_budget_positive CHECK ((budget_ms > 0)),
    CONSTRAINT tournament_cpu_positive CHECK ((cpu_millis > 0)),
    CONSTRAINT tournament_deal_sets_range CHECK (((deal_sets >= 1) AND (deal_sets <= 1000000))),
    CONSTRAINT tournament_hello_positive CHECK ((hello_ms > 0)),
    CONSTRAINT tournament_isolation CHECK ((isolation = ANY (ARRAY['strict'::text, 'userns'::text, 'landlock'::text, 'none'::text]))),
    CONSTRAINT tournament_key_length CHECK ((length(tournament_key) = 32)),
    CONSTRAINT tournament_key_when_closed CHECK (((state = ANY (ARRAY['open'::text, 'cancelled'::text])) OR (tournament_key IS NOT NULL))),
    CONSTRAINT tournament_memory_positive CHECK ((memory_mib > 0)),
    CONSTRAINT tournament_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT tournament_processes_positive CHECK ((processes > 0)),
    CONSTRAINT tournament_ruleset_digest_length CHECK ((length(ruleset_digest) = 32)),
    CONSTRAINT tournament_seats_range CHECK (((seats >= 2) AND (seats <= 10))),
    CONSTRAINT tournament_secret_hash_length CHECK ((length(secret_hash) = 32)),
    CONSTRAINT tournament_state CHECK ((state = ANY (ARRAY['open'::text, 'running'::text, 'finished'::text, 'cancelled'::text]))),
    CONSTRAINT tournament_tables_positive CHECK ((tables_max > 0))
);

COMMENT ON TABLE public.tournament IS 'What is played and how: open -> running -> finished; open or running -> cancelled';

COMMENT ON COLUMN public.tournament.arguments IS 'The arguments in one canonical text: the same name with the same arguments goes on, with others it is refused';

COMMENT ON COLUMN public.tournament.secret IS 'Kept until the end; its hash is published at once';

COMMENT ON COLUMN public.tournament.secret_chosen IS 'The organiser gave the secret, so its deals can be repeated but were not drawn by the platform';

COMMENT ON COLUMN public.tournament.tournament_key IS 'Set when entries close: everything random in the tournament comes from it';

COMMENT ON COLUMN public.tournament.proven IS 'The hash of the secret was published before the entries were known';

COMMENT ON COLUMN public.tournament.isolation IS 'The weakest sandbox level in which a match of it may be played';

COMMENT ON COLUMN public.tournament.paused IS 'Interrupted by the one who ran it: none of its jobs is claimed until it is run again';

COMMENT ON COLUMN public.tournament.memory_mib IS 'Ceiling of the memory that a bot may ask for, in MiB';

COMMENT ON COLUMN public.tournament.processes IS 'Ceiling of its processes and threads';

COMMENT ON COLUMN public.tournament.cpu_millis IS 'Ceiling of its processor time, in thousandths of a core';

ALTER TABLE public.tournament ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tournament_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.usage (
    job_id bigint NOT NULL,
    entry smallint NOT NULL,
    tournament_id integer NOT NULL,
    memory_bytes bigint NOT NULL,
    memory_limit bigint NOT NULL,
    memory_source text NOT NULL,
    processes_refused integer NOT NULL
);

COMMENT ON TABLE public.usage IS 'What the processes of an entry used in a job, as far as the machine that played it can tell';

COMMENT ON COLUMN public.usage.memory_bytes IS 'The most at one time';

COMMENT ON COLUMN public.usage.memory_source IS 'Counted by a control group, pages of files too, or added up in looks every 25 ms';

COMMENT ON COLUMN public.usage.processes_refused IS 'Processes and threads that were refused for its limit, as far as a control group counts them';

CREATE TABLE public.worker (
    id text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    core integer,
    arena text NOT NULL,
    rules_epoch integer NOT NULL,
    protocol integer NOT NULL,
    runtimes text[] NOT NULL,
    level text NOT NULL,
    state text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    job_id bigint,
    jobs_done integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT worker_state CHECK ((state = ANY (ARRAY['idle'::text, 'busy'::text, 'paused'::text, 'gone'::text])))
);

COMMENT ON TABLE public.worker IS 'Heartbeats, for people and for re-sending lost messages; a lease never depends on a row here';

ALTER TABLE ONLY public.annulled_play
    ADD CONSTRAINT annulled_play_pkey PRIMARY KEY (job_id, annulment_id);

ALTER TABLE ONLY public.annulment
    ADD CONSTRAINT annulment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bot_version
    ADD CONSTRAINT bot_version_digest_key UNIQUE (bot_id, digest);

COMMENT ON CONSTRAINT bot_version_digest_key ON public.bot_version IS 'The same bytes are the same version';

ALTER TABLE ONLY public.bot_version
    ADD CONSTRAINT bot_version_number_key UNIQUE (bot_id, number);

ALTER TABLE ONLY public.bot_version
    ADD CONSTRAINT bot_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bundle
    ADD CONSTRAINT bundle_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.death
    ADD CONSTRAINT death_pkey PRIMARY KEY (job_id, entry);

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (tournament_id, number);

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_version_key UNIQUE (tournament_id, version_id, twin);

ALTER TABLE ONLY public.fault
    ADD CONSTRAINT fault_pkey PRIMARY KEY (match_id, seat);

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_one_rotation_at_a_time EXCLUDE USING gist (tournament_id WITH =, pairing WITH =, sets WITH &&) WHERE ((state = 'leased'::text));

COMMENT ON CONSTRAINT job_one_rotation_at_a_time ON public.job IS 'No two rotations of a deal set are played at the same time, whoever claims';

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_planned_once EXCLUDE USING gist (tournament_id WITH =, pairing WITH =, rotation WITH =, sets WITH &&) WHERE ((state = ANY (ARRAY['queued'::text, 'leased'::text, 'failed'::text])));

COMMENT ON CONSTRAINT job_planned_once ON public.job IS 'A match that is still to be played stands in exactly one job';

ALTER TABLE ONLY public.match
    ADD CONSTRAINT match_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.match
    ADD CONSTRAINT match_played_once UNIQUE (tournament_id, pairing, deal_set, rotation);

COMMENT ON CONSTRAINT match_played_once ON public.match IS 'Delivered twice, killed halfway or resurrected: a match has one row';

ALTER TABLE ONLY public.match_record
    ADD CONSTRAINT match_record_pkey PRIMARY KEY (match_id);

ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pairing
    ADD CONSTRAINT pairing_pkey PRIMARY KEY (tournament_id, number);

ALTER TABLE ONLY public.play
    ADD CONSTRAINT play_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY public.tournament
    ADD CONSTRAINT tournament_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (job_id, entry);

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX bot_name_key ON public.bot USING btree (lower(name));

COMMENT ON INDEX public.bot_name_key IS 'Two names that differ in case only are one name';

CREATE INDEX bot_version_digest ON public.bot_version USING btree (digest);

CREATE INDEX death_entry ON public.death USING btree (tournament_id, entry);

CREATE INDEX fault_kind ON public.fault USING btree (kind, match_id);

CREATE INDEX job_leased ON public.job USING btree (lease_until) WHERE (state = 'leased'::text);

CREATE INDEX job_queued ON public.job USING btree (id) WHERE (state = 'queued'::text);

CREATE INDEX job_unfinished ON public.job USING btree (tournament_id, pairing) WHERE (state = ANY (ARRAY['queued'::text, 'leased'::text, 'failed'::text]));

CREATE INDEX match_annulled ON public.match USING btree (tournament_id) WHERE (annulled_at IS NOT NULL);

CREATE INDEX match_of_tournament ON public.match USING btree (tournament_id, id);

CREATE INDEX match_rare_ending ON public.match USING btree (ending, id) WHERE (ending <> 'target'::text);

COMMENT ON INDEX public.match_rare_ending IS 'Nearly all matches end by the target: those are found without it';

CREATE INDEX pairing_to_plan ON public.pairing USING btree (tournament_id, sets_planned, number);

CREATE UNIQUE INDEX tournament_name_key ON public.tournament USING btree (lower(name));

COMMENT ON INDEX public.tournament_name_key IS 'Creating the same tournament twice at once makes one';

CREATE INDEX usage_of_entry ON public.usage USING btree (tournament_id, entry);

ALTER TABLE ONLY public.annulled_play
    ADD CONSTRAINT annulled_play_annulment_id_fkey FOREIGN KEY (annulment_id) REFERENCES public.annulment(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.annulled_play
    ADD CONSTRAINT annulled_play_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.play(job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.annulment
    ADD CONSTRAINT annulment_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.annulment
    ADD CONSTRAINT annulment_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.bot_version(id);

ALTER TABLE ONLY public.bot_version
    ADD CONSTRAINT bot_version_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES public.bot(id);

ALTER TABLE ONLY public.death
    ADD CONSTRAINT death_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.bot_version(id);

ALTER TABLE ONLY public.fault
    ADD CONSTRAINT fault_match_id_fkey FOREIGN KEY (match_id) REFERENCES public.match(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_tournament_id_pairing_fkey FOREIGN KEY (tournament_id, pairing) REFERENCES public.pairing(tournament_id, number) ON DELETE CASCADE;

ALTER TABLE ONLY public.match_record
    ADD CONSTRAINT match_record_match_id_fkey FOREIGN KEY (match_id) REFERENCES public.match(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.match
    ADD CONSTRAINT match_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.job(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pairing
    ADD CONSTRAINT pairing_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.play
    ADD CONSTRAINT play_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.play(job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES public.tournament(id) ON DELETE CASCADE;
