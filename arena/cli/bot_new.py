"""`arena bot new`: the folder of a new bot, from a template."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.arguments import FilePath
from arena.cli.session import Session, json_option, pass_session


class LanguageName(click.ParamType[str]):
    """A language that there is a template for."""

    name = "language"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return the word; whether it is known is the template's to say."""
        return str(value).lower()

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 (click's signature)
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> "list[click.shell_completion.CompletionItem]":
        """Return the languages that begin as typed."""
        from click.shell_completion import CompletionItem

        from arena.bundle.template import list_languages

        return [
            CompletionItem(name, help=title)
            for name, title in list_languages().items()
            if name.startswith(incomplete.lower())
        ]


@click.command("new", epilog="Example: arena bot new mybot --lang python")
@click.argument("name")
@click.option(
    "--lang",
    type=LanguageName(),
    default="python",
    show_default=True,
    help="Its language; node is TypeScript.",
)
@click.option("--folder", type=FilePath(), help="Where to write it.  [default: ./NAME]")
@json_option
@pass_session
def new(session: Session, name: str, lang: str, folder: Path | None, as_json: bool) -> None:
    """Write a new bot that passes its check and plays; nothing that exists is touched."""
    from arena.botproc.runtimes import find_untaught
    from arena.bundle.template import write_bot
    from arena.errors import UsageError
    from arena.service.toolchain import find_outdated

    if runtime := find_untaught(lang):
        raise UsageError(
            f"no template for {lang!r}, and no bot in it was ever tried: a bot of your own plays with "
            f'runtime = "{runtime}" in bot.toml: docs/protocol.md is the contract,'
            " and `arena bot conform` tries it"
        )
    made = write_bot(name, lang, Path(name) if folder is None else folder)
    if as_json:
        session.terminal.json(asdict(made))
        return
    session.terminal.line(f"{made.folder}: {', '.join(made.files)}")
    if made.missing:
        session.terminal.note(f"needed to build it, and not found here: {', '.join(made.missing)}")
    if outdated := find_outdated(made.folder):
        session.terminal.note(outdated)
    session.terminal.hint(*made.next)
