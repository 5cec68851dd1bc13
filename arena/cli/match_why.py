"""`arena match why`: everything that led to a verdict, one fact a line."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli import figures
from arena.cli.session import Session, json_option, pass_session

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal
    from arena.store.rows import FaultRow


@click.command("why", epilog="Example: arena match why 17")
@click.argument("number", type=int)
@json_option
@pass_session
def why(session: Session, number: int, as_json: bool) -> None:
    """Say why a match ended as it did: each verdict with limit, measure, question, answer, signal, stderr."""
    from arena.service import matches

    with session.database() as database:
        shown = matches.show(database, number)
    row, terminal = shown.match, session.terminal
    if as_json:
        terminal.json(
            {
                "match": row.id,
                "ending": row.ending,
                "cards_shown": shown.record is not None,
                "verdicts": [
                    {"bot": row.bots[f.seat], "seat": f.seat, "kind": f.kind, "evidence": f.evidence}
                    for f in shown.faults
                ],
            }
        )
        return
    if not shown.faults:
        terminal.line(f"match {row.id}: no bot was at fault; it ended by {row.ending}")
    for fault in shown.faults:
        _explain(terminal, row.bots[fault.seat], fault)
    if shown.faults and shown.record is None:
        terminal.line("What names cards is shown when all matches of its deal set are played.")
    terminal.hint(f"arena match show {row.id}", f"arena match show {row.id} --trace")


def _explain(terminal: "Terminal", bot: str, fault: "FaultRow") -> None:
    """Print one verdict and its evidence."""
    from arena.match.fault import MEANINGS, FaultKind, say_memory, say_processes

    meaning = MEANINGS[FaultKind(fault.kind)]
    told = "" if meaning == fault.kind else f", it {meaning}"
    terminal.line(f"seat {fault.seat}, {bot}: {fault.kind}{told}")
    for name, title in TITLES.items():
        value = fault.evidence.get(name)
        if value is None or value == "" or (name in CLOCK and fault.kind == FaultKind.OUT_OF_MEMORY):
            continue
        lines = _format(name, value).splitlines()
        if len(lines) == 1:
            terminal.block(f"{title:<14} {lines[0]}")
        else:
            terminal.block(title)
            terminal.block("\n".join(lines), indent="    | ")
    for title, said in (("memory", say_memory(fault.evidence)), ("processes", say_processes(fault.evidence))):
        if said:
            terminal.block(f"{title:<14} {said}")


TITLES = {
    "detail": "what happened",
    "limit_ms": "limit",
    "wall_ms": "measured",
    "cpu_ms": "processor",
    "bank_left_ms": "bank left",
    "last_question": "last question",
    "last_answer": "last answer",
    "exit_signal": "exit signal",
    "exit_code": "exit status",
    "stderr_tail": "stderr ends",
}
"""Each fact of the evidence and what it is called, in the order in which they are told."""


CLOCK = {"limit_ms", "wall_ms", "bank_left_ms"}
"""What the clock says; a bot that passed its memory did not pass this limit, so it is left out there."""


def _format(name: str, value: Any) -> str:
    """Write a fact as people read it."""
    if name.endswith("_ms"):
        return figures.duration_us(float(value) * 1000)
    if name == "exit_signal":
        import signal

        try:
            return f"{value} ({signal.Signals(int(value)).name})"
        except ValueError:
            return str(value)
    return str(value)
