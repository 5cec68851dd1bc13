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

-- name: import_rows
-- Write rows of a table as they were exported; the table's name is filled in by the caller, from its own list.
INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::{table}, %(rows)s::json);

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
