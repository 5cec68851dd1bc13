"""The other end of the bare messages: parses each batch and answers every turn with the first legal move."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.pb import bot_pb2_grpc


class Bare(bot_pb2_grpc.BotServicer):
    """Says hello, and answers without looking."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def Hello(self, request: Any, context: Any) -> Any:  # noqa: N802 (gRPC's name)
        """Offer any number of tables."""
        del context
        return pb.HelloReply(protocol=1, nonce=request.nonce, tables=1024, description="bare")

    def Play(self, request_iterator: Iterator[Any], context: Any) -> Iterator[Any]:  # noqa: N802
        """Answer each batch with one message."""
        del context
        for batch in request_iterator:
            answers = pb.Answers()
            for turn in batch.turns:
                answers.answers.add(table=turn.table, question=turn.question, index=0)
            yield answers
        self.over.set()


def main() -> None:
    """Serve until the stream ends."""
    bot = Bare()
    server = grpc.server(ThreadPoolExecutor(2))
    bot_pb2_grpc.add_BotServicer_to_server(bot, server)  # type: ignore[no-untyped-call]
    server.add_insecure_port(os.environ["ARENA_ADDRESS"])
    server.start()
    bot.over.wait()
    server.stop(0).wait()


if __name__ == "__main__":
    main()
