# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""anndata writes a matrix by its exact class: lacis's classes are written as those of SciPy that they are derived from."""

import importlib.abc
import sys


def _register(classes):
    """Does nothing where anndata keeps its writers in another way: the registry is not public."""
    try:
        from anndata._io.specs.registry import _REGISTRY as registry

        for (store, source, modifiers), writer in list(registry.write.items()):
            if source in classes:
                registry.write.setdefault((store, classes[source], modifiers), writer)
        for source, own in classes.items():
            if source in registry.write_specs:
                registry.write_specs.setdefault(own, registry.write_specs[source])
    except (ImportError, AttributeError, TypeError, ValueError):
        return


class _Loader(importlib.abc.Loader):
    """anndata's own loader, which registers the classes afterwards."""

    def __init__(self, loader, finder):
        self.loader, self.finder = loader, finder

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        if self.finder in sys.meta_path:
            sys.meta_path.remove(self.finder)
        _register(self.finder.classes)


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for the import of anndata, and is gone after it."""

    def __init__(self, classes):
        self.classes = classes

    def find_spec(self, name, path=None, target=None):
        if name != "anndata":
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec


def tell_anndata(classes):
    """Registers {SciPy's class: lacis's}: now if anndata is imported, else when it is."""
    if "anndata" in sys.modules:
        _register(classes)
    else:
        sys.meta_path.insert(0, _Finder(classes))
