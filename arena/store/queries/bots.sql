-- Bots, their versions and their bundles.

-- name: select_bots
-- Every bot with the number of its versions and the newest that passed its check.
SELECT bot.id, bot.name, bot.owner, bot.created_at,
       count(version.id)::integer AS versions,
       max(version.number) FILTER (WHERE version.state = 'checked') AS newest_checked,
       (count(*) FILTER (WHERE version.state = 'retired'))::integer AS retired
FROM bot LEFT JOIN bot_version AS version ON version.bot_id = bot.id
WHERE %(name)s::text IS NULL OR lower(bot.name) = lower(%(name)s)
GROUP BY bot.id
ORDER BY lower(bot.name);

-- name: select_bot_names
-- All names, for suggestions.
SELECT name FROM bot ORDER BY lower(name);

-- name: select_version_names
-- All versions by the names that people write, for suggestions.
SELECT bot.name || '@' || version.number
FROM bot_version AS version JOIN bot ON bot.id = version.bot_id
ORDER BY lower(bot.name), version.number DESC;

-- name: insert_bot
-- Take a name, unless somebody has it.
INSERT INTO bot (name, owner) VALUES (%(name)s, %(owner)s) ON CONFLICT DO NOTHING;

-- name: lock_bot
-- Keep others from numbering a version of this bot at the same time.
SELECT id FROM bot WHERE id = %(bot_id)s FOR UPDATE;

-- name: insert_bundle
-- Keep the bytes under their digest; the same bytes twice are kept once.
INSERT INTO bundle (digest, content) VALUES (%(digest)s, %(content)s) ON CONFLICT DO NOTHING;

-- name: select_bundle
-- The bytes of a digest.
SELECT content FROM bundle WHERE digest = %(digest)s;

-- name: insert_version
-- Add the next version of a bot, unless these bytes are one already.
INSERT INTO bot_version (bot_id, number, digest, manifest, runtime)
SELECT %(bot_id)s, coalesce(max(number), 0) + 1, %(digest)s, %(manifest)s, %(runtime)s
FROM bot_version WHERE bot_id = %(bot_id)s
ON CONFLICT ON CONSTRAINT bot_version_digest_key DO NOTHING
RETURNING id;

-- name: select_versions
-- Versions of a bot, newest first, by number or digest where one is given.
SELECT version.id, version.bot_id, bot.name AS bot, bot.owner, version.number, version.digest,
       version.manifest, version.runtime, version.state, version.check_report, version.stderr,
       version.submitted_at, version.checked_at
FROM bot_version AS version JOIN bot ON bot.id = version.bot_id
WHERE (%(name)s::text IS NULL OR lower(bot.name) = lower(%(name)s))
  AND (%(bot_id)s::integer IS NULL OR bot.id = %(bot_id)s)
  AND (%(number)s::integer IS NULL OR version.number = %(number)s)
  AND (%(digest)s::text IS NULL OR starts_with(encode(version.digest, 'hex'), %(digest)s))
  AND (%(state)s::text IS NULL OR version.state = %(state)s)
ORDER BY lower(bot.name), version.number DESC;

-- name: update_version_checked
-- Write down how the check game went.
UPDATE bot_version
SET state = %(state)s, check_report = %(report)s, stderr = %(stderr)s, checked_at = clock_timestamp()
WHERE id = %(version_id)s AND state <> 'retired';

-- name: update_versions_retired
-- Take versions that passed their check out of every new tournament, or bring them back: one, or all of a bot.
UPDATE bot_version SET state = %(after)s
WHERE bot_id = %(bot_id)s AND state = %(before)s
  AND (%(version_id)s::integer IS NULL OR id = %(version_id)s);
