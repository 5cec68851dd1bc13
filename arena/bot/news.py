"""The questions of one message, kept for the news in them that nobody has read yet.

A message is kept as it was sent: parsed, it takes many times the memory, and who never reads it would pay for
that with every question. Once a bot has counted cards, messages stay parsed for the next time.
"""

from typing import Any, ClassVar

from arena.protocol.pb import bot_pb2 as pb


class News:
    """One message's questions, in order."""

    __slots__ = ("_sent", "_turns")

    are_read: ClassVar[bool] = False
    """Whether a bot of this process counts cards."""

    def __init__(self, turns: Any, sent: bytes) -> None:
        """Keep the `Turn` messages, or only the `Turns` message as it was `sent` (empty where it was not)."""
        self._sent = sent
        self._turns = None if sent and not News.are_read else turns

    def events(self, place: int) -> Any:
        """Return the `Event` messages of the question at that place."""
        turns: Any = self._turns
        if turns is None:
            turns = pb.Turns.FromString(self._sent).turns
            if News.are_read:
                self._turns = turns
        return turns[place].events
