-- What a tournament grants at most to a bot that asks for more than the defaults.

ALTER TABLE tournament
    ADD COLUMN memory_mib integer NOT NULL DEFAULT 512
        CONSTRAINT tournament_memory_positive CHECK (memory_mib > 0),
    ADD COLUMN processes integer NOT NULL DEFAULT 64
        CONSTRAINT tournament_processes_positive CHECK (processes > 0),
    ADD COLUMN cpu_millis integer NOT NULL DEFAULT 1000
        CONSTRAINT tournament_cpu_positive CHECK (cpu_millis > 0);
COMMENT ON COLUMN tournament.memory_mib IS 'Ceiling of the memory that a bot may ask for, in MiB';
COMMENT ON COLUMN tournament.processes IS 'Ceiling of its processes and threads';
COMMENT ON COLUMN tournament.cpu_millis IS 'Ceiling of its processor time, in thousandths of a core';
