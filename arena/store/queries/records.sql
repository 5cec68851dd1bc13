-- What bots did in all tournaments, from the counters of their pairings and from the facts of their faults.

-- name: select_bot_record
-- Tournaments, matches, wins and faults of a bot, over all its versions.
SELECT count(DISTINCT entry.tournament_id)::integer AS tournaments,
       coalesce(sum(pairing.matches_done), 0)::bigint AS matches,
       coalesce(sum(pairing.wins[place.number]), 0)::double precision / 2520 AS wins,
       coalesce(sum(pairing.faults[place.number]), 0)::bigint AS faults
FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
LEFT JOIN pairing ON pairing.tournament_id = entry.tournament_id AND pairing.matches_done > 0
                 AND pairing.entries @> ARRAY[entry.number]
LEFT JOIN LATERAL (SELECT array_position(pairing.entries, entry.number) AS number) AS place ON true
WHERE version.bot_id = %(bot_id)s;

-- name: select_rivals
-- A bot against every other bot that it met, the one met most often first.
SELECT bot.name AS bot,
       sum(pairing.matches_done)::bigint AS matches,
       sum(pairing.wins[array_position(pairing.entries, entry.number)])::double precision / 2520 AS wins,
       sum(pairing.wins[array_position(pairing.entries, other.number)])::double precision / 2520 AS losses
FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
JOIN pairing ON pairing.tournament_id = entry.tournament_id AND pairing.matches_done > 0
            AND pairing.entries @> ARRAY[entry.number]
JOIN entry AS other ON other.tournament_id = entry.tournament_id AND other.number = ANY (pairing.entries)
JOIN bot_version AS theirs ON theirs.id = other.version_id AND theirs.bot_id <> version.bot_id
JOIN bot ON bot.id = theirs.bot_id
WHERE version.bot_id = %(bot_id)s
GROUP BY bot.id
ORDER BY matches DESC, lower(bot.name)
LIMIT %(limit)s;

-- name: select_faults_of_bot
-- How many matches a bot lost by each kind of fault, the most frequent first.
SELECT fault.kind, count(*)::bigint AS matches
FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
JOIN match ON match.tournament_id = entry.tournament_id AND entry.number = ANY (match.entries)
JOIN fault ON fault.match_id = match.id AND match.entries[fault.seat + 1] = entry.number
WHERE version.bot_id = %(bot_id)s
GROUP BY fault.kind
ORDER BY matches DESC, fault.kind;

-- name: count_deaths_of_bot
-- How often a process of a bot died.
SELECT count(*) FROM bot_version AS version
JOIN entry ON entry.version_id = version.id
JOIN death ON death.tournament_id = entry.tournament_id AND death.entry = entry.number
WHERE version.bot_id = %(bot_id)s;
