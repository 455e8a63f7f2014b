"""Runs one piece of code the way a notebook cell runs: its output goes where output goes, the value of a last expression
and every picture are handed to the caller. Shared by the sandboxed CPython worker and by Pyodide; Python 3.8 or newer,
standard library only.

What does NOT protect anything here: nothing in this file is a boundary. Code can change all of it; the sandbox around the
process is what holds, and whoever reads the results treats them as untrusted.
"""

import ast
import base64
import builtins
import io
import linecache
import os
import sys
import time
import traceback
import types
import warnings

FILE_NAME = "<code>"
OUR_FOLDER = os.path.dirname(__file__)
MAX_VALUE = 20_000
MAX_TRACEBACK = 20_000
MAX_NAME = 200
# Frames at either end of a traceback: a runaway recursion has millions.
MAX_FRAMES = 50
# Sources of earlier calls that tracebacks of a session can still show.
MAX_SOURCES = 500
MAX_IMAGE = 8 * 1024 * 1024
MAX_IMAGES_TOGETHER = 32 * 1024 * 1024
MAX_IMAGES = 20
# Tables go to a person beside their text: what a screen can hold, not the data.
MAX_TABLES = 20
MAX_ROWS = 200
MAX_COLUMNS = 40
MAX_CELL = 300
MAX_TABLE = 200_000
MAX_TABLES_TOGETHER = 600_000

# The first bytes of the picture formats that may be shown as they are.
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)


# Modes of PIL that PNG has; others are shown in colours.
PNG_MODES = ("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA")


class TimeLimit(BaseException):
    """Raised in code that ran out of time. No Exception, so that `except Exception` does not swallow it."""

    __module__ = "builtins"


def show_open_figures():
    """What pyplot.show() does, by way of causeway_figures; each run puts its own gallery's in."""


class Gallery:
    """Takes pictures out of objects and sends them, each object once. Collects tables."""

    def __init__(self, send):
        self.tables = []
        self._table_room = MAX_TABLES_TOGETHER
        self._send = send
        self._count = 0
        self._bytes = 0
        self._shown = []

    def show(self, *objects):
        """Shows each object: a picture where it has one, else its repr. PNG, JPEG and GIF may be given as bytes."""
        for item in objects:
            if not self.show_picture(item):
                print(item if isinstance(item, str) else repr(item))
                self.keep_table(item)

    def keep_table(self, item):
        """Keeps the rows of a table for the person; nothing happens to other objects."""
        if len(self.tables) >= MAX_TABLES or self._table_room <= 0:
            return
        table = _safely_or_none(lambda: table_of(item))
        if table is not None:
            self._table_room -= sum(len(cell or "") for row in table["rows"] for cell in row)
            self.tables.append(table)

    def show_picture(self, item):
        """True when the object has a picture; sends it unless that very object was sent before."""
        if any(item is known for known in self._shown):
            return True
        try:
            picture = picture_of(item)
        except Exception as error:  # A form that fails costs the picture, not the result.
            print("[a picture could not be made: %s]" % _describe(error), file=sys.stderr)
            picture = None
        if picture is None:
            return False
        self._shown.append(item)
        kind, data = picture
        if len(data) > MAX_IMAGE:
            print("[a picture of %d bytes is too large to show]" % len(data), file=sys.stderr)
        elif self._count >= MAX_IMAGES:
            print("[more than %d pictures; this one is not shown]" % MAX_IMAGES, file=sys.stderr)
        elif self._bytes + len(data) > MAX_IMAGES_TOGETHER:
            print("[more than %d bytes of pictures; this one is not shown]" % MAX_IMAGES_TOGETHER, file=sys.stderr)
        else:
            self._count += 1
            self._bytes += len(data)
            self._send(kind, data)
        return True

    def show_open_figures(self):
        """Shows matplotlib's open figures and closes them, so that the next plot starts afresh."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            self.show_picture(pyplot.figure(number))
        pyplot.close("all")


def picture_of(item):
    """(media type, bytes) of an object that is or has a picture, else None."""
    if isinstance(item, (bytes, bytearray)):
        data = bytes(item)
        return next(((kind, data) for start, kind in SIGNATURES if data.startswith(start)), None)
    if isinstance(item, type):
        return None
    png = _form(item, "_repr_png_")
    if png is not None:
        data = base64.b64decode(png) if isinstance(png, str) else bytes(png)
        return ("image/png", data) if data.startswith(SIGNATURES[0][0]) else None
    svg = _form(item, "_repr_svg_")
    if svg is not None:
        return ("image/svg+xml", svg.encode("utf-8", "replace") if isinstance(svg, str) else bytes(svg))
    return _drawn(item)


def _form(item, method):
    call = getattr(item, method, None)
    if not callable(call):
        return None
    result = call()
    # IPython allows a pair of data and metadata.
    form = result[0] if isinstance(result, tuple) and result else result
    # An object that answers to every name has no picture for that.
    return form if isinstance(form, (str, bytes, bytearray)) else None


def _drawn(item):
    """Figures and images of libraries that have no _repr_png_ of their own."""
    kind = type(item)
    names = {base.__module__.partition(".")[0] + "." + base.__name__ for base in kind.__mro__}
    buffer = io.BytesIO()
    if "matplotlib.Figure" in names:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            item.savefig(buffer, format="png", bbox_inches="tight")
        # Without the place in this file, which is none of the code's.
        for words in dict.fromkeys("%s: %s" % (one.category.__name__, one.message) for one in caught):
            print(words, file=sys.stderr)
    elif "PIL.Image" in names:
        (item if item.mode in PNG_MODES else item.convert("RGB")).save(buffer, format="PNG")
    else:
        return None
    return ("image/png", buffer.getvalue())


def table_of(item):
    """The first rows and columns of a data frame or series as text (None: a missing value), else None."""
    if isinstance(item, type):
        return None
    names = {base.__module__.partition(".")[0] + "." + base.__name__ for base in type(item).__mro__}
    if "pandas.Series" in names:
        item = item.to_frame("" if item.name is None else item.name)
    elif "pandas.DataFrame" not in names:
        return _polars_table(item) if "polars.DataFrame" in names else None
    part = item.iloc[:MAX_ROWS, :MAX_COLUMNS]
    levels = ["" if name is None else _cell(name) for name in part.index.names]
    indexes = [part.index.get_level_values(level) for level in range(part.index.nlevels)]
    columns = indexes + [part.iloc[:, number] for number in range(part.shape[1])]
    return {
        "columns": levels + [_cell(name) or "" for name in part.columns],
        "rows": _bounded(zip(*columns)),
        "totalRows": len(item),
        "totalColumns": part.index.nlevels + item.shape[1],
    }


def _polars_table(item):
    part = item[:MAX_ROWS, :MAX_COLUMNS]
    names = [str(name)[:MAX_CELL] for name in part.columns]
    return {"columns": names, "rows": _bounded(part.rows()), "totalRows": item.height, "totalColumns": item.width}


def _bounded(rows):
    kept, left = [], MAX_TABLE
    for row in rows:
        cells = [_cell(value) for value in row]
        left -= sum(len(cell or "") for cell in cells)
        if left < 0:
            break
        kept.append(cells)
    return kept


def _cell(value):
    # Nothing else is unequal to itself (NaN, NaT); pandas.NA refuses to be compared.
    try:
        missing = value is None or bool(value != value)
    except Exception:
        missing = type(value).__name__ == "NAType"
    return None if missing else str(value)[:MAX_CELL]


def new_namespace():
    """Fresh variables, as the module __main__ that pickle, dataclasses and multiprocessing look for."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    return module.__dict__


def run(source, namespace, send_picture):
    """Runs the code and returns what came of it as a JSON-ready dictionary. Never raises."""
    started = time.perf_counter()
    gallery = Gallery(send_picture)
    builtins.display = gallery.show
    global show_open_figures
    show_open_figures = gallery.show_open_figures
    file_name = _remember(source)
    report = {"ok": False}
    try:
        value = _evaluate(source, file_name, namespace)
        _report_value(report, value, gallery)
        report["ok"] = True
    except SystemExit as error:
        _report_exit(report, error)
    except BaseException as error:  # KeyboardInterrupt and TimeLimit too: whatever ended the code is its result.
        report["error"] = _safely(lambda: str(type(error).__name__)[:MAX_NAME])
        report["timeLimit"] = isinstance(error, TimeLimit)
        report["traceback"] = _format(error)
    try:
        gallery.show_open_figures()
    except BaseException as error:
        print("[a figure could not be drawn: %s]" % _describe(error), file=sys.stderr)
    if gallery.tables:
        report["tables"] = gallery.tables
    report["durationMs"] = (time.perf_counter() - started) * 1000
    return report


_sources = []


def _remember(source):
    """Keeps the source for tracebacks, under a name of its own: a later call may fail in a function of an earlier one."""
    number = _sources[-1][0] + 1 if _sources else 1
    file_name = FILE_NAME if number == 1 else FILE_NAME.replace(">", " %d>" % number)
    _sources.append((number, file_name))
    if len(_sources) > MAX_SOURCES:
        linecache.cache.pop(_sources.pop(0)[1], None)
    # Lines as the compiler counts them: a form feed ends none.
    linecache.cache[file_name] = (len(source), None, list(io.StringIO(source, newline=None)), file_name)
    return file_name


def _evaluate(source, file_name, namespace):
    # Not ast.parse, whose frame would stand in the traceback of a syntax error.
    tree = compile(source, file_name, "exec", ast.PyCF_ONLY_AST)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, file_name, "exec"), namespace)
    return None if last is None else eval(compile(last, file_name, "eval"), namespace)


def _report_value(report, value, gallery):
    if value is None:
        return
    shown = repr(value)
    if gallery.show_picture(value) and isinstance(value, (bytes, bytearray)):
        return
    gallery.keep_table(value)
    report["value"] = shown[:MAX_VALUE]
    report["valueLength"] = len(shown)


def _report_exit(report, error):
    """As a program would end: a number is its exit code, anything else goes to standard error."""
    code = error.code
    if code is None or isinstance(code, int):
        number = int(code or 0)
        # What no system can take is an error for Python, too.
        report["exitCode"] = number if abs(number) < 2**31 else 255
    else:
        report["exitCode"] = 1
        print(_safely(lambda: str(code)), file=sys.stderr)
    report["ok"] = report["exitCode"] == 0


def _format(error):
    """The traceback as the given code would show it: the frames of our own files are no news to anybody."""
    lines = _safely(lambda: "".join(_without_our_frames(error).format()))
    if len(lines) <= MAX_TRACEBACK:
        return lines
    half = MAX_TRACEBACK // 2
    return lines[:half] + "\n...\n" + lines[-half:]


def _without_our_frames(error):
    left_out = sum(_shorten(one) for one in _chain(error))
    whole = traceback.TracebackException.from_exception(error)
    for one in _chain(whole):
        one.stack = traceback.StackSummary.from_list([frame for frame in one.stack if not _is_ours(frame.filename)])
    if left_out:
        print("[%d calls in the middle of the traceback are left out]" % left_out, file=sys.stderr)
    return whole


def _chain(error):
    """The error and all that it came from or contains, each once."""
    pending, seen = [error], []
    while pending:
        one = pending.pop()
        if one is None or any(one is known for known in seen):
            continue
        seen.append(one)
        pending += [one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ())]
    return seen


def _shorten(error):
    """Takes the middle out of an error's frames, which would take longer to describe than the code took. Says how many."""
    entries = []
    entry = error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    if len(entries) <= 2 * MAX_FRAMES:
        return 0
    entries[MAX_FRAMES - 1].tb_next = entries[-MAX_FRAMES]
    return len(entries) - 2 * MAX_FRAMES


def _is_ours(file_name):
    return OUR_FOLDER != "" and os.path.dirname(file_name) == OUR_FOLDER


def _safely_or_none(make):
    try:
        return make()
    except Exception:
        return None


def _describe(error):
    return _safely(lambda: "%s: %s" % (type(error).__name__, error))


def _safely(describe):
    try:
        return describe()
    except BaseException as error:
        return "[%s while describing an error]" % type(error).__name__
