"""matplotlib's backend in the sandbox: draws with Agg, and pyplot.show() hands the open figures over as pictures."""

import matplotlib
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas  # noqa: F401 (matplotlib looks for it)

import causeway_runner

# Fonts with Chinese, Japanese and Korean letters, under the names that they have on the different systems.
WIDE = ("Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Micro Hei", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei")


def add_wide_fonts():
    """Letters that the usual font does not have are looked for in these, where one is installed."""
    installed = {font.name for font in font_manager.fontManager.ttflist}
    matplotlib.rcParams["font.family"] += [name for name in WIDE if name in installed]


add_wide_fonts()


def show(*_args, **_options):
    causeway_runner.show_open_figures()
