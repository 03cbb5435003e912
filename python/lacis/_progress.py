# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Progress of work that takes long: a bar where one is asked for."""


def progress_of(progress, make):
    """A function for the compiled part, and what ends it. progress: False, True (a bar if tqdm is installed) or a function.
    make(tqdm) gives the bar and the function that moves it."""
    if not progress:
        return None, lambda: None
    if callable(progress):
        return progress, lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None, lambda: None
    bar, report = make(tqdm)
    return report, bar.close
