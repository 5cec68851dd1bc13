"""A bot as a process: the sandbox that shuts it in, and the conversation that the arena has with it.

The sandbox half is `level`, `probe`, `policy`, `seccomp`, `process`, `cgroup`, `limits`, `runtimes`; the
talking half is `connection` and the driver of tables. A bot's misbehaviour is a value, never an exception.
"""
