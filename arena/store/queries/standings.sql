-- What standings are computed from.

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
