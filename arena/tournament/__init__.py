"""What is to be played, in which order and seats and with which keys: pure, the same on every machine.

    formats.py    entries -> pairings, in schedule order
    planning.py   a pairing's deal sets -> blocks -> jobs, one a rotation; replanning; refused clocks
    seating.py    a deal set and a rotation -> who sits where
    seeds.py      every key by name from the tournament's secret, and what is published of it

Nothing here knows of a database, a queue or a process; those who do call these functions (`arena.service`).
"""
