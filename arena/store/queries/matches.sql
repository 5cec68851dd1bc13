-- Facts: matches, faults, deaths.

-- name: reserve_match_ids
-- Numbers for the matches of one job.
SELECT nextval(pg_get_serial_sequence('match', 'id')) FROM generate_series(1, %(count)s);

-- name: copy_matches
-- Write the matches of one job.
COPY match (id, tournament_id, pairing, deal_set, rotation, entries, places, totals, rounds, decisions, ending,
            asked, wall_us, cpu_us, unasked, dropped, cut, sha256, job_id, fence, level) FROM STDIN;

-- name: copy_records
-- Write the records of one job's matches.
COPY match_record (match_id, line) FROM STDIN;

-- name: insert_play
-- Write who played a job, and in which sandbox.
INSERT INTO play (job_id, fence, tournament_id, worker, bwrap, filter_hash)
VALUES (%(job_id)s, %(fence)s, %(tournament_id)s, %(worker)s, %(bwrap)s, %(filter_hash)s);

-- name: insert_usage
-- Write what the processes of an entry used in a job.
INSERT INTO usage (job_id, entry, tournament_id, memory_bytes, memory_limit, memory_source, processes_refused)
VALUES (%(job_id)s, %(entry)s, %(tournament_id)s, %(memory_bytes)s, %(memory_limit)s, %(memory_source)s,
        %(processes_refused)s);

-- name: insert_fault
-- Write a bot's fault.
INSERT INTO fault (match_id, seat, place, kind, evidence)
VALUES (%(match_id)s, %(seat)s, %(place)s, %(kind)s, %(evidence)s);

-- name: insert_death
-- Write that a bot's process died in a job.
INSERT INTO death (job_id, fence, tournament_id, entry, kind, evidence)
VALUES (%(job_id)s, %(fence)s, %(tournament_id)s, %(entry)s, %(kind)s, %(evidence)s)
ON CONFLICT DO NOTHING;

-- name: select_matches
-- Finished matches by their numbers, newest first.
SELECT match.id, match.tournament_id, tournament.name AS tournament, match.pairing, match.deal_set,
       match.rotation, match.entries,
       ARRAY(SELECT bot.name || '@' || version.number || CASE entry.twin WHEN 1 THEN ' (twin)' ELSE '' END
             FROM unnest(match.entries) WITH ORDINALITY AS seat (number, place)
             JOIN entry ON entry.tournament_id = match.tournament_id AND entry.number = seat.number
             JOIN bot_version AS version ON version.id = entry.version_id
             JOIN bot ON bot.id = version.bot_id
             ORDER BY seat.place) AS bots,
       match.places, match.totals, match.rounds, match.decisions, match.ending, match.asked, match.wall_us,
       match.cpu_us, match.unasked, match.dropped, match.cut, match.sha256, match.job_id, match.fence,
       play.worker, match.level, play.bwrap, play.filter_hash, match.annulled_at, match.played_at,
       ARRAY(SELECT fault.seat || ' ' || fault.kind FROM fault
             WHERE fault.match_id = match.id ORDER BY fault.place) AS faults
FROM match
JOIN tournament ON tournament.id = match.tournament_id
JOIN play ON play.job_id = match.job_id
WHERE match.id = ANY (%(ids)s::bigint[])
ORDER BY match.id DESC;

-- name: select_newest
-- The numbers of the newest matches, of a tournament or of all, with one ending or any.
SELECT match.id FROM match
WHERE (%(tournament_id)s::integer IS NULL OR match.tournament_id = %(tournament_id)s)
  AND (%(before)s::bigint IS NULL OR match.id < %(before)s)
  AND (%(ending)s::text IS NULL OR match.ending = %(ending)s)
ORDER BY match.id DESC
LIMIT %(limit)s;

-- name: select_newest_of_bot
-- The same of a bot, or of a version of it: the newest of each of its entries, and of these the newest.
SELECT DISTINCT newest.id
FROM entry JOIN bot_version AS version ON version.id = entry.version_id,
     LATERAL (SELECT match.id FROM match
              WHERE match.tournament_id = entry.tournament_id AND entry.number = ANY (match.entries)
                AND (%(before)s::bigint IS NULL OR match.id < %(before)s)
                AND (%(ending)s::text IS NULL OR match.ending = %(ending)s)
              ORDER BY match.id DESC LIMIT %(limit)s) AS newest
WHERE version.bot_id = %(bot_id)s AND (%(version_id)s::integer IS NULL OR version.id = %(version_id)s)
  AND (%(tournament_id)s::integer IS NULL OR entry.tournament_id = %(tournament_id)s)
ORDER BY newest.id DESC
LIMIT %(limit)s;

-- name: select_newest_with_fault
-- The same with a fault, of one kind or any.
SELECT DISTINCT fault.match_id
FROM fault JOIN match ON match.id = fault.match_id
WHERE (%(verdict)s::text IS NULL OR fault.kind = %(verdict)s)
  AND (%(before)s::bigint IS NULL OR fault.match_id < %(before)s)
  AND (%(tournament_id)s::integer IS NULL OR match.tournament_id = %(tournament_id)s)
  AND (%(ending)s::text IS NULL OR match.ending = %(ending)s)
ORDER BY fault.match_id DESC
LIMIT %(limit)s;

-- name: select_newest_with_fault_of_bot
-- The same with a fault of a bot, or of a version of it.
SELECT DISTINCT fault.match_id
FROM fault JOIN match ON match.id = fault.match_id
JOIN entry ON entry.tournament_id = match.tournament_id AND entry.number = match.entries[fault.seat + 1]
JOIN bot_version AS version ON version.id = entry.version_id
WHERE version.bot_id = %(bot_id)s AND (%(version_id)s::integer IS NULL OR version.id = %(version_id)s)
  AND (%(verdict)s::text IS NULL OR fault.kind = %(verdict)s)
  AND (%(before)s::bigint IS NULL OR fault.match_id < %(before)s)
  AND (%(tournament_id)s::integer IS NULL OR match.tournament_id = %(tournament_id)s)
  AND (%(ending)s::text IS NULL OR match.ending = %(ending)s)
ORDER BY fault.match_id DESC
LIMIT %(limit)s;

-- name: select_record
-- What verifying a match needs, and whether its deal set is done.
SELECT match_record.line AS record, match.sha256, tournament.ruleset_text, tournament.open_hands,
       (SELECT count(*) FROM match AS other
        WHERE other.tournament_id = match.tournament_id AND other.pairing = match.pairing
          AND other.deal_set = match.deal_set) = tournament.seats
       OR tournament.state IN ('finished', 'cancelled') AS set_done
FROM match
JOIN match_record ON match_record.match_id = match.id
JOIN tournament ON tournament.id = match.tournament_id
WHERE match.id = %(id)s;

-- name: select_faults
-- Faults of a match in the order in which they happened.
SELECT match_id, seat, kind, evidence FROM fault WHERE match_id = %(id)s ORDER BY place;

-- name: select_verdicts
-- Match, entry and kind of each fault in one rotation of some deal sets.
SELECT match.id, match.entries[fault.seat + 1], fault.kind
FROM match JOIN fault ON fault.match_id = match.id
WHERE match.tournament_id = %(tournament_id)s AND match.pairing = %(pairing)s
  AND match.rotation = %(rotation)s AND match.deal_set = ANY (%(sets)s)
ORDER BY match.id, fault.place;

-- name: select_deaths
-- How often each entry's processes died in a tournament, without what is annulled.
SELECT entry::integer, count(*)::integer FROM death
WHERE tournament_id = %(tournament_id)s AND annulled_at IS NULL GROUP BY entry ORDER BY entry;
