-- Tournaments, their entries and pairings.

-- name: insert_tournament
-- Create a tournament, unless its name is taken.
INSERT INTO tournament (name, arguments, format, ruleset_name, ruleset_text, ruleset_digest, rules_epoch, seats,
                        deal_sets, budget_ms, bank_ms, hello_ms, tables_max, secret, secret_hash, secret_chosen,
                        proven, isolation, unrated, open_hands, memory_mib, processes, cpu_millis)
VALUES (%(name)s, %(arguments)s, %(format)s, %(ruleset_name)s, %(ruleset_text)s, %(ruleset_digest)s,
        %(rules_epoch)s, %(seats)s, %(deal_sets)s, %(budget_ms)s, %(bank_ms)s, %(hello_ms)s, %(tables_max)s,
        %(secret)s, %(secret_hash)s, %(secret_chosen)s, %(proven)s, %(isolation)s, %(unrated)s, %(open_hands)s,
        %(memory_mib)s, %(processes)s, %(cpu_millis)s)
ON CONFLICT DO NOTHING
RETURNING id;

-- name: select_tournaments
-- Tournaments, newest first: one by its name or number, all, or all but the unlisted (comparisons).
SELECT id, name, arguments, format, ruleset_name, ruleset_text, ruleset_digest, rules_epoch, seats, deal_sets,
       budget_ms, bank_ms, hello_ms, tables_max, secret, secret_hash, secret_chosen, tournament_key, proven,
       isolation, unrated, open_hands, state, paused, created_at, closed_at, finished_at, memory_mib, processes,
       cpu_millis
FROM tournament
WHERE (%(name)s::text IS NULL OR lower(name) = lower(%(name)s))
  AND (%(id)s::integer IS NULL OR id = %(id)s)
  AND (%(unlisted)s OR format <> 'compare')
ORDER BY id DESC
LIMIT %(limit)s;

-- name: lock_tournament
-- Make other changes of this tournament's state wait.
SELECT state FROM tournament WHERE id = %(tournament_id)s FOR NO KEY UPDATE;

-- name: insert_entry
-- Enter a version under the next number.
INSERT INTO entry (tournament_id, number, version_id, twin)
SELECT %(tournament_id)s, coalesce(max(number), -1) + 1, %(version_id)s, %(twin)s
FROM entry WHERE tournament_id = %(tournament_id)s
ON CONFLICT ON CONSTRAINT entry_version_key DO NOTHING;

-- name: select_entries
-- The entries of a tournament in the order of their numbers, all or those given.
SELECT entry.tournament_id, entry.number, entry.version_id, entry.twin, entry.suspended_at,
       bot.name AS bot, version.number AS version, version.digest, version.runtime, version.manifest
FROM entry
JOIN bot_version AS version ON version.id = entry.version_id
JOIN bot ON bot.id = version.bot_id
WHERE entry.tournament_id = %(tournament_id)s
  AND (%(numbers)s::smallint[] IS NULL OR entry.number = ANY (%(numbers)s))
ORDER BY entry.number;

-- name: select_suspended
-- The numbers of a tournament's suspended entries.
SELECT number FROM entry WHERE tournament_id = %(tournament_id)s AND suspended_at IS NOT NULL;

-- name: select_resting
-- The numbers of a ladder's entries that play no more: suspended, or of a retired version.
SELECT entry.number FROM entry JOIN bot_version AS version ON version.id = entry.version_id
WHERE entry.tournament_id = %(tournament_id)s
  AND (entry.suspended_at IS NOT NULL OR version.state = 'retired')
ORDER BY entry.number;

-- name: copy_pairings
-- Write all pairings of a tournament.
COPY pairing (tournament_id, number, entries) FROM STDIN (FORMAT BINARY);

-- name: update_tournament_closed
-- Close the entries: from now on everything random follows from the key.
UPDATE tournament
SET state = 'running', tournament_key = %(key)s, closed_at = clock_timestamp()
WHERE id = %(tournament_id)s AND state = 'open';

-- name: update_tournament_paused
-- Keep a running tournament's jobs from being claimed, or let them be claimed again.
UPDATE tournament SET paused = %(paused)s WHERE id = %(tournament_id)s AND state = 'running';

-- name: interrupt_tournaments
-- Keep the jobs of every running tournament from being claimed until it is run again.
UPDATE tournament SET paused = true WHERE state = 'running' AND NOT paused RETURNING name;

-- name: select_paused
-- Tournaments of some formats that wait to be run again; a comparison stands still where its question is answered.
SELECT name FROM tournament WHERE (format = 'ladder') = %(ladders)s AND format <> 'compare' AND state = 'running' AND paused ORDER BY id DESC LIMIT 20;

-- name: update_tournament_finished
-- End a tournament whose matches are all played, or cancelled with a suspended version.
UPDATE tournament
SET state = 'finished', finished_at = clock_timestamp()
WHERE id = %(tournament_id)s AND state = 'running'
  AND NOT EXISTS (SELECT FROM job WHERE job.tournament_id = tournament.id
                  AND job.state IN ('queued', 'leased', 'failed'))
  AND NOT EXISTS (SELECT FROM pairing WHERE pairing.tournament_id = tournament.id
                  AND pairing.sets_planned < tournament.deal_sets
                  AND NOT pairing.entries && coalesce(
                      (SELECT array_agg(number) FROM entry
                       WHERE entry.tournament_id = tournament.id AND suspended_at IS NOT NULL), '{}'));

-- name: update_tournament_extended
-- Let a comparison play more deal sets, also when all that it had are played.
UPDATE tournament
SET deal_sets = %(deal_sets)s, finished_at = NULL,
    state = CASE state WHEN 'finished' THEN 'running' ELSE state END
WHERE id = %(tournament_id)s AND format = 'compare' AND state <> 'cancelled' AND deal_sets < %(deal_sets)s;

-- name: update_tournament_cancelled
-- Stop a tournament for good; what is played stays.
UPDATE tournament
SET state = 'cancelled', finished_at = clock_timestamp()
WHERE id = %(tournament_id)s AND state IN ('open', 'running');

-- name: select_pairings_to_plan
-- The pairings that are least far planned and not waiting for their first result, kept from other planners until this transaction ends.
SELECT pairing.tournament_id, pairing.number, pairing.entries, pairing.sets_planned, pairing.matches_done,
       pairing.play_us
FROM pairing JOIN tournament ON tournament.id = pairing.tournament_id
WHERE pairing.tournament_id = %(tournament_id)s AND tournament.state = 'running'
  AND pairing.sets_planned < tournament.deal_sets
  AND (pairing.sets_planned = 0 OR pairing.matches_done > 0)
  AND NOT pairing.entries && %(suspended)s::smallint[]
ORDER BY pairing.sets_planned, pairing.number
LIMIT %(limit)s
FOR UPDATE OF pairing SKIP LOCKED;

-- name: select_pairing
-- One pairing.
SELECT tournament_id, number, entries, sets_planned, matches_done, play_us
FROM pairing WHERE tournament_id = %(tournament_id)s AND number = %(number)s;

-- name: select_pairings
-- All pairings of a tournament.
SELECT tournament_id, number, entries, sets_planned, matches_done, play_us
FROM pairing WHERE tournament_id = %(tournament_id)s ORDER BY number;

-- name: count_meetings
-- Of each entry its pairings, without those that the suspension of another entry stopped.
SELECT seat.entry::integer, count(*)::integer
FROM pairing, unnest(pairing.entries) AS seat (entry)
WHERE pairing.tournament_id = %(tournament_id)s
  AND NOT EXISTS (SELECT FROM entry WHERE entry.tournament_id = pairing.tournament_id
                  AND suspended_at IS NOT NULL AND entry.number <> seat.entry
                  AND entry.number = ANY (pairing.entries))
GROUP BY seat.entry;

-- name: count_matches_left
-- What is left to play without the entries that play no more: matches, and pairings begun and not begun.
SELECT coalesce(sum(tournament.deal_sets * tournament.seats - pairing.matches_done), 0)::bigint AS matches,
       count(*) FILTER (WHERE pairing.sets_planned > 0) AS begun,
       count(*) FILTER (WHERE pairing.sets_planned = 0) AS waiting
FROM pairing JOIN tournament ON tournament.id = pairing.tournament_id
WHERE pairing.tournament_id = %(tournament_id)s
  AND pairing.matches_done < tournament.deal_sets * tournament.seats
  AND NOT pairing.entries && %(resting)s::smallint[];

-- name: select_pairings_left
-- The first pairings that have matches left, of those begun or of those not begun, in schedule order.
SELECT pairing.tournament_id, pairing.number, pairing.entries, pairing.sets_planned, pairing.matches_done,
       pairing.play_us
FROM pairing JOIN tournament ON tournament.id = pairing.tournament_id
WHERE pairing.tournament_id = %(tournament_id)s
  AND pairing.matches_done < tournament.deal_sets * tournament.seats
  AND NOT pairing.entries && %(resting)s::smallint[]
  AND (pairing.sets_planned > 0) = %(begun)s
ORDER BY pairing.number
LIMIT %(limit)s;

-- name: count_unfinished_pairings
-- How many pairings have deal sets to plan or jobs to play, as far as anybody wants to know.
SELECT least(count(*), %(at_most)s)::integer
FROM ((SELECT pairing.number FROM pairing JOIN tournament ON tournament.id = pairing.tournament_id
       WHERE pairing.tournament_id = %(tournament_id)s AND pairing.sets_planned < tournament.deal_sets
         AND NOT pairing.entries && coalesce(
             (SELECT array_agg(number) FROM entry
              WHERE entry.tournament_id = tournament.id AND suspended_at IS NOT NULL), '{}')
       LIMIT %(at_most)s)
      UNION
      (SELECT DISTINCT pairing FROM job
       WHERE job.tournament_id = %(tournament_id)s AND job.state IN ('queued', 'leased', 'failed')
       LIMIT %(at_most)s)) AS unfinished;

-- name: select_match_us
-- Of each entry what a match took its slowest pairing, among the newest ones of which something is played.
SELECT seat.entry::integer, max(newest.play_us::float8 / newest.matches_done)
FROM (SELECT entries, play_us, matches_done FROM pairing
      WHERE tournament_id = %(tournament_id)s AND sets_planned > 0 AND matches_done > 0
      ORDER BY sets_planned DESC, number DESC LIMIT 256) AS newest,
     unnest(newest.entries) AS seat (entry)
WHERE seat.entry = ANY (%(entries)s::smallint[])
GROUP BY seat.entry;

-- name: count_left
-- How many unfinished jobs and unplanned pairings a tournament has.
SELECT (SELECT count(*) FROM job WHERE job.tournament_id = tournament.id
        AND job.state IN ('queued', 'leased', 'failed'))
     + (SELECT count(*) FROM pairing WHERE pairing.tournament_id = tournament.id
        AND pairing.sets_planned < tournament.deal_sets
        AND NOT pairing.entries && coalesce(
            (SELECT array_agg(number) FROM entry
             WHERE entry.tournament_id = tournament.id AND suspended_at IS NOT NULL), '{}'))
FROM tournament WHERE id = %(tournament_id)s;

-- name: update_pairing_planned
-- Note how many deal sets of a pairing are in jobs.
UPDATE pairing SET sets_planned = %(sets_planned)s
WHERE tournament_id = %(tournament_id)s AND number = %(number)s;

-- name: update_pairing_played
-- Add what a job played: for the size of the next ones, and for the live table.
UPDATE pairing
SET matches_done = matches_done + %(matches)s, play_us = play_us + %(play_us)s,
    wins = ARRAY(SELECT coalesce(old, 0) + more
                 FROM unnest(wins, %(wins)s::bigint[]) WITH ORDINALITY AS sum (old, more, place) ORDER BY place),
    faults = ARRAY(SELECT coalesce(old, 0) + more
                   FROM unnest(faults, %(faults)s::integer[]) WITH ORDINALITY AS sum (old, more, place)
                   ORDER BY place)
WHERE tournament_id = %(tournament_id)s AND number = %(number)s;

-- name: suspend_entry
-- Suspend an entry whose processes died three times and more than once in 1,000 of its matches.
UPDATE entry SET suspended_at = clock_timestamp()
WHERE tournament_id = %(tournament_id)s AND number = %(entry)s AND suspended_at IS NULL
  AND (SELECT count(*) FROM death WHERE death.tournament_id = entry.tournament_id
       AND death.entry = entry.number AND death.annulled_at IS NULL) >= 3
  AND (SELECT count(*) FROM death WHERE death.tournament_id = entry.tournament_id
       AND death.entry = entry.number AND death.annulled_at IS NULL) * 1000
      > (SELECT coalesce(sum(matches_done), 0) FROM pairing
         WHERE pairing.tournament_id = entry.tournament_id AND pairing.entries @> ARRAY[entry.number])
RETURNING number;

-- name: cancel_jobs_of_entry
-- Cancel the jobs that a suspended entry will not play.
UPDATE job SET state = 'cancelled', reason = 'suspended', ended_at = clock_timestamp()
FROM pairing
WHERE job.tournament_id = %(tournament_id)s AND job.state IN ('queued', 'failed')
  AND pairing.tournament_id = job.tournament_id AND pairing.number = job.pairing
  AND pairing.entries @> ARRAY[%(entry)s]::smallint[];

-- name: select_progress
-- How far a tournament is. What a suspended entry has begun and not ended is not cancelled: it is played on.
SELECT totals.pairings,
       totals.pairings * tournament.deal_sets * tournament.seats AS matches,
       totals.done, greatest(totals.suspended - jobs.suspended, 0) AS cancelled,
       jobs.running, jobs.jobs_queued, jobs.jobs_leased, jobs.jobs_failed, jobs.jobs_cancelled,
       jobs.decisions
FROM tournament,
     LATERAL (SELECT coalesce(array_agg(number), '{}') AS entries FROM entry
              WHERE entry.tournament_id = tournament.id AND suspended_at IS NOT NULL) AS dead,
     LATERAL (SELECT count(*) AS pairings, coalesce(sum(matches_done), 0)::bigint AS done,
                     coalesce(sum(tournament.deal_sets * tournament.seats - matches_done)
                              FILTER (WHERE tournament.state = 'cancelled'
                                      OR pairing.entries && dead.entries), 0)::bigint AS suspended
              FROM pairing WHERE pairing.tournament_id = tournament.id) AS totals,
     LATERAL (SELECT coalesce(sum(job.matches) FILTER (WHERE job.state = 'leased' AND EXISTS (
                         SELECT FROM pairing WHERE pairing.tournament_id = job.tournament_id
                         AND pairing.number = job.pairing AND pairing.entries && dead.entries)), 0)::bigint
                         AS suspended,
                      coalesce(sum(progress) FILTER (WHERE job.state = 'leased'), 0)::bigint AS running,
                     coalesce(sum(decisions) FILTER (WHERE job.state = 'leased'), 0)::bigint AS decisions,
                     count(*) FILTER (WHERE job.state = 'queued') AS jobs_queued,
                     count(*) FILTER (WHERE job.state = 'leased') AS jobs_leased,
                     count(*) FILTER (WHERE job.state = 'failed') AS jobs_failed,
                     count(*) FILTER (WHERE job.state = 'cancelled') AS jobs_cancelled
              FROM job WHERE job.tournament_id = tournament.id) AS jobs
WHERE tournament.id = %(tournament_id)s;

-- name: select_entry_progress
-- The live table: matches, wins and faults of each entry, from the counters of its pairings, less what is
-- annulled.
WITH seat AS (
    SELECT taken.entry, pairing.matches_done AS matches, taken.wins, taken.faults
    FROM pairing, unnest(pairing.entries, pairing.wins, pairing.faults) AS taken (entry, wins, faults)
    WHERE pairing.tournament_id = %(tournament_id)s AND pairing.matches_done > 0
    UNION ALL
    SELECT taken.entry, -1,
           -CASE taken.place WHEN 1 THEN 2520 / cardinality(array_positions(match.places, 1::smallint)) ELSE 0 END,
           -(SELECT count(*) FROM fault WHERE fault.match_id = match.id AND fault.seat = taken.seat - 1)
    FROM match, unnest(match.entries, match.places) WITH ORDINALITY AS taken (entry, place, seat)
    WHERE match.tournament_id = %(tournament_id)s AND match.annulled_at IS NOT NULL)
SELECT entry.number,
       bot.name || '@' || version.number || CASE entry.twin WHEN 1 THEN ' (twin)' ELSE '' END AS label,
       coalesce(sum(seat.matches), 0)::bigint AS matches,
       coalesce(sum(seat.wins), 0)::double precision / 2520 AS wins,
       coalesce(sum(seat.faults), 0)::bigint AS faults,
       entry.suspended_at IS NOT NULL AS suspended,
       (SELECT count(*) FROM death WHERE death.tournament_id = entry.tournament_id
        AND death.entry = entry.number AND death.annulled_at IS NULL) AS deaths
FROM entry
JOIN bot_version AS version ON version.id = entry.version_id
JOIN bot ON bot.id = version.bot_id
LEFT JOIN seat ON seat.entry = entry.number
WHERE entry.tournament_id = %(tournament_id)s
GROUP BY entry.tournament_id, entry.number, bot.name, version.number
ORDER BY entry.number;

-- name: select_tournament_names
-- All listed names, newest first, for completion.
SELECT name FROM tournament WHERE format <> 'compare' ORDER BY id DESC LIMIT 1000;
