# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The same ill treatment for every command: arguments, files, streams and numbers, from the table of commands."""
from case import Case, is_absent, is_there
from cases.commands import COMMANDS, MATRIX, OUTPUT, READING, all_commands, arguments, names_in_help, options_of, working
from files import SMALL, directory, link_to

FILES = {MATRIX: SMALL}


def with_option(command, *words):
    """The command line that works, without an earlier use of the option, and with this one."""
    line = arguments(command)
    alike = {"--ranks": "-k"}
    for name in (words[0], alike.get(words[0], words[0])):
        if name in line:
            at = line.index(name)
            del line[at : at + 2]
    return [*line, *words]


def command_lines(program):
    """Wrong arguments."""
    yield Case(
        "The program has every command of the table",
        ["help"],
        after=[lambda run: None if {c.name for c in COMMANDS} <= set(names_in_help(program)) else f"the program has {names_in_help(program)}"],
    )
    for command in all_commands(program):
        name = command.name
        if name not in ("doctor", "help", "verify"):
            yield Case(f"{name} without arguments asks for them", [name], files=FILES, code=2, error=["lacis: "])
        yield Case(f"{name} refuses an unknown option", [*arguments(command), "--zzzz"], files=FILES, code=2, error=["--zzzz", f"lacis help {name}"])
        yield Case(f"{name} refuses an unknown letter", [*arguments(command), "-Z"], files=FILES, code=2, error=["-Z"])
        longs = [option for option in options_of(program, name) if len(option) > 5]
        if [option for option in longs if option != "--help"]:
            option = [option for option in longs if option != "--help"][-1]
            misspelt = option[:-2] + option[-1] + option[-2] if option[-1] != option[-2] else option + "x"
            yield Case(
                f"{name} asks whether {option} was meant", [*arguments(command), misspelt], files=FILES, code=2,
                error=["did you mean", option],
            )
            takes = [each for each in [*command.whole, *command.real, *command.sized]]
            if takes:
                yield Case(f"{name} refuses {takes[0]} without its value", [*with_option(command, takes[0])], files=FILES, code=2, error=[takes[0]])
                yield Case(
                    f"{name} refuses {takes[0]} twice", [*with_option(command, takes[0], "2"), takes[0], "3"], files=FILES,
                    code=(0, 2) if takes[0] in ("--ranks", "--block") else 2,
                )
        if name not in ("bench", "verify", "doctor"):
            yield Case(f"{name} refuses one argument too many", [*arguments(command), "one", "two", "three"], files=FILES, code=2, error=["lacis: "])
        yield Case(f"{name} refuses a value for a flag", [*arguments(command), "--help=3"], files=FILES, code=2, error=["--help"])
        yield Case(f"{name} explains itself with --help whatever else is given", [name, "--help", "--zzzz"], code=(0, 2))
    for command in READING:
        line = arguments(command, matrix="-- will be replaced")
        at = line.index("-- will be replaced")
        yield Case(
            f"{command.name} takes a file whose name begins with a dash after --",
            [*line[:at], *line[at + 1 :], "--", "-A.mtx", *([] if command.name != "convert" else [OUTPUT])]
            if command.name != "convert"
            else ["convert", "--", "-A.mtx", OUTPUT],
            files={"-A.mtx": SMALL},
            seconds=40,
            code=0,
        )


def bad_files(program):
    """What is not a file with a matrix."""
    kinds = [
        ("a missing file", {}, "missing", ["missing"]),
        ("a directory", {"folder": directory}, "folder", ["folder"]),
        ("an empty file", {"empty": ""}, "empty", ["empty"]),
        ("/dev/null", {}, "/dev/null", ["/dev/null"]),
        ("a link to itself", {"loop": link_to("loop")}, "loop", ["loop"]),
        ("an empty name", {}, "", ["lacis: "]),
        ("a file below a file", {"file": SMALL}, "file/A.mtx", ["file/A.mtx"]),
    ]
    for command in READING:
        for what, files, name, texts in kinds:
            yield Case(
                f"{command.name} calls {what} bad input",
                arguments(command, matrix=name),
                files=files,
                code=4 if name else (2, 4),
                error=texts,
                after=[is_absent(OUTPUT)],
            )


def streams(program):
    """Streams that are closed or full."""
    for command in working(program):
        words = " ".join(arguments(command))
        name = command.name
        speaks = 0 if command.name in ("convert", "generate", "reorder") else 1
        yield Case(f"{name} with standard output closed tells the truth", shell=f"$LACIS {words} >&-", files=FILES, code=speaks, seconds=40,
                   after=[is_there(OUTPUT)] if command.writes else [])
        yield Case(f"{name} with a full standard output fails", shell=f"$LACIS {words} >/dev/full", files=FILES, code=speaks, seconds=40)
        yield Case(f"{name} with standard error closed works", shell=f"$LACIS {words} 2>&-", files=FILES, code=0, seconds=40,
                   after=[is_there(OUTPUT)] if command.writes else [])
        yield Case(f"{name} with standard input closed works", shell=f"$LACIS {words} <&-", files=FILES, code=0, seconds=40,
                   after=[is_there(OUTPUT)] if command.writes else [])
    for command in READING:
        words = " ".join(arguments(command, matrix="missing"))
        yield Case(f"{command.name} with all streams closed keeps its exit code", shell=f"$LACIS {words} <&- >&- 2>&-", code=4 if command.name != "bench" else (1, 4), complaints=None)
        line = " ".join(arguments(command, matrix="-"))
        yield Case(f"{command.name} from a closed standard input is bad input", shell=f"$LACIS {line} <&-", code=4, error=["standard input"])
    for command in COMMANDS:
        if command.writes:
            line = arguments(command, output="closed/out.mtx")
            yield Case(f"{command.name} into a directory that may not be written to fails", line,
                       files={**FILES, "closed": directory_without_writing}, code=1, error=["closed/out.mtx"], ordinary_user=True)
            line = arguments(command, output="nodir/out.mtx")
            yield Case(f"{command.name} into a directory that does not exist fails", line, files=FILES, code=1, error=["nodir"])
            line = arguments(command, output="folder")
            yield Case(f"{command.name} over a directory fails", line, files={**FILES, "folder": directory}, code=1, error=["folder"])


def directory_without_writing(path):
    path.mkdir()
    path.chmod(0o555)


def numbers(program):
    """Numbers that are none, or none that could be meant."""
    never_whole = ["nan", "inf", "-1", "1.5", "many", "99999999999999999999", "", "0x10", "1e3x", " ", "-0.5", "²"]
    never_real = ["nan", "-nan", "-1", "many", "", "1e999", "--json", "0x", "1,5", "1e-99999x"]
    never_sized = ["nan", "-1", "much", "", "1Q", "99999999999999999999999", "1.5.5G", "0x10", "8388608T"]
    seen = set()
    for command in COMMANDS:
        for options, values in ((command.whole, never_whole), (command.real, never_real), (command.sized, never_sized)):
            for option in options:
                # What several commands have in common gets all values once.
                for value in values if option not in seen else ("nan", "-1", ""):
                    yield Case(f"{command.name} refuses {option} {value!r}", with_option(command, option, value), files=FILES, code=2,
                               error=["lacis: "], after=[is_absent(OUTPUT)])
                seen.add(option)
    yield Case(
        "A number with a zero in front is decimal", ["solve", "A.mtx", "--threads", "010", "--json"], files=FILES, code=(0, 2),
        absent=['"threads": 8'],
    )


def cases(program):
    return [case for make in (command_lines, bad_files, streams, numbers) for case in make(program)]
