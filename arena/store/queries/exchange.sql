-- All facts of one tournament as JSON lines, out and in again.

-- name: export_bot
-- The bots whose versions are entered.
SELECT row_to_json(bot)::text FROM bot
WHERE id IN (SELECT version.bot_id FROM entry JOIN bot_version AS version ON version.id = entry.version_id
             WHERE entry.tournament_id = %(tournament_id)s)
ORDER BY id;

-- name: export_bot_version
-- The versions that are entered.
SELECT row_to_json(bot_version)::text FROM bot_version
WHERE id IN (SELECT version_id FROM entry WHERE tournament_id = %(tournament_id)s)
ORDER BY id;

-- name: export_bundle
-- The bundles of the versions that are entered.
SELECT row_to_json(bundle)::text FROM bundle
WHERE digest IN (SELECT version.digest FROM entry JOIN bot_version AS version ON version.id = entry.version_id
                 WHERE entry.tournament_id = %(tournament_id)s)
ORDER BY digest;

-- name: export_tournament
-- The tournament itself.
SELECT row_to_json(tournament)::text FROM tournament WHERE id = %(tournament_id)s;

-- name: export_entry
-- Its entries.
SELECT row_to_json(entry)::text FROM entry WHERE tournament_id = %(tournament_id)s ORDER BY number;

-- name: export_pairing
-- Its pairings.
SELECT row_to_json(pairing)::text FROM pairing WHERE tournament_id = %(tournament_id)s ORDER BY number;

-- name: export_play
-- Who played its jobs, and in which sandbox.
SELECT row_to_json(play)::text FROM play WHERE tournament_id = %(tournament_id)s ORDER BY job_id;

-- name: export_match
-- Its matches.
SELECT row_to_json(match)::text FROM match WHERE tournament_id = %(tournament_id)s ORDER BY id;

-- name: export_match_record
-- The records of its matches.
SELECT row_to_json(match_record)::text FROM match_record
JOIN match ON match.id = match_record.match_id
WHERE match.tournament_id = %(tournament_id)s ORDER BY match.id;

-- name: export_fault
-- The faults in its matches.
SELECT row_to_json(fault)::text FROM fault JOIN match ON match.id = fault.match_id
WHERE match.tournament_id = %(tournament_id)s ORDER BY fault.match_id, fault.seat;

-- name: export_death
-- The processes that died in its jobs.
SELECT row_to_json(death)::text FROM death WHERE tournament_id = %(tournament_id)s ORDER BY job_id, entry;

-- name: export_usage
-- What its bots' processes used in its jobs.
SELECT row_to_json(usage)::text FROM usage WHERE tournament_id = %(tournament_id)s ORDER BY job_id, entry;

-- name: export_annulment
-- The annulments that cover a play of it.
SELECT row_to_json(annulment)::text FROM annulment
WHERE id IN (SELECT annulment_id FROM annulled_play JOIN play ON play.job_id = annulled_play.job_id
             WHERE play.tournament_id = %(tournament_id)s)
ORDER BY id;

-- name: export_annulled_play
-- Which of its plays they cover.
SELECT row_to_json(annulled_play)::text FROM annulled_play JOIN play ON play.job_id = annulled_play.job_id
WHERE play.tournament_id = %(tournament_id)s ORDER BY annulled_play.job_id, annulled_play.annulment_id;

-- name: import_bot
-- Write rows of bot as they were exported.
INSERT INTO bot OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::bot, %(rows)s::json);

-- name: import_bot_version
-- Write rows of bot_version as they were exported.
INSERT INTO bot_version OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::bot_version, %(rows)s::json);

-- name: import_bundle
-- Write rows of bundle as they were exported.
INSERT INTO bundle OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::bundle, %(rows)s::json);

-- name: import_tournament
-- Write rows of tournament as they were exported.
INSERT INTO tournament OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::tournament, %(rows)s::json);

-- name: import_entry
-- Write rows of entry as they were exported.
INSERT INTO entry OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::entry, %(rows)s::json);

-- name: import_pairing
-- Write rows of pairing as they were exported.
INSERT INTO pairing OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::pairing, %(rows)s::json);

-- name: import_play
-- Write rows of play as they were exported.
INSERT INTO play OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::play, %(rows)s::json);

-- name: import_match
-- Write rows of match as they were exported.
INSERT INTO match OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::match, %(rows)s::json);

-- name: import_match_record
-- Write rows of match_record as they were exported.
INSERT INTO match_record OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::match_record, %(rows)s::json);

-- name: import_fault
-- Write rows of fault as they were exported.
INSERT INTO fault OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::fault, %(rows)s::json);

-- name: import_death
-- Write rows of death as they were exported.
INSERT INTO death OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::death, %(rows)s::json);

-- name: import_usage
-- Write rows of usage as they were exported.
INSERT INTO usage OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::usage, %(rows)s::json);

-- name: import_annulment
-- Write rows of annulment as they were exported.
INSERT INTO annulment OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::annulment, %(rows)s::json);

-- name: import_annulled_play
-- Write rows of annulled_play as they were exported.
INSERT INTO annulled_play OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::annulled_play, %(rows)s::json);

-- name: select_has_facts
-- Whether anybody has submitted a bot or created a tournament.
SELECT (EXISTS (SELECT FROM bot) OR EXISTS (SELECT FROM tournament))::integer;

-- name: advance_numbers
-- Let new rows have numbers beyond those that were imported.
SELECT setval(pg_get_serial_sequence('bot', 'id'), (SELECT greatest(max(id), 1) FROM bot)),
       setval(pg_get_serial_sequence('bot_version', 'id'), (SELECT greatest(max(id), 1) FROM bot_version)),
       setval(pg_get_serial_sequence('tournament', 'id'), (SELECT greatest(max(id), 1) FROM tournament)),
       setval(pg_get_serial_sequence('match', 'id'), (SELECT greatest(max(id), 1) FROM match)),
       setval(pg_get_serial_sequence('annulment', 'id'), (SELECT greatest(max(id), 1) FROM annulment)),
       setval(pg_get_serial_sequence('job', 'id'), (SELECT greatest(max(job_id), 1) FROM play));

-- name: select_unproved_bundles
-- Bundles whose bytes are not those of their digest.
SELECT encode(digest, 'hex') FROM bundle WHERE sha256(content) <> digest;

-- name: select_unrecorded
-- Matches without a record.
SELECT match.id FROM match LEFT JOIN match_record ON match_record.match_id = match.id
WHERE match_record.match_id IS NULL ORDER BY match.id;

-- name: select_match_ids
-- The numbers of all matches.
SELECT id FROM match ORDER BY id;
