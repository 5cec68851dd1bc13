-- What standings are computed from.

-- name: select_newest_records
-- Entries, think time and records of the newest matches whose deal sets are complete.
WITH complete AS (
    SELECT pairing, deal_set, max(id) AS newest FROM match
    WHERE tournament_id = %(tournament_id)s AND annulled_at IS NULL
      AND (level <> 'none' OR NOT %(rated)s::boolean)
    GROUP BY pairing, deal_set
    HAVING count(*) = %(seats)s
    ORDER BY newest DESC
    LIMIT %(sets)s)
SELECT match.entries, match.asked, match.wall_us, match_record.line
FROM complete
JOIN match ON match.tournament_id = %(tournament_id)s AND match.pairing = complete.pairing
          AND match.deal_set = complete.deal_set
JOIN match_record ON match_record.match_id = match.id
ORDER BY match.id DESC;

-- name: copy_match_columns
-- The facts of a tournament's matches as whole numbers of fixed width; seat columns are filled in by the caller.
COPY (
    SELECT match.rotation, match.pairing, match.deal_set, match.rounds, match.decisions,
           coalesce(faults.bits, 0), {seats}
    FROM match
    LEFT JOIN (SELECT match_id, bit_or(1 << seat) AS bits FROM fault GROUP BY match_id) AS faults
        ON faults.match_id = match.id
    WHERE match.tournament_id = %(tournament_id)s AND match.annulled_at IS NULL
      AND (match.level <> 'none' OR NOT %(rated)s::boolean)
) TO STDOUT (FORMAT BINARY);
