"""The rules of the game: pure, without clock, files or global randomness.

Five questions, five files: what may I do? `legal`; what happens? `effects`; what do I see? `view`; what is it
worth? `scoring`; which variant? `options`. A match is played through `Match` and seen through `View`.
"""

from arena.rules.engine import COMPILED, ENGINE

# isort: split
# The choice above decides from where the modules below come.
from arena.rules.cards import NO_CARD, NO_COLOUR, NotationError, format_card, parse_card
from arena.rules.events import Event, EventKind, format_event, parse_event
from arena.rules.keys import Stream, derive
from arena.rules.match import RULES_EPOCH, Match
from arena.rules.moves import MISPLAY, NO_SEAT, IllegalMoveError, format_move, parse_move
from arena.rules.option_kinds import RulesetError
from arena.rules.options import Ruleset
from arena.rules.playout import play_out
from arena.rules.presets import PRESETS, parse_ruleset, preset
from arena.rules.questions import PenaltyKind, QuestionKind
from arena.rules.record import Record, parse_record, record_of, replay
from arena.rules.round import Round
from arena.rules.variant import Variant
from arena.rules.view import Penalty, View

__all__ = [
    "COMPILED",
    "ENGINE",
    "MISPLAY",
    "NO_CARD",
    "NO_COLOUR",
    "NO_SEAT",
    "PRESETS",
    "RULES_EPOCH",
    "Event",
    "EventKind",
    "IllegalMoveError",
    "Match",
    "NotationError",
    "Penalty",
    "PenaltyKind",
    "QuestionKind",
    "Record",
    "Round",
    "Ruleset",
    "RulesetError",
    "Stream",
    "Variant",
    "View",
    "derive",
    "format_card",
    "format_event",
    "format_move",
    "parse_card",
    "parse_event",
    "parse_move",
    "parse_record",
    "parse_ruleset",
    "play_out",
    "preset",
    "record_of",
    "replay",
]
