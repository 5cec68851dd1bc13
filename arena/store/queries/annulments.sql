-- Annulments: which matches count no longer.

-- name: lock_annulments
-- Make other annulments wait, so that two which cover the same play see each other.
SELECT pg_advisory_xact_lock(hashtextextended('annulment', 0));

-- name: insert_annulment
-- Write what is annulled, and why; one that is refused takes no number with it, as that of a sequence would be.
INSERT INTO annulment (id, reason, tournament_id, version_id, worker, played_from, played_until)
OVERRIDING SYSTEM VALUE
SELECT coalesce(max(id), 0) + 1, %(reason)s, %(tournament_id)s, %(version_id)s, %(worker)s,
       %(played_from)s, %(played_until)s
FROM annulment
RETURNING id;

-- name: insert_annulled_plays
-- Write which plays an annulment covers: those with a match or a death that meets all that was asked.
INSERT INTO annulled_play (annulment_id, job_id)
SELECT annulment.id, match.job_id
FROM annulment, match
JOIN play ON play.job_id = match.job_id
WHERE annulment.id = %(annulment_id)s
  AND (annulment.tournament_id IS NULL OR match.tournament_id = annulment.tournament_id)
  AND (annulment.worker IS NULL OR play.worker = annulment.worker)
  AND (annulment.played_from IS NULL OR match.played_at >= annulment.played_from)
  AND (annulment.played_until IS NULL OR match.played_at < annulment.played_until)
  AND (annulment.version_id IS NULL OR EXISTS (
      SELECT FROM entry WHERE entry.tournament_id = match.tournament_id
      AND entry.number = ANY (match.entries) AND entry.version_id = annulment.version_id))
UNION
SELECT annulment.id, death.job_id
FROM annulment, death
JOIN play ON play.job_id = death.job_id
WHERE annulment.id = %(annulment_id)s
  AND (annulment.tournament_id IS NULL OR death.tournament_id = annulment.tournament_id)
  AND (annulment.worker IS NULL OR play.worker = annulment.worker)
  AND (annulment.played_from IS NULL OR death.died_at >= annulment.played_from)
  AND (annulment.played_until IS NULL OR death.died_at < annulment.played_until)
  AND (annulment.version_id IS NULL OR EXISTS (
      SELECT FROM entry WHERE entry.tournament_id = death.tournament_id
      AND entry.number = death.entry AND entry.version_id = annulment.version_id));

-- name: select_annulled_sets
-- The deal sets of a tournament's first pairing of which something is annulled.
SELECT DISTINCT deal_set FROM match
WHERE tournament_id = %(tournament_id)s AND pairing = 0 AND annulled_at IS NOT NULL;

-- name: annul_matches
-- Mark the matches of an annulment that counted so far.
UPDATE match SET annulled_at = clock_timestamp()
FROM annulled_play AS mine
WHERE mine.annulment_id = %(annulment_id)s AND match.job_id = mine.job_id AND match.annulled_at IS NULL;

-- name: annul_deaths
-- Mark the deaths of an annulment that counted so far.
UPDATE death SET annulled_at = clock_timestamp()
FROM annulled_play AS mine
WHERE mine.annulment_id = %(annulment_id)s AND death.job_id = mine.job_id AND death.annulled_at IS NULL;

-- name: update_annulment_undone
-- Let an annulment stand no longer.
UPDATE annulment SET undone_at = clock_timestamp() WHERE id = %(annulment_id)s AND undone_at IS NULL;

-- name: restore_matches
-- Let the matches of an undone annulment count again, unless another one covers them.
UPDATE match SET annulled_at = NULL
FROM annulled_play AS mine
WHERE mine.annulment_id = %(annulment_id)s AND match.job_id = mine.job_id
  AND NOT EXISTS (SELECT FROM annulled_play AS other JOIN annulment ON annulment.id = other.annulment_id
                  WHERE other.job_id = mine.job_id AND annulment.undone_at IS NULL);

-- name: restore_deaths
-- Let the deaths of an undone annulment count again, unless another one covers them.
UPDATE death SET annulled_at = NULL
FROM annulled_play AS mine
WHERE mine.annulment_id = %(annulment_id)s AND death.job_id = mine.job_id
  AND NOT EXISTS (SELECT FROM annulled_play AS other JOIN annulment ON annulment.id = other.annulment_id
                  WHERE other.job_id = mine.job_id AND annulment.undone_at IS NULL);

-- name: select_annulments
-- Annulments, newest first: one by its number, or all.
SELECT annulment.id, annulment.reason, tournament.name AS tournament,
       CASE WHEN version.id IS NOT NULL THEN bot.name || '@' || version.number END AS bot,
       annulment.worker, annulment.played_from, annulment.played_until,
       (SELECT count(*) FROM annulled_play JOIN match ON match.job_id = annulled_play.job_id
        WHERE annulled_play.annulment_id = annulment.id) AS matches,
       annulment.created_at, annulment.undone_at
FROM annulment
LEFT JOIN tournament ON tournament.id = annulment.tournament_id
LEFT JOIN bot_version AS version ON version.id = annulment.version_id
LEFT JOIN bot ON bot.id = version.bot_id
WHERE %(annulment_id)s::integer IS NULL OR annulment.id = %(annulment_id)s
ORDER BY annulment.id DESC;

-- name: count_annulled_of_entries
-- How many matches of each entry in each pairing of a tournament are annulled that would be rated.
SELECT entry, pairing, count(*) FROM match, unnest(entries) AS entry
WHERE tournament_id = %(tournament_id)s AND annulled_at IS NOT NULL
  AND (level <> 'none' OR NOT %(rated)s::boolean)
GROUP BY entry, pairing;

-- name: count_annulled
-- How many matches of a tournament are annulled.
SELECT count(*) FROM match WHERE tournament_id = %(tournament_id)s AND annulled_at IS NOT NULL;
