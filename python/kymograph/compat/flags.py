"""TensorBoard's flags: what each means here, and how a command line of its becomes one of ours."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["FLAGS", "Flag", "translated"]


@dataclass(frozen=True)
class Flag:
    """A flag of TensorBoard, and what becomes of it."""

    name: str
    option: str = ""
    """Our option that does the same, if there is one."""
    notice: str = ""
    """Why nothing needs to be done about it, if there is none."""
    takes_value: bool = True


FLAGS = (
    Flag("logdir", "--logdir"),
    Flag("logdir_spec", "--logdir-spec"),
    Flag("host", "--host"),
    Flag("bind_all", "--bind-all", takes_value=False),
    Flag("port", "--port"),
    Flag("reuse_port", "--reuse-port"),
    Flag("load_fast", notice="there is one loader, and it is fast"),
    Flag("extra_data_server_flags", notice="there is no separate data server"),
    Flag("grpc_creds_type", notice="there is no separate data server"),
    Flag("grpc_data_provider", notice="logs are read from the logdir only"),
    Flag("purge_orphaned_data", "--purge-orphaned-data"),
    Flag("db", notice="logs are read from the logdir only"),
    Flag("db_import", notice="logs are read from the logdir only", takes_value=False),
    Flag("inspect", "--inspect", takes_value=False),
    Flag("version_tb", "--version", takes_value=False),
    Flag("tag", "--tag"),
    Flag("event_file", "--event-file"),
    Flag("path_prefix", "--path-prefix"),
    Flag("window_title", "--window-title"),
    Flag("max_reload_threads", "--max-reload-threads"),
    Flag("reload_interval", "--reload-interval"),
    Flag("reload_task", notice="logs are read by threads, while the board is open"),
    Flag("reload_multifile", notice="all files of a run are followed"),
    Flag("reload_multifile_inactive_secs", notice="all files of a run are followed, however old"),
    Flag("generic_data", notice="every dashboard reads from the same store"),
    Flag("samples_per_plugin", notice="every point is kept"),
    Flag("detect_file_replacement", notice="files that are replaced are always read again"),
    Flag("master_tpu_unsecure_channel", notice="Kymograph does not capture profiles"),
)
"""In the order of TensorBoard's help."""

# Flags of its libraries: they are about its own log, its debugger and its profiler, and go unsaid.
_LIBRARY_FLAGS = {
    "log_dir",
    "logger_levels",
    "profile_file",
    "stderrthreshold",
    "undefok",
    "v",
    "verbosity",
}
_LIBRARY_SWITCHES = {
    "alsologtostderr",
    "logtostderr",
    "only_check_args",
    "pdb",
    "pdb_post_mortem",
    "run_with_pdb",
    "run_with_profiling",
    "showprefixforinfo",
    "use_cprofile_for_profiling",
}
_HELP = {"helpfull", "helpshort"}
_FALSE = {"false", "f", "0", "no", "n"}
_TRUE = {"true", "t", "1", "yes", "y"}


def translated(
    arguments: Sequence[str], options: Mapping[str, bool]
) -> tuple[list[str], list[str]]:
    """A command line in any mixture of TensorBoard's words and ours, all in ours.

    `options` are ours, each with whether it takes a value. Underscores and dashes are the same,
    and a name may be cut as long as it is clear. What is known to neither is left as it is.
    Comes with a notice for each flag that has no effect.
    """
    rest = deque(arguments)
    ours: list[str] = []
    notices: list[str] = []
    while rest:
        argument = rest.popleft()
        given, equals, value = argument.partition("=")
        if argument == "--":
            return [*ours, argument, *rest], notices
        if not given.startswith("--"):
            ours.append(argument)
            continue
        name = given[2:].replace("-", "_").lower()
        flag, option = _meaning(name, options)
        if option:
            ours += _spelled(option, equals, value, takes_value=options[option])
            if options[option] and not equals and rest:
                ours.append(rest.popleft())
        elif flag:
            notices.append(f"`--{flag.name}` has no effect: {flag.notice}")
            if flag.takes_value and not equals and rest:
                rest.popleft()
        elif name in _HELP:
            ours.append("--help")
        elif name in _LIBRARY_FLAGS:
            if not equals and rest:
                rest.popleft()
        elif name.removeprefix("no") not in _LIBRARY_SWITCHES:
            ours.append(argument)
    return ours, notices


def _meaning(name: str, options: Mapping[str, bool]) -> tuple[Flag | None, str]:
    """TensorBoard's flag and Kymograph's option for a name, abbreviated or whole."""
    flags = {flag.name: flag for flag in FLAGS}
    own = {option[2:].replace("-", "_"): option for option in options if option.startswith("--")}
    if name in own:
        return flags.get(name), own[name]
    # A name that TensorBoard understands means the same here, even if more begins with it.
    known = name in _LIBRARY_FLAGS | _LIBRARY_SWITCHES | _HELP
    if not known and (whole := _whole(name, flags)):
        return flags[whole], flags[whole].option
    if not known and (whole := _whole(name, own)):
        return None, own[whole]
    return None, ""


def _whole(name: str, names: Iterable[str]) -> str | None:
    if name in names:
        return name
    found = [other for other in names if name and other.startswith(name)]
    return found[0] if len(found) == 1 else None


def _spelled(option: str, equals: str, value: str, *, takes_value: bool) -> list[str]:
    if takes_value or not equals:
        return [option + equals + value]
    if value.lower() in _FALSE:
        return []
    return [option] if value.lower() in _TRUE else [f"{option}={value}"]
