"""The ruleset as the hello carries it: name, digest, text, options, deck."""

from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.turn.parts import plus_one
from arena.rules.options import Ruleset


def ruleset_message(ruleset: Ruleset, name: str = "") -> pb.Ruleset:
    """Return the whole ruleset as a message; `name` is what people call it."""
    deck = [
        pb.DeckEntry(card=plus_one(card), count=count)
        for card, count in enumerate(ruleset.deck_copies)
        if count
    ]
    return pb.Ruleset(
        name=name,
        digest=ruleset.digest,
        text=ruleset.canonical_text(),
        options=ruleset.options(),
        deck=deck,
    )
