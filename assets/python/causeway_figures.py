"""matplotlib's backend in the sandbox: draws with Agg, and pyplot.show() hands the open figures over as pictures."""

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas  # noqa: F401 (matplotlib looks for it)

import causeway_runner


def show(*_args, **_options):
    causeway_runner.show_open_figures()
