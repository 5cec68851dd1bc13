"""The worker: a Celery process that plays one job at a time, pinned to a core.

main.py      starts it: proves the sandbox, makes the application, runs until told to stop
keeper.py    in its main process, every few seconds: heartbeat, reconciler, messages
tasks.py     in its child: a message comes, a job is claimed, played, written
lease.py     in its child: a thread that keeps the lease while the job is played
"""
