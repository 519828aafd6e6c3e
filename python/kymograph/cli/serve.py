"""`kymograph serve`, or `kymograph --logdir LOGDIR` for short: serves the board of a logdir."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import click

from kymograph import __version__
from kymograph.cli import screen
from kymograph.cli.program import Failure
from kymograph.cli.seconds import SECONDS
from kymograph.compat import flags
from kymograph.server import sockets
from kymograph.server.sockets import Listening
from kymograph.store import Store

if TYPE_CHECKING:
    from kymograph.asgi.board import Board
    from kymograph.server.serving import Serving

__all__ = ["serve"]

_NOTICES = "kymograph.notices"
_FILE = click.Path(path_type=Path, dir_okay=False)
_SIGNAL_CHECK_SECS = 1.0
_URI = re.compile(r"[a-zA-Z][\w.+-]*://")


class _Serve(click.Command):
    """Accepts TensorBoard's command lines as well."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = {
            name: not parameter.is_flag
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            for name in parameter.opts
        }
        args, ctx.meta[_NOTICES] = flags.translated(args, options)
        return super().parse_args(ctx, args)


class _Boolean(click.types.BoolParamType):
    """Has a short message for anything else; click lists a dozen words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"must be `true` or `false`, not: {value}", param, ctx)


_BOOLEAN = _Boolean()


def _port(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    if value.lower() == "default":
        return None
    if not re.fullmatch(r"[0-9]{1,5}", value) or int(value) > 65535:
        raise click.BadParameter(f"not a port number from 0 to 65535: {value}")
    return int(value)


@click.command(cls=_Serve)
@click.argument("logdirs", metavar="[LOGDIR]...", nargs=-1)
@click.option(
    "--logdir",
    "more_logdirs",
    multiple=True,
    metavar="LOGDIR",
    help="The same as LOGDIR. Repeatable.",
)
@click.option(
    "--logdir-spec",
    default="",
    metavar="SPEC",
    help="Several logdirs with names: `name:path,name:path`.",
)
@click.option("--host", metavar="ADDR", help="Address to listen on; default: localhost.")
@click.option("--bind-all", is_flag=True, help="Listen on all interfaces.")
@click.option(
    "--port",
    default="default",
    callback=_port,
    metavar="PORT",
    help="Port to listen on, 0 for any free one; default: 6006 or the next free one.",
)
@click.option(
    "--reuse-port",
    type=_BOOLEAN,
    default=False,
    metavar="BOOL",
    help="Share the port with other processes.",
)
@click.option(
    "--uds", type=click.Path(path_type=Path), help="Listen on a Unix socket at this path instead."
)
@click.option("--path-prefix", default="", metavar="PATH", help="Serve everything under this path.")
@click.option(
    "--auth",
    type=click.Choice(["auto", "token", "none"]),
    default="auto",
    help="Whether to require a token; auto: only if other machines can connect.",
)
@click.option(
    "--auth-token-file", type=_FILE, help="Read the token from the first line of this file."
)
@click.option(
    "--key-file",
    type=_FILE,
    help="Accept only requests that send the key in this file (for launchers).",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Host name under which a proxy serves the board. Repeatable.",
)
@click.option("--window-title", default="", metavar="TEXT", help="Title of the browser window.")
@click.option("--open", "opens", is_flag=True, help="Open the board in the browser.")
@click.option(
    "--reload-interval",
    type=SECONDS,
    metavar="SECS",
    help="0 reads once; otherwise new points are read as they arrive.",
)
@click.option(
    "--max-reload-threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of threads that read files; default: one per core.",
)
@click.option(
    "--purge-orphaned-data",
    type=_BOOLEAN,
    default=True,
    metavar="BOOL",
    help="Hide points that a restart logged again; default: true.",
)
@click.option(
    "--info-file",
    type=_FILE,
    help="Write the addresses of the board to this file as JSON; removed on exit.",
)
@click.option("--quiet", is_flag=True, help="Print only warnings and errors.")
@click.option("--inspect", "inspects", is_flag=True, help="Run `kymograph inspect` instead.")
@click.option("--event-file", metavar="FILE", help="With --inspect: only this file.")
@click.option("--tag", metavar="GLOB", help="With --inspect: only this tag.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def serve(
    context: click.Context,
    *,
    logdirs: tuple[str, ...],
    more_logdirs: tuple[str, ...],
    logdir_spec: str,
    host: str | None,
    bind_all: bool,
    port: int | None,
    reuse_port: bool,
    uds: Path | None,
    path_prefix: str,
    auth: Literal["auto", "token", "none"],
    auth_token_file: Path | None,
    key_file: Path | None,
    allow_host: tuple[str, ...],
    window_title: str,
    opens: bool,
    reload_interval: float | None,
    max_reload_threads: int | None,
    purge_orphaned_data: bool,
    info_file: Path | None,
    quiet: bool,
    inspects: bool,
    event_file: str | None,
    tag: str | None,
) -> None:
    """Serve the board of LOGDIR until Ctrl-C.

    `kymograph --logdir LOGDIR` and `kymograph LOGDIR` do the same. A LOGDIR that does not exist
    yet appears when it is created. All TensorBoard flags are accepted, with underscores or dashes.
    """
    notices: list[str] = context.meta[_NOTICES]
    given = (*logdirs, *more_logdirs)
    if inspects:
        _inspect(context, given, logdir_spec, event_file, tag)
        return
    if tag or event_file:
        raise click.UsageError("`--tag` and `--event-file` require `--inspect`")
    if reload_interval:
        notices.append("`--reload-interval` has no effect unless 0: points are read as they arrive")
    logdir = _logdir(given, logdir_spec)
    board: Board | None = None
    try:
        with (
            closing(_listen(host, port, bind_all=bind_all, reuse_port=reuse_port, uds=uds)) as at,
            _stopped_by_signals(at) as stopping,
        ):
            began = time.monotonic()
            store = Store(
                logdir,
                follow=reload_interval != 0,
                purge_orphaned_data=purge_orphaned_data,
                threads=max_reload_threads or 0,
            )
            # The store loads while these are imported.
            from kymograph.asgi.board import Board
            from kymograph.asgi.security import decide
            from kymograph.server.prefix import normal
            from kymograph.server.serving import Serving

            try:
                prefix = normal(path_prefix)
            except ValueError as error:
                raise click.UsageError(str(error)) from error
            access = decide(
                host=at.host,
                uds=uds is not None,
                auth=auth,
                token_file=auth_token_file,
                key_file=key_file,
                allowed_hosts=allow_host,
            )
            board = Board(store, window_title or Board.title)
            serving = Serving(board, at, access, prefix=prefix)
            try:
                with _announced(serving, info_file):
                    screen.show_warnings(serving)
                    if not quiet:
                        screen.show_start(serving, notices)
                    if opens:
                        # Without the token: everyone on the machine sees how a browser was started.
                        _open_browser(serving.url)
                    if not quiet:
                        screen.show_loading(serving, began)
                    while not serving.wait(_SIGNAL_CHECK_SECS):
                        stopping.check()
                    raise Failure("the server stopped unexpectedly")
            finally:
                serving.close()
    except (KeyboardInterrupt, _Stopped):
        if board is not None and board.is_busy:
            # Python would wait for it, although no client waits for the answer any more.
            sys.stdout.flush()
            os._exit(0)


def _logdir(given: tuple[str, ...], spec: str) -> str | tuple[str, ...]:
    """What to open: one may also be a spec, of several each is a path."""
    if spec and given:
        raise click.UsageError("`--logdir-spec` cannot be combined with another LOGDIR")
    places = (spec,) if spec else tuple(place for place in given if place)
    if not places:
        raise click.UsageError("no LOGDIR given\nhint: `kymograph --logdir runs`")
    for place in places:
        if uri := _URI.search(place):
            raise Failure(f"only local directories are supported, not `{uri[0]}`: {place}")
    return places[0] if len(places) == 1 else places


def _listen(
    host: str | None,
    port: int | None,
    *,
    bind_all: bool,
    reuse_port: bool,
    uds: Path | None,
) -> Listening:
    if host is not None and bind_all:
        raise click.UsageError("`--host` cannot be combined with `--bind-all`")
    if uds is None:
        where = sockets.EVERYWHERE if bind_all else host or sockets.LOCALHOST
        return sockets.tcp(where, port, reuse_port=reuse_port)
    if host is not None or bind_all or port is not None or reuse_port:
        raise click.UsageError("`--uds` cannot be combined with `--host`, `--bind-all` or `--port`")
    return sockets.unix(uds)


def _inspect(
    context: click.Context,
    given: tuple[str, ...],
    spec: str,
    event_file: str | None,
    tag: str | None,
) -> None:
    if event_file and (given or spec):
        raise click.UsageError("`--event-file` cannot be combined with a LOGDIR")
    logdir = event_file or _logdir(given, spec)
    places = (logdir,) if isinstance(logdir, str) else logdir
    from kymograph.cli.inspect import inspect

    context.invoke(inspect, logdirs=places, tags=(tag,) if tag else ())


# --- announcing where it is ---


@contextmanager
def _announced(serving: Serving, path: Path | None) -> Iterator[None]:
    """Announces to programs where the board is: in a file while it runs, and in the output."""
    fields = _announced_fields(serving)
    # Only the file may have the token: it is readable by its owner alone.
    content = json.dumps({**fields, "login_url": serving.login_url}) + "\n"
    if path is not None:
        _write(path, content)
    try:
        if not sys.stdout.isatty():
            click.echo(f"KYMOGRAPH_READY {json.dumps(fields)}")
            sys.stdout.flush()
        yield
    finally:
        with suppress(OSError):
            if path is not None and path.read_text() == content:  # not another's by now
                path.unlink()


def _write(path: Path, content: str) -> None:
    # In a folder that others may write, no other user can have put a link at such a name.
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(content)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise Failure(f"cannot write the info file: {path}: {error.strerror}") from error


def _announced_fields(serving: Serving) -> dict[str, Any]:
    at = serving.listening
    return {
        "url": serving.url,
        "host": at.host or str(at.sockets[0].getsockname()[0]),
        "port": at.port,
        "uds": None if at.uds is None else str(at.uds),
        "path_prefix": serving.prefix,
        "pid": os.getpid(),
        "version": __version__,
        "instance": serving.board.instance,
    }


def _open_browser(url: str) -> None:
    import webbrowser

    # Without a screen, a text browser would take over the terminal.
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if not has_screen or not webbrowser.open(url):
        click.echo(f"note: no browser available: {url}", err=True)


# --- ending ---


class _Stopped(BaseException):
    """A signal asked the program to end."""


class _Stopping:
    """Which exception a signal has raised. Python drops exceptions that are raised while an object
    is finalized, and a signal may arrive just then: without `check` the board would not end."""

    def __init__(self) -> None:
        self.raised: type[BaseException] | None = None

    def stop(self, error: type[BaseException]) -> NoReturn:
        """Raises the exception, and remembers it."""
        self.raised = error
        raise error

    def check(self) -> None:
        """Raises the exception again if there was one."""
        if self.raised is not None:
            raise self.raised


@contextmanager
def _stopped_by_signals(listening: Listening) -> Iterator[_Stopping]:
    """Inside, SIGTERM and closing the terminal raise _Stopped, once.

    Ctrl-C raises KeyboardInterrupt; a second one ends the program at once.
    """
    stopping = _Stopping()

    def stop(number: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)
        stopping.stop(_Stopped)

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGINT, end)
        stopping.stop(KeyboardInterrupt)

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        listening.close()
        os._exit(130)

    handlers = {signal.SIGTERM: stop, signal.SIGINT: interrupt}
    if hasattr(signal, "SIGHUP"):
        handlers[signal.SIGHUP] = stop
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number, handler in handlers.items():
            # It is ignored under `nohup`, and in background programs.
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
    try:
        yield stopping
    finally:
        for number, replaced in before.items():
            signal.signal(number, replaced)
