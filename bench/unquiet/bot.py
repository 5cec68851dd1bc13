"""Plays soundly while its processes do their worst: `bot.py [spin|fork|churn|hog|shout]`, sandboxed only."""

import subprocess
import sys

from arena.bot import Bot, Choice, View, serve

# The crowds step back behind the bot's own answers: kept from answering, it would run out of time.
SPIN = """
import os
for _ in range(20):
    try:
        if os.fork() == 0:
            break
    except OSError:
        break
while True:
    pass
"""
FORK = """
import os
os.nice(19)
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
CHURN = """
import os
os.nice(19)
for _ in range(16):
    if os.fork() == 0:
        break
while True:
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        os._exit(0)
"""
HOG = """
kept = [bytearray(b"x" * (1 << 20)) for _ in range(80)]
while True:
    for block in kept:
        for place in range(0, len(block), 4096):
            block[place] ^= 1
"""
SHOUT = """
import os
while True:
    os.write(2, b"x" * (1 << 20))
"""
ASIDE = {"spin": SPIN, "fork": FORK, "churn": CHURN, "hog": HOG, "shout": SHOUT}


class Unquiet(Bot):
    """First legal moves; the rest of its time belongs to what it has started."""

    started = False

    def move(self, view: View) -> Choice:
        """Start it all at the first turn, then lay the first card that may be laid."""
        if not Unquiet.started:
            Unquiet.started = True
            if len(sys.argv) > 1:
                subprocess.Popen([sys.executable, "-c", ASIDE[sys.argv[1]]])
        return view.playable[0] if view.playable else view.legal[0]


serve(Unquiet)
