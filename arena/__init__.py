"""Wildcard Arena: bots in any language compete at UNO, each in its own sandbox.

The map, from the pure core to the shells (imports point downwards only, checked by the build):

    cli | worker                              shells: parse, call one use case, present
    broker                                    the Celery application; carries a job's id and nothing else
    service                                   use cases: one function, one transaction
    store | botproc | embedded | bundle       PostgreSQL | bots as processes | embedded servers | zips
    bot                                       the author's SDK
    protocol                                  wire <-> domain
    match                                     referee, clocks, faults, results; no I/O
    ratings | tournament                      pure: the standing | the schedule
    rules                                     pure: the game
    config, files, errors                     settings, reading what people name, the exception tree

To find a rule of the game open `arena.rules`; its index maps each id of the rule sheet to a function.
"""

__version__ = "0.1.0"
