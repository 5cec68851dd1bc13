"""The versions of the bot protocol that this arena speaks.

A change that an existing bot would not survive raises `NEWEST`; `OLDEST` rises when an old version is no
longer served. Jobs and matches record the version.
"""

OLDEST = 1
"""The oldest version that is still spoken."""
NEWEST = 1
"""The version described by protos/arena/v1/bot.proto as it stands."""
