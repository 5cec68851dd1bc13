"""Plays one match in this process with objects that get the very messages that a bot behind gRPC gets.

For tests of bots and of the codec, and for tries without processes: bytes are written, parsed, answered and
read back as over a socket. No clock holds, and an exception of a bot is the caller's to handle.
"""

from collections.abc import Callable, Sequence

from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.referee import Question, Reply, describe_question, referee
from arena.match.result import MatchResult
from arena.protocol.codec import TableWriter, decode_answers, decode_choice, describe_reply
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.match import Match
from arena.rules.options import Ruleset

ANSWERS_SHOWN = 3
"""How many answers of a message the evidence tells."""
MessageBot = Callable[[pb.Turns], pb.Answers]
"""Takes a batch and returns its answers, as `arena.bot.session.Session.play` does."""


def play_messages(
    ruleset: Ruleset,
    set_key: bytes,
    bots: Sequence[MessageBot],
    *,
    seeds: Sequence[int] | None = None,
    table: int = 1,
    bank_ms: int = 10_000,
) -> MatchResult:
    """Play one match; seat s is played by `bots[s]`, which may be the same object at several tables."""
    match = Match(ruleset, len(bots), set_key)
    writer = TableWriter(match, table)
    for seat, bot in enumerate(bots):
        seed = seeds[seat] if seeds is not None else seat
        bot(pb.Turns.FromString(writer.opened(seat, seed)))
    leader = referee(match)
    try:
        question = next(leader)
        while True:
            turns = pb.Turns.FromString(writer.turn(question, bank_ms))
            answers = bots[question.seat](turns).SerializeToString()
            question = leader.send(read_reply(question, table, answers))
    except StopIteration as stop:
        result: MatchResult = stop.value
    for seat, bot in enumerate(bots):
        bot(pb.Turns.FromString(writer.closed(seat, result)))
    return result


def read_reply(question: Question, table: int, data: bytes) -> Reply:
    """Return the one answer in a message, or the fault of sending something else."""
    answers = decode_answers(data)
    if len(answers) == 1 and answers[0].table == table and answers[0].question == question.number:
        choice = decode_choice(answers[0])
        if choice is not None:
            return choice
    detail = f"{len(answers)} answers, none of them a choice for question {question.number} of table {table}"
    evidence = Evidence(
        last_question=describe_question(question),
        last_answer="; ".join(describe_reply(answer) for answer in answers[:ANSWERS_SHOWN]),
        detail=detail,
    )
    return (Fault(FaultKind.PROTOCOL_ERROR, question.seat, evidence),)
