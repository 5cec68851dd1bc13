from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Colour(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLOUR_NONE: _ClassVar[Colour]
    RED: _ClassVar[Colour]
    GREEN: _ClassVar[Colour]
    BLUE: _ClassVar[Colour]
    YELLOW: _ClassVar[Colour]

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_NONE: _ClassVar[Card]
    CARD_R0: _ClassVar[Card]
    CARD_R1: _ClassVar[Card]
    CARD_R2: _ClassVar[Card]
    CARD_R3: _ClassVar[Card]
    CARD_R4: _ClassVar[Card]
    CARD_R5: _ClassVar[Card]
    CARD_R6: _ClassVar[Card]
    CARD_R7: _ClassVar[Card]
    CARD_R8: _ClassVar[Card]
    CARD_R9: _ClassVar[Card]
    CARD_R_SKIP: _ClassVar[Card]
    CARD_R_REVERSE: _ClassVar[Card]
    CARD_R_DRAW_TWO: _ClassVar[Card]
    CARD_R_DRAW_ONE: _ClassVar[Card]
    CARD_G0: _ClassVar[Card]
    CARD_G1: _ClassVar[Card]
    CARD_G2: _ClassVar[Card]
    CARD_G3: _ClassVar[Card]
    CARD_G4: _ClassVar[Card]
    CARD_G5: _ClassVar[Card]
    CARD_G6: _ClassVar[Card]
    CARD_G7: _ClassVar[Card]
    CARD_G8: _ClassVar[Card]
    CARD_G9: _ClassVar[Card]
    CARD_G_SKIP: _ClassVar[Card]
    CARD_G_REVERSE: _ClassVar[Card]
    CARD_G_DRAW_TWO: _ClassVar[Card]
    CARD_G_DRAW_ONE: _ClassVar[Card]
    CARD_B0: _ClassVar[Card]
    CARD_B1: _ClassVar[Card]
    CARD_B2: _ClassVar[Card]
    CARD_B3: _ClassVar[Card]
    CARD_B4: _ClassVar[Card]
    CARD_B5: _ClassVar[Card]
    CARD_B6: _ClassVar[Card]
    CARD_B7: _ClassVar[Card]
    CARD_B8: _ClassVar[Card]
    CARD_B9: _ClassVar[Card]
    CARD_B_SKIP: _ClassVar[Card]
    CARD_B_REVERSE: _ClassVar[Card]
    CARD_B_DRAW_TWO: _ClassVar[Card]
    CARD_B_DRAW_ONE: _ClassVar[Card]
    CARD_Y0: _ClassVar[Card]
    CARD_Y1: _ClassVar[Card]
    CARD_Y2: _ClassVar[Card]
    CARD_Y3: _ClassVar[Card]
    CARD_Y4: _ClassVar[Card]
    CARD_Y5: _ClassVar[Card]
    CARD_Y6: _ClassVar[Card]
    CARD_Y7: _ClassVar[Card]
    CARD_Y8: _ClassVar[Card]
    CARD_Y9: _ClassVar[Card]
    CARD_Y_SKIP: _ClassVar[Card]
    CARD_Y_REVERSE: _ClassVar[Card]
    CARD_Y_DRAW_TWO: _ClassVar[Card]
    CARD_Y_DRAW_ONE: _ClassVar[Card]
    CARD_WILD: _ClassVar[Card]
    CARD_WILD_DRAW_FOUR: _ClassVar[Card]
    CARD_WILD_DRAW_TWO: _ClassVar[Card]
    CARD_SHUFFLE_HANDS: _ClassVar[Card]
    CARD_BLANK: _ClassVar[Card]

class QuestionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUESTION_NONE: _ClassVar[QuestionKind]
    TURN: _ClassVar[QuestionKind]
    DRAWN: _ClassVar[QuestionKind]
    PENALTY: _ClassVar[QuestionKind]
    CATCH: _ClassVar[QuestionKind]
    JUMP_IN: _ClassVar[QuestionKind]
    FIRST_COLOUR: _ClassVar[QuestionKind]
    EXCHANGE: _ClassVar[QuestionKind]
    READY_CHECK: _ClassVar[QuestionKind]

class Action(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_NONE: _ClassVar[Action]
    PLAY: _ClassVar[Action]
    DRAW: _ClassVar[Action]
    KEEP: _ClassVar[Action]
    ACCEPT: _ClassVar[Action]
    CHALLENGE: _ClassVar[Action]
    CATCH_MISSED: _ClassVar[Action]
    DECLINE: _ClassVar[Action]
    JUMP: _ClassVar[Action]
    NAME_COLOUR: _ClassVar[Action]
    GIVE: _ClassVar[Action]
    READY: _ClassVar[Action]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_NONE: _ClassVar[EventKind]
    ROUND_BEGAN: _ClassVar[EventKind]
    FIRST_CARD: _ClassVar[EventKind]
    PLAYED: _ClassVar[EventKind]
    JUMPED_IN: _ClassVar[EventKind]
    DREW: _ClassVar[EventKind]
    PAID: _ClassVar[EventKind]
    FINED: _ClassVar[EventKind]
    SKIPPED: _ClassVar[EventKind]
    COLOUR_NAMED: _ClassVar[EventKind]
    UNO_CALLED: _ClassVar[EventKind]
    UNO_CAUGHT: _ClassVar[EventKind]
    FALSE_UNO: _ClassVar[EventKind]
    FALSE_CATCH: _ClassVar[EventKind]
    CHALLENGED: _ClassVar[EventKind]
    RETURNED: _ClassVar[EventKind]
    SWAPPED: _ClassVar[EventKind]
    ROTATED: _ClassVar[EventKind]
    EXCHANGED: _ClassVar[EventKind]
    HANDS_SHUFFLED: _ClassVar[EventKind]
    REFILLED: _ClassVar[EventKind]
    WENT_OUT: _ClassVar[EventKind]
    RESHUFFLED: _ClassVar[EventKind]
    SAID: _ClassVar[EventKind]
    SAID_READY: _ClassVar[EventKind]
    MISPLAYED: _ClassVar[EventKind]
    LEFT: _ClassVar[EventKind]
    ROUND_OVER: _ClassVar[EventKind]
    SCORED: _ClassVar[EventKind]
    ELIMINATED: _ClassVar[EventKind]
    MATCH_OVER: _ClassVar[EventKind]
    PLACED: _ClassVar[EventKind]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_NONE: _ClassVar[Ending]
    TARGET: _ClassVar[Ending]
    ROUNDS: _ClassVar[Ending]
    DECISIONS: _ClassVar[Ending]
    LAST_SEAT: _ClassVar[Ending]
    REPLANNED: _ClassVar[Ending]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_NONE: _ClassVar[Verdict]
    NEVER_STARTED: _ClassVar[Verdict]
    WRONG_VERSION: _ClassVar[Verdict]
    CRASHED: _ClassVar[Verdict]
    DISCONNECTED: _ClassVar[Verdict]
    TIMED_OUT: _ClassVar[Verdict]
    ILLEGAL_MOVE: _ClassVar[Verdict]
    PROTOCOL_ERROR: _ClassVar[Verdict]
    OUT_OF_MEMORY: _ClassVar[Verdict]
COLOUR_NONE: Colour
RED: Colour
GREEN: Colour
BLUE: Colour
YELLOW: Colour
CARD_NONE: Card
CARD_R0: Card
CARD_R1: Card
CARD_R2: Card
CARD_R3: Card
CARD_R4: Card
CARD_R5: Card
CARD_R6: Card
CARD_R7: Card
CARD_R8: Card
CARD_R9: Card
CARD_R_SKIP: Card
CARD_R_REVERSE: Card
CARD_R_DRAW_TWO: Card
CARD_R_DRAW_ONE: Card
CARD_G0: Card
CARD_G1: Card
CARD_G2: Card
CARD_G3: Card
CARD_G4: Card
CARD_G5: Card
CARD_G6: Card
CARD_G7: Card
CARD_G8: Card
CARD_G9: Card
CARD_G_SKIP: Card
CARD_G_REVERSE: Card
CARD_G_DRAW_TWO: Card
CARD_G_DRAW_ONE: Card
CARD_B0: Card
CARD_B1: Card
CARD_B2: Card
CARD_B3: Card
CARD_B4: Card
CARD_B5: Card
CARD_B6: Card
CARD_B7: Card
CARD_B8: Card
CARD_B9: Card
CARD_B_SKIP: Card
CARD_B_REVERSE: Card
CARD_B_DRAW_TWO: Card
CARD_B_DRAW_ONE: Card
CARD_Y0: Card
CARD_Y1: Card
CARD_Y2: Card
CARD_Y3: Card
CARD_Y4: Card
CARD_Y5: Card
CARD_Y6: Card
CARD_Y7: Card
CARD_Y8: Card
CARD_Y9: Card
CARD_Y_SKIP: Card
CARD_Y_REVERSE: Card
CARD_Y_DRAW_TWO: Card
CARD_Y_DRAW_ONE: Card
CARD_WILD: Card
CARD_WILD_DRAW_FOUR: Card
CARD_WILD_DRAW_TWO: Card
CARD_SHUFFLE_HANDS: Card
CARD_BLANK: Card
QUESTION_NONE: QuestionKind
TURN: QuestionKind
DRAWN: QuestionKind
PENALTY: QuestionKind
CATCH: QuestionKind
JUMP_IN: QuestionKind
FIRST_COLOUR: QuestionKind
EXCHANGE: QuestionKind
READY_CHECK: QuestionKind
ACTION_NONE: Action
PLAY: Action
DRAW: Action
KEEP: Action
ACCEPT: Action
CHALLENGE: Action
CATCH_MISSED: Action
DECLINE: Action
JUMP: Action
NAME_COLOUR: Action
GIVE: Action
READY: Action
EVENT_NONE: EventKind
ROUND_BEGAN: EventKind
FIRST_CARD: EventKind
PLAYED: EventKind
JUMPED_IN: EventKind
DREW: EventKind
PAID: EventKind
FINED: EventKind
SKIPPED: EventKind
COLOUR_NAMED: EventKind
UNO_CALLED: EventKind
UNO_CAUGHT: EventKind
FALSE_UNO: EventKind
FALSE_CATCH: EventKind
CHALLENGED: EventKind
RETURNED: EventKind
SWAPPED: EventKind
ROTATED: EventKind
EXCHANGED: EventKind
HANDS_SHUFFLED: EventKind
REFILLED: EventKind
WENT_OUT: EventKind
RESHUFFLED: EventKind
SAID: EventKind
SAID_READY: EventKind
MISPLAYED: EventKind
LEFT: EventKind
ROUND_OVER: EventKind
SCORED: EventKind
ELIMINATED: EventKind
MATCH_OVER: EventKind
PLACED: EventKind
ENDING_NONE: Ending
TARGET: Ending
ROUNDS: Ending
DECISIONS: Ending
LAST_SEAT: Ending
REPLANNED: Ending
VERDICT_NONE: Verdict
NEVER_STARTED: Verdict
WRONG_VERSION: Verdict
CRASHED: Verdict
DISCONNECTED: Verdict
TIMED_OUT: Verdict
ILLEGAL_MOVE: Verdict
PROTOCOL_ERROR: Verdict
OUT_OF_MEMORY: Verdict

class HelloRequest(_message.Message):
    __slots__ = ("protocol_min", "protocol_max", "nonce", "ruleset", "limits", "tables_max", "arena_version")
    PROTOCOL_MIN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAX_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    RULESET_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    TABLES_MAX_FIELD_NUMBER: _ClassVar[int]
    ARENA_VERSION_FIELD_NUMBER: _ClassVar[int]
    protocol_min: int
    protocol_max: int
    nonce: bytes
    ruleset: Ruleset
    limits: Limits
    tables_max: int
    arena_version: str
    def __init__(self, protocol_min: _Optional[int] = ..., protocol_max: _Optional[int] = ..., nonce: _Optional[bytes] = ..., ruleset: _Optional[_Union[Ruleset, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., tables_max: _Optional[int] = ..., arena_version: _Optional[str] = ...) -> None: ...

class HelloReply(_message.Message):
    __slots__ = ("protocol", "nonce", "tables", "description")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    nonce: bytes
    tables: int
    description: str
    def __init__(self, protocol: _Optional[int] = ..., nonce: _Optional[bytes] = ..., tables: _Optional[int] = ..., description: _Optional[str] = ...) -> None: ...

class Ruleset(_message.Message):
    __slots__ = ("name", "digest", "text", "options", "deck")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    DECK_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    text: str
    options: _containers.ScalarMap[str, str]
    deck: _containers.RepeatedCompositeFieldContainer[DeckEntry]
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ..., text: _Optional[str] = ..., options: _Optional[_Mapping[str, str]] = ..., deck: _Optional[_Iterable[_Union[DeckEntry, _Mapping]]] = ...) -> None: ...

class DeckEntry(_message.Message):
    __slots__ = ("card", "count")
    CARD_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    card: Card
    count: int
    def __init__(self, card: _Optional[_Union[Card, str]] = ..., count: _Optional[int] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("budget_ms", "bank_ms", "memory_bytes", "processes", "cpu_millis", "hello_ms", "message_bytes", "stderr_bytes")
    BUDGET_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BYTES_FIELD_NUMBER: _ClassVar[int]
    PROCESSES_FIELD_NUMBER: _ClassVar[int]
    CPU_MILLIS_FIELD_NUMBER: _ClassVar[int]
    HELLO_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    STDERR_BYTES_FIELD_NUMBER: _ClassVar[int]
    budget_ms: int
    bank_ms: int
    memory_bytes: int
    processes: int
    cpu_millis: int
    hello_ms: int
    message_bytes: int
    stderr_bytes: int
    def __init__(self, budget_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., memory_bytes: _Optional[int] = ..., processes: _Optional[int] = ..., cpu_millis: _Optional[int] = ..., hello_ms: _Optional[int] = ..., message_bytes: _Optional[int] = ..., stderr_bytes: _Optional[int] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("action", "card", "colour", "seat_plus_one")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    SEAT_PLUS_ONE_FIELD_NUMBER: _ClassVar[int]
    action: Action
    card: Card
    colour: Colour
    seat_plus_one: int
    def __init__(self, action: _Optional[_Union[Action, str]] = ..., card: _Optional[_Union[Card, str]] = ..., colour: _Optional[_Union[Colour, str]] = ..., seat_plus_one: _Optional[int] = ...) -> None: ...

class Turns(_message.Message):
    __slots__ = ("opened", "turns", "closed")
    OPENED_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    opened: _containers.RepeatedCompositeFieldContainer[Opened]
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    closed: _containers.RepeatedCompositeFieldContainer[Closed]
    def __init__(self, opened: _Optional[_Iterable[_Union[Opened, _Mapping]]] = ..., turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ..., closed: _Optional[_Iterable[_Union[Closed, _Mapping]]] = ...) -> None: ...

class Opened(_message.Message):
    __slots__ = ("table", "seat", "seats", "seed")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    table: int
    seat: int
    seats: int
    seed: int
    def __init__(self, table: _Optional[int] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., seed: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("table", "question", "kind", "legal", "bluffs", "hand", "top", "colour", "direction", "hand_sizes", "totals", "draw_pile", "penalty", "drawn", "shown", "shown_seat_plus_one", "round", "bank_ms", "dealer", "seats_in", "events")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    BLUFFS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TOP_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    SHOWN_SEAT_PLUS_ONE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    SEATS_IN_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    table: int
    question: int
    kind: QuestionKind
    legal: _containers.RepeatedCompositeFieldContainer[Move]
    bluffs: _containers.RepeatedScalarFieldContainer[int]
    hand: _containers.RepeatedScalarFieldContainer[Card]
    top: Card
    colour: Colour
    direction: int
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    draw_pile: int
    penalty: Penalty
    drawn: Card
    shown: _containers.RepeatedScalarFieldContainer[Card]
    shown_seat_plus_one: int
    round: int
    bank_ms: int
    dealer: int
    seats_in: int
    events: _containers.RepeatedCompositeFieldContainer[Event]
    def __init__(self, table: _Optional[int] = ..., question: _Optional[int] = ..., kind: _Optional[_Union[QuestionKind, str]] = ..., legal: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., bluffs: _Optional[_Iterable[int]] = ..., hand: _Optional[_Iterable[_Union[Card, str]]] = ..., top: _Optional[_Union[Card, str]] = ..., colour: _Optional[_Union[Colour, str]] = ..., direction: _Optional[int] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., draw_pile: _Optional[int] = ..., penalty: _Optional[_Union[Penalty, _Mapping]] = ..., drawn: _Optional[_Union[Card, str]] = ..., shown: _Optional[_Iterable[_Union[Card, str]]] = ..., shown_seat_plus_one: _Optional[int] = ..., round: _Optional[int] = ..., bank_ms: _Optional[int] = ..., dealer: _Optional[int] = ..., seats_in: _Optional[int] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ...) -> None: ...

class Penalty(_message.Message):
    __slots__ = ("card", "amount", "source", "victim")
    CARD_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    card: Card
    amount: int
    source: int
    victim: int
    def __init__(self, card: _Optional[_Union[Card, str]] = ..., amount: _Optional[int] = ..., source: _Optional[int] = ..., victim: _Optional[int] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("kind", "seat_plus_one", "card", "colour", "count", "other_plus_one", "text")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_PLUS_ONE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    COLOUR_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    OTHER_PLUS_ONE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    kind: EventKind
    seat_plus_one: int
    card: Card
    colour: Colour
    count: int
    other_plus_one: int
    text: str
    def __init__(self, kind: _Optional[_Union[EventKind, str]] = ..., seat_plus_one: _Optional[int] = ..., card: _Optional[_Union[Card, str]] = ..., colour: _Optional[_Union[Colour, str]] = ..., count: _Optional[int] = ..., other_plus_one: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Closed(_message.Message):
    __slots__ = ("table", "places", "totals", "ending", "verdict")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    table: int
    places: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    ending: Ending
    verdict: Verdict
    def __init__(self, table: _Optional[int] = ..., places: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., ending: _Optional[_Union[Ending, str]] = ..., verdict: _Optional[_Union[Verdict, str]] = ...) -> None: ...

class Answers(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "question", "index", "move", "uno", "say", "advice")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    UNO_FIELD_NUMBER: _ClassVar[int]
    SAY_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    table: int
    question: int
    index: int
    move: Move
    uno: bool
    say: str
    advice: bool
    def __init__(self, table: _Optional[int] = ..., question: _Optional[int] = ..., index: _Optional[int] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., uno: _Optional[bool] = ..., say: _Optional[str] = ..., advice: _Optional[bool] = ...) -> None: ...
