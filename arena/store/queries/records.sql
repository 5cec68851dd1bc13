-- What bots did in all tournaments, from the counters of their pairings and from the facts of their faults.

-- name: select_bot_record
-- Tournaments in which a bot played, its matches, wins and faults, over all its versions; annulled matches do
-- not count.
WITH mine AS (
    SELECT entry.tournament_id, entry.number
    FROM bot_version AS version JOIN entry ON entry.version_id = version.id
    WHERE version.bot_id = %(bot_id)s
), counted AS (
    SELECT mine.tournament_id, pairing.matches_done AS matches, pairing.wins[place.number] AS wins,
           pairing.faults[place.number] AS faults
    FROM mine
    JOIN pairing ON pairing.tournament_id = mine.tournament_id AND pairing.matches_done > 0
                AND pairing.entries @> ARRAY[mine.number],
    LATERAL (SELECT array_position(pairing.entries, mine.number) AS number) AS place
    UNION ALL
    SELECT mine.tournament_id, -1,
           -CASE match.places[seat.number] WHEN 1 THEN 2520 / cardinality(array_positions(match.places, 1::smallint)) ELSE 0 END,
           -(SELECT count(*) FROM fault WHERE fault.match_id = match.id AND fault.seat = seat.number - 1)
    FROM mine
    JOIN match ON match.tournament_id = mine.tournament_id AND match.annulled_at IS NOT NULL
              AND match.entries @> ARRAY[mine.number],
    LATERAL (SELECT array_position(match.entries, mine.number) AS number) AS seat
)
SELECT count(*)::integer AS tournaments,
       coalesce(sum(matches), 0)::bigint AS matches,
       coalesce(sum(wins), 0)::double precision / 2520 AS wins,
       coalesce(sum(faults), 0)::bigint AS faults,
       (SELECT count(*) FROM counted WHERE matches < 0)::bigint AS annulled
FROM (SELECT sum(matches) AS matches, sum(wins) AS wins, sum(faults) AS faults
      FROM counted GROUP BY tournament_id HAVING sum(matches) > 0) AS played;

-- name: select_rivals
-- A bot against every other bot that it met, the one met most often first; annulled matches do not count.
WITH mine AS (
    SELECT entry.tournament_id, entry.number
    FROM bot_version AS version JOIN entry ON entry.version_id = version.id
    WHERE version.bot_id = %(bot_id)s
), met AS (
    SELECT pairing.tournament_id, other.number, pairing.matches_done AS matches,
           pairing.wins[array_position(pairing.entries, mine.number)] AS wins,
           pairing.wins[array_position(pairing.entries, other.number)] AS losses
    FROM mine
    JOIN pairing ON pairing.tournament_id = mine.tournament_id AND pairing.matches_done > 0
                AND pairing.entries @> ARRAY[mine.number],
    LATERAL unnest(pairing.entries) AS other (number)
    UNION ALL
    SELECT match.tournament_id, other.number, -1,
           -CASE match.places[array_position(match.entries, mine.number)] WHEN 1 THEN first.share ELSE 0 END,
           -CASE match.places[array_position(match.entries, other.number)] WHEN 1 THEN first.share ELSE 0 END
    FROM mine
    JOIN match ON match.tournament_id = mine.tournament_id AND match.annulled_at IS NOT NULL
              AND match.entries @> ARRAY[mine.number],
    LATERAL unnest(match.entries) AS other (number),
    LATERAL (SELECT 2520 / cardinality(array_positions(match.places, 1::smallint)) AS share) AS first
)
SELECT bot.name AS bot,
       sum(met.matches)::bigint AS matches,
       sum(met.wins)::double precision / 2520 AS wins,
       sum(met.losses)::double precision / 2520 AS losses
FROM met
JOIN entry AS other ON other.tournament_id = met.tournament_id AND other.number = met.number
JOIN bot_version AS theirs ON theirs.id = other.version_id AND theirs.bot_id <> %(bot_id)s
JOIN bot ON bot.id = theirs.bot_id
GROUP BY bot.id
HAVING sum(met.matches) > 0
ORDER BY matches DESC, lower(bot.name)
LIMIT %(limit)s;

-- name: select_faults_of_bot
-- How many matches a bot lost by each kind of fault, the most frequent first, without
-- annulled ones.
SELECT fault.kind, count(*)::bigint AS matches
FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
JOIN match ON match.tournament_id = entry.tournament_id AND entry.number = ANY (match.entries)
JOIN fault ON fault.match_id = match.id AND match.entries[fault.seat + 1] = entry.number
WHERE version.bot_id = %(bot_id)s AND match.annulled_at IS NULL
GROUP BY fault.kind
ORDER BY matches DESC, fault.kind;

-- name: select_usage_of_bot
-- What the processes of each version of a bot used at most in any job, the newest version first.
SELECT bot.name || '@' || version.number AS label, count(*)::integer AS jobs,
       (array_agg(usage.memory_bytes ORDER BY usage.memory_bytes DESC))[1] AS memory_bytes,
       (array_agg(usage.memory_limit ORDER BY usage.memory_bytes DESC))[1] AS memory_limit,
       (array_agg(usage.memory_source ORDER BY usage.memory_bytes DESC))[1] AS memory_source,
       sum(usage.processes_refused)::bigint AS processes_refused
FROM bot_version AS version
JOIN bot ON bot.id = version.bot_id
JOIN entry ON entry.version_id = version.id
JOIN usage ON usage.tournament_id = entry.tournament_id AND usage.entry = entry.number
WHERE version.bot_id = %(bot_id)s AND usage.memory_bytes > 0
GROUP BY bot.name, version.number
ORDER BY version.number DESC;

-- name: count_deaths_of_bot
-- How often a process of a bot died, without what is annulled.
SELECT count(*) FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
JOIN death ON death.tournament_id = entry.tournament_id AND death.entry = entry.number
WHERE version.bot_id = %(bot_id)s AND death.annulled_at IS NULL;
