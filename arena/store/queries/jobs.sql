-- The queue: jobs with lease and fence, the outbox, the workers' heartbeats.

-- name: insert_job
-- Plan a job.
INSERT INTO job (tournament_id, pairing, rotation, sets, matches, rules_epoch, protocol, runtimes, isolation)
VALUES (%(tournament_id)s, %(pairing)s, %(rotation)s, %(sets)s::int4multirange, %(matches)s, %(rules_epoch)s,
        %(protocol)s, %(runtimes)s, %(isolation)s)
RETURNING id;

-- name: await_jobs
-- Let the queued jobs of a tournament that was paused wait from now on, not since it was paused.
UPDATE job SET not_before = greatest(not_before, now()) WHERE tournament_id = %(tournament_id)s AND state = 'queued';

-- name: claim_job
-- Lease a ready job: the wanted one, or the oldest. Ready means that no other rotation of its sets is leased.
WITH ready AS (
    SELECT candidate.id FROM job AS candidate
    WHERE candidate.state = 'queued'
      AND (%(wanted)s::bigint IS NULL OR candidate.id = %(wanted)s)
      AND candidate.not_before <= clock_timestamp()
      AND candidate.rules_epoch = %(rules_epoch)s
      AND candidate.protocol = ANY (%(protocols)s)
      AND candidate.runtimes <@ %(runtimes)s::text[]
      AND candidate.isolation = ANY (%(isolations)s)
      AND NOT EXISTS (SELECT FROM tournament WHERE tournament.id = candidate.tournament_id AND tournament.paused)
      AND NOT EXISTS (
          SELECT FROM job AS other
          WHERE other.state = 'leased' AND other.tournament_id = candidate.tournament_id
            AND other.pairing = candidate.pairing AND other.sets && candidate.sets)
    ORDER BY candidate.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED)
UPDATE job
SET state = 'leased', fence = fence + 1, attempts = attempts + 1, owner = %(owner)s, reason = '',
    lease_until = clock_timestamp() + make_interval(secs => %(lease_s)s),
    started_at = clock_timestamp(), progress = 0, decisions = 0
FROM ready
WHERE job.id = ready.id
RETURNING job.id;

-- name: select_jobs
-- Jobs by their numbers.
SELECT id, tournament_id, pairing, rotation,
       ARRAY(SELECT generate_series(lower(part), upper(part) - 1)
             FROM unnest(sets) AS part ORDER BY 1) AS sets,
       matches, state, fence, lease_until, owner, attempts, infra, lost, rules_epoch, protocol, runtimes,
       isolation, progress, decisions, reason
FROM job WHERE id = ANY (%(ids)s) ORDER BY id;

-- name: renew_lease
-- Keep a lease and tell how far the job is; no row means that the lease is somebody else's.
UPDATE job
SET lease_until = clock_timestamp() + make_interval(secs => %(lease_s)s),
    progress = greatest(progress, %(progress)s), decisions = greatest(decisions, %(decisions)s)
WHERE id = %(job_id)s AND fence = %(fence)s AND state = 'leased'
RETURNING id;

-- name: finish_job
-- End a job under the fence; no row means that somebody else owns it, and nothing may be written.
UPDATE job
SET state = %(state)s, lease_until = NULL, ended_at = clock_timestamp(), result_sha256 = %(sha256)s,
    progress = %(progress)s, reason = %(reason)s
WHERE id = %(job_id)s AND fence = %(fence)s AND state = 'leased'
RETURNING id;

-- name: select_finished
-- Whether this very result was written: the answer when a commit's reply was lost.
SELECT EXISTS (SELECT FROM job WHERE id = %(job_id)s AND fence = %(fence)s AND result_sha256 = %(sha256)s);

-- name: hand_back_job
-- Give a lease back unused: it counts as never taken.
UPDATE job
SET state = 'queued', lease_until = NULL, owner = NULL, attempts = attempts - 1, reason = %(reason)s,
    published_at = NULL,
    not_before = clock_timestamp() + make_interval(secs => %(pause_s)s)
WHERE id = %(job_id)s AND fence = %(fence)s AND state = 'leased'
RETURNING id;

-- name: fail_lease
-- Give a lease back because the platform failed; too often, and the job is failed.
UPDATE job
SET infra = infra + 1, reason = %(reason)s, owner = NULL, lease_until = NULL, published_at = NULL,
    state = CASE WHEN infra + 1 >= %(infra_cap)s THEN 'failed' ELSE 'queued' END,
    not_before = clock_timestamp() + make_interval(secs => %(pause_s)s)
WHERE id = %(job_id)s AND fence = %(fence)s AND state = 'leased'
RETURNING id;

-- name: note_cut
-- Hand the failures of a job that was cut with nothing finished to those that replace it; too often, and they
-- are failed.
UPDATE job
SET infra = %(infra)s::smallint, reason = %(reason)s,
    state = CASE WHEN %(infra)s::smallint >= %(infra_cap)s::smallint THEN 'failed' ELSE 'queued' END
WHERE id = ANY (%(jobs)s::bigint[])
RETURNING id, state;

-- name: expire_leases
-- End the leases of a worker that is known to be dead: they are taken back with those that ran out.
UPDATE job SET lease_until = clock_timestamp() WHERE state = 'leased' AND owner = %(worker)s;

-- name: take_back_expired
-- Queue again what nobody renewed: a vanished worker lost it, a worker that still lives failed it.
WITH expired AS (
    SELECT job.id,
           EXISTS (SELECT FROM worker WHERE worker.id = job.owner AND worker.state <> 'gone'
                   AND worker.seen_at > job.lease_until) AS lives
    FROM job WHERE job.state = 'leased' AND job.lease_until < clock_timestamp()
    FOR UPDATE OF job SKIP LOCKED)
UPDATE job
SET infra = infra + (expired.lives)::integer, lost = lost + (NOT expired.lives)::integer,
    owner = NULL, lease_until = NULL,
    reason = CASE WHEN expired.lives THEN 'infra: its worker did not renew the lease'
                  ELSE 'its worker ' || coalesce(job.owner, '') || ' vanished' END,
    state = CASE WHEN expired.lives AND infra + 1 >= %(infra_cap)s THEN 'failed'
                 WHEN NOT expired.lives AND lost + 1 >= %(lost_cap)s THEN 'failed'
                 ELSE 'queued' END
FROM expired
WHERE job.id = expired.id
RETURNING job.id, job.state;

-- name: reset_failed
-- Try failed jobs again and forget how often the platform failed them.
UPDATE job SET state = 'queued', infra = 0, lost = 0, not_before = '-infinity', reason = ''
WHERE tournament_id = %(tournament_id)s AND state = 'failed'
RETURNING id;

-- name: forget_failures
-- Give the queued jobs of a tournament all their attempts again.
UPDATE job SET infra = 0, lost = 0, not_before = '-infinity'
WHERE tournament_id = %(tournament_id)s AND state = 'queued' AND (infra > 0 OR lost > 0);

-- name: cancel_jobs
-- Cancel what a tournament has not begun.
UPDATE job SET state = 'cancelled', reason = 'tournament cancelled', ended_at = clock_timestamp()
WHERE tournament_id = %(tournament_id)s AND state IN ('queued', 'failed');

-- name: cancel_leases
-- Take the jobs under way from their workers, whose next heartbeat is refused.
UPDATE job SET state = 'cancelled', reason = 'tournament cancelled', lease_until = NULL,
               ended_at = clock_timestamp()
WHERE tournament_id = %(tournament_id)s AND state = 'leased';

-- name: select_next_ready
-- The oldest queued job that shares deal sets with the one that just ended.
SELECT other.id FROM job AS ended JOIN job AS other
    ON other.tournament_id = ended.tournament_id AND other.pairing = ended.pairing AND other.sets && ended.sets
WHERE ended.id = %(job_id)s AND other.state = 'queued'
ORDER BY other.id LIMIT 1;

-- name: count_ready
-- How many jobs of a tournament could be claimed now.
SELECT count(*)::integer FROM (
    SELECT DISTINCT candidate.pairing, candidate.sets FROM job AS candidate
    WHERE candidate.tournament_id = %(tournament_id)s AND candidate.state = 'queued'
      AND NOT EXISTS (
          SELECT FROM job AS other
          WHERE other.state = 'leased' AND other.tournament_id = candidate.tournament_id
            AND other.pairing = candidate.pairing AND other.sets && candidate.sets)) AS ready;

-- name: select_ready
-- Queued jobs of a tournament that could be claimed now, of each deal sets the oldest, whose message is not to be
-- sent anyway.
SELECT DISTINCT ON (candidate.pairing, candidate.sets) candidate.id FROM job AS candidate
WHERE candidate.tournament_id = %(tournament_id)s AND candidate.state = 'queued'
  AND NOT EXISTS (SELECT FROM outbox WHERE outbox.job_id = candidate.id)
  AND NOT EXISTS (
      SELECT FROM job AS other
      WHERE other.state = 'leased' AND other.tournament_id = candidate.tournament_id
        AND other.pairing = candidate.pairing AND other.sets && candidate.sets)
ORDER BY candidate.pairing, candidate.sets, candidate.id;

-- name: count_unfinished
-- How many jobs of a tournament are not over, counted up to 100.
SELECT count(*)::integer FROM (
    SELECT FROM job WHERE tournament_id = %(tournament_id)s AND state IN ('queued', 'leased', 'failed')
    LIMIT 100) AS unfinished;

-- name: insert_outbox
-- Send these jobs' messages once this transaction is committed.
INSERT INTO outbox (job_id) SELECT unnest(%(ids)s::bigint[]);

-- name: select_outbox
-- Messages to send, oldest first.
SELECT id, job_id FROM outbox ORDER BY id LIMIT %(limit)s;

-- name: delete_outbox
-- Forget messages that were sent.
DELETE FROM outbox WHERE id = ANY (%(ids)s);

-- name: note_published
-- Remember when these jobs' messages were sent.
UPDATE job SET published_at = clock_timestamp() WHERE id = ANY (%(ids)s);

-- name: select_to_publish
-- Ready jobs whose message must be lost: sent long ago or never, while a worker that could take them is idle.
SELECT candidate.id FROM job AS candidate
WHERE candidate.state = 'queued' AND candidate.not_before <= clock_timestamp()
  AND NOT EXISTS (SELECT FROM tournament WHERE tournament.id = candidate.tournament_id AND tournament.paused)
  AND coalesce(candidate.published_at, candidate.created_at)
      < clock_timestamp() - make_interval(secs => %(resend_s)s)
  AND NOT EXISTS (SELECT FROM outbox WHERE outbox.job_id = candidate.id)
  AND EXISTS (SELECT FROM worker WHERE worker.state = 'idle'
              AND worker.seen_at > clock_timestamp() - make_interval(secs => %(fresh_s)s)
              AND worker.rules_epoch = candidate.rules_epoch AND candidate.protocol <= worker.protocol
              AND candidate.runtimes <@ worker.runtimes
              AND array_position(%(levels)s::text[], worker.level)
                  <= array_position(%(levels)s::text[], candidate.isolation))
  AND NOT EXISTS (
      SELECT FROM job AS other
      WHERE other.state = 'leased' AND other.tournament_id = candidate.tournament_id
        AND other.pairing = candidate.pairing AND other.sets && candidate.sets)
ORDER BY candidate.id
LIMIT %(limit)s;

-- name: refuse_message
-- Count a message as never sent, because a worker got it that can never play its job.
UPDATE job SET published_at = '-infinity'
WHERE id = %(job_id)s AND state = 'queued'
  AND NOT (rules_epoch = %(rules_epoch)s AND protocol = ANY (%(protocols)s)
           AND runtimes <@ %(runtimes)s::text[] AND isolation = ANY (%(isolations)s))
RETURNING id;

-- name: try_reconciler_lock
-- Be the one reconciler of this moment.
SELECT pg_try_advisory_xact_lock(%(lock)s);

-- name: upsert_worker
-- A worker's heartbeat; whether it is busy is read off its lease.
INSERT INTO worker (id, host, pid, core, arena, rules_epoch, protocol, runtimes, level, state, reason)
VALUES (%(id)s, %(host)s, %(pid)s, %(core)s, %(arena)s, %(rules_epoch)s, %(protocol)s, %(runtimes)s, %(level)s,
        CASE %(pause)s::text WHEN '' THEN 'idle' ELSE 'paused' END,
        CASE %(pause)s::text WHEN '' THEN %(notice)s::text ELSE %(pause)s::text END)
ON CONFLICT (id) DO UPDATE SET
    host = excluded.host, pid = excluded.pid, core = excluded.core, arena = excluded.arena,
    rules_epoch = excluded.rules_epoch, protocol = excluded.protocol, runtimes = excluded.runtimes,
    level = excluded.level, seen_at = clock_timestamp(), reason = excluded.reason,
    state = CASE WHEN excluded.state = 'paused' THEN 'paused'
                 WHEN EXISTS (SELECT FROM job WHERE job.id = worker.job_id AND job.state = 'leased'
                              AND job.owner = worker.id) THEN 'busy'
                 ELSE 'idle' END;

-- name: note_worker
-- What a worker does now; one that has left stays gone while its child ends the last job.
UPDATE worker
SET state = CASE worker.state WHEN 'gone' THEN 'gone' ELSE %(state)s END, job_id = %(job_id)s, jobs_done = jobs_done + %(done)s,
    reason = CASE worker.state WHEN 'paused' THEN '' ELSE worker.reason END, seen_at = clock_timestamp()
WHERE id = %(id)s;

-- name: select_workers
-- Workers seen within an hour, with the age of their heartbeat and their own by the server's clock.
SELECT id, host, pid, core, arena, rules_epoch, protocol, runtimes, level, state, reason, job_id, jobs_done,
       started_at, extract(epoch FROM clock_timestamp() - seen_at)::double precision AS seen_s,
       extract(epoch FROM clock_timestamp() - started_at)::double precision AS up_s
FROM worker WHERE seen_at > clock_timestamp() - interval '1 hour' AND state <> 'gone'
ORDER BY id;

-- name: delete_old_workers
-- Forget workers that nobody has seen for a day.
DELETE FROM worker WHERE seen_at < clock_timestamp() - interval '1 day';

-- name: count_workers
-- How many workers live.
SELECT count(*)::integer FROM worker
WHERE state <> 'gone' AND seen_at > clock_timestamp() - make_interval(secs => %(fresh_s)s);

-- name: select_queue
-- The queue at a glance; jobs of a paused tournament wait for nobody, nor do those that must not begin yet.
SELECT count(*) FILTER (WHERE state = 'queued') AS queued,
       count(*) FILTER (WHERE state = 'leased') AS leased,
       count(*) FILTER (WHERE state = 'failed') AS failed,
       extract(epoch FROM clock_timestamp() - min(greatest(created_at, not_before))
           FILTER (WHERE state = 'queued' AND not_before <= clock_timestamp()))::double precision AS oldest_queued_s,
       extract(epoch FROM clock_timestamp() - min(started_at) FILTER (WHERE state = 'leased'))::double precision
           AS oldest_lease_s
FROM job WHERE state IN ('queued', 'leased', 'failed')
  AND NOT EXISTS (SELECT FROM tournament WHERE tournament.id = job.tournament_id AND tournament.paused);

-- name: select_running
-- Jobs under way, of one tournament or of all.
SELECT job.id, job.tournament_id, job.pairing,
       ARRAY(SELECT bot.name || '@' || version.number || CASE entry.twin WHEN 1 THEN ' (twin)' ELSE '' END
             FROM unnest(pairing.entries) WITH ORDINALITY AS seat (number, place)
             JOIN entry ON entry.tournament_id = job.tournament_id AND entry.number = seat.number
             JOIN bot_version AS version ON version.id = entry.version_id
             JOIN bot ON bot.id = version.bot_id
             ORDER BY seat.place) AS bots,
       job.rotation, job.matches, job.progress, job.decisions, coalesce(job.owner, '') AS worker,
       extract(epoch FROM clock_timestamp() - job.started_at)::double precision AS running_s,
       extract(epoch FROM job.lease_until - clock_timestamp())::double precision AS lease_left_s
FROM job JOIN pairing ON pairing.tournament_id = job.tournament_id AND pairing.number = job.pairing
WHERE job.state = 'leased' AND (%(tournament_id)s::integer IS NULL OR job.tournament_id = %(tournament_id)s)
ORDER BY job.id;

-- name: select_running_tournaments
-- Tournaments under way, oldest first.
SELECT id FROM tournament WHERE state = 'running' ORDER BY id;

-- name: select_needs
-- What queued jobs need of a worker, to say why nobody takes them.
SELECT DISTINCT rules_epoch, protocol, runtimes, isolation FROM job
WHERE state = 'queued'
  AND NOT EXISTS (SELECT FROM tournament WHERE tournament.id = job.tournament_id AND tournament.paused);

-- name: select_fruitless
-- Tournaments with jobs that replace one that was cut with nothing finished.
SELECT tournament.name, max(job.infra) AS times, max(job.reason) AS reason
FROM job JOIN tournament ON tournament.id = job.tournament_id
WHERE job.state IN ('queued', 'leased') AND job.infra > 0 AND job.reason LIKE 'infra: cut %%'
GROUP BY tournament.name ORDER BY tournament.name LIMIT 20;

-- name: select_failed
-- Failed jobs and why.
SELECT job.id, tournament.name AS tournament, job.reason
FROM job JOIN tournament ON tournament.id = job.tournament_id
WHERE job.state = 'failed' ORDER BY job.id LIMIT 20;
