-- What nothing needs any more: never a fact.

-- name: select_spare_jobs
-- Jobs of tournaments that are over, and their bytes; who played their matches is kept elsewhere.
SELECT count(*), coalesce(sum(pg_column_size(job.*)), 0)::bigint
FROM job JOIN tournament ON tournament.id = job.tournament_id
WHERE tournament.state IN ('finished', 'cancelled') AND job.state <> 'leased';

-- name: delete_spare_jobs
-- Remove them.
DELETE FROM job USING tournament
WHERE tournament.id = job.tournament_id AND tournament.state IN ('finished', 'cancelled')
  AND job.state <> 'leased';

-- name: select_spare_bundles
-- Programs of versions that failed their check a day ago or earlier, and their bytes; report and digest stay.
SELECT count(*), coalesce(sum(length(content)), 0)::bigint FROM bundle
WHERE NOT EXISTS (SELECT FROM bot_version AS version WHERE version.digest = bundle.digest
                  AND (version.state <> 'failed' OR version.checked_at > clock_timestamp() - interval '1 day'
                       OR EXISTS (SELECT FROM entry WHERE entry.version_id = version.id)))
  AND EXISTS (SELECT FROM bot_version AS version WHERE version.digest = bundle.digest);

-- name: delete_spare_bundles
-- Remove them.
DELETE FROM bundle
WHERE NOT EXISTS (SELECT FROM bot_version AS version WHERE version.digest = bundle.digest
                  AND (version.state <> 'failed' OR version.checked_at > clock_timestamp() - interval '1 day'
                       OR EXISTS (SELECT FROM entry WHERE entry.version_id = version.id)))
  AND EXISTS (SELECT FROM bot_version AS version WHERE version.digest = bundle.digest);

-- name: select_needed_digests
-- The bundles that a job may ask for.
SELECT DISTINCT encode(digest, 'hex') FROM bot_version WHERE state = 'checked'
UNION
SELECT encode(version.digest, 'hex') FROM entry JOIN bot_version AS version ON version.id = entry.version_id;
