"""`arena completion`: the shell completes commands, options, and the names in the store.

Owns the way from a half-typed line to its continuations. Only what the shell says of itself is printed by
`arena completion`; the shell then asks this command on every key.
"""

import os
import re
from typing import TYPE_CHECKING, Final

import click

from arena.cli.arguments import OneOf
from arena.cli.session import Session, pass_session

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

SHELLS: Final = ("bash", "zsh", "fish")
FILES: Final = {
    "bash": "~/.local/share/bash-completion/completions/arena",
    "zsh": "~/.zfunc/_arena",
    "fish": "~/.config/fish/completions/arena.fish",
}
"""Where each shell looks for such a file."""


@click.command(epilog='Example: eval "$(arena completion bash)"')
@click.argument("shell", type=OneOf(SHELLS))
@pass_session
def completion(session: Session, shell: str) -> None:
    """Print what makes a shell complete commands, options and names.

    For this shell alone, evaluate it; for every one to come, write it to the file that the shell reads:
    ~/.local/share/bash-completion/completions/arena, ~/.zfunc/_arena (in fpath) or
    ~/.config/fish/completions/arena.fish.
    """
    from click.shell_completion import ShellComplete

    completer = _completer(shell, click.get_current_context().find_root().command)
    # Not bash's own, which starts a bash to ask how old it is.
    for line in ShellComplete.source(completer).splitlines():
        session.terminal.line(line, whole=True)
    session.terminal.hint(f"arena completion {shell} > {FILES[shell]}")


def complete(arena: click.Command, instruction: str) -> None:
    """Print the continuations of the line that the shell has put into the environment."""
    shell, _, _ = instruction.partition("_")
    if shell not in SHELLS:
        return
    is_joined = shell == "bash" and _join_words()
    offers = _completer(shell, arena).complete()
    # What stands before the sign is kept by bash, which puts an offer behind it.
    click.echo(re.sub(r"(?m)^(\w+),[^,\n]*@", r"\1,", offers) if is_joined else offers)


def _join_words() -> bool:
    """Put words together that bash has parted at an `@`; say whether the last one was such a word."""
    words, last = os.environ.get("COMP_WORDS", "").split(" "), int(os.environ.get("COMP_CWORD", "0"))
    joined: list[str] = []
    for number, word in enumerate(words[: last + 1]):
        if joined and (word == "@" or (number > 1 and words[number - 1] == "@")):
            joined[-1] += word
        else:
            joined.append(word)
    is_joined = "@" in words[: last + 1]
    if is_joined:
        os.environ.update(COMP_WORDS=" ".join(joined), COMP_CWORD=str(len(joined) - 1))
    return is_joined and "@" in joined[-1]


def _completer(shell: str, arena: click.Command) -> "ShellComplete":
    from click.shell_completion import get_completion_class

    known = get_completion_class(shell)
    assert known is not None
    return known(arena, {}, "arena", "_ARENA_COMPLETE")
