# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""How Sphinx makes the site: tools/test-docs calls it with the root of the tree as its source, so that links between documents are
those of the files."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

project = "lacis"
author = "The lacis authors"
copyright = "The lacis authors, Apache-2.0"
version = release = re.search(r'LACIS_VERSION "(.*)"', (ROOT / "include/lacis/version.h").read_text(encoding="utf-8"))[1]

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "python/README.md", "examples/README.md", "examples/*/README.md", "src/**/README.md", "fuzz/README.md", "packaging/README.md"]
exclude_patterns = ["build/**", "docs/man/**"]
source_suffix = {".md": "markdown"}
suppress_warnings = ["duplicate_declaration.cpp"]  # every header shows namespace lacis; tools/test-docs checks that each is on one page

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4

breathe_projects = {"lacis": str(ROOT / "build/docs/xml")}
breathe_default_project = "lacis"
breathe_default_members = ("members",)
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_domain_by_file_pattern = {"*/petsc.h": "cpp"}
primary_domain = "cpp"
# References that lead nowhere are faults, except to what other libraries declare and what is hidden.
nitpick_ignore_regex = [("cpp:identifier", r"(detail|device|solver|dist)(::.*)?|.*::@\d+|state|segment"),
                        ("cpp:identifier", r"Eigen(::.*)?|MPI_Comm|Petsc\w+|Mat"), ("c:identifier", r"\w+_t")]
highlight_language = "none"
smartquotes_action = "qe"  # quotes and ellipses: the two dashes of an option stay

# The Python package as it is in the tree; what is compiled is not needed for its docstrings, which are plain text.
sys.path.insert(0, str(ROOT / "python"))
autodoc_mock_imports = ["lacis._core", "lacis._dist", "numpy", "scipy", "mpi4py"]
autodoc_typehints = "none"

html_theme = "furo"
html_title = f"lacis {release}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["site"]  # index.html, which leads to the first page
html_show_sphinx = False


def escape_docstring(app, what, name, obj, options, lines):
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else re.sub(r"[\\*|`@]", r"\\\g<0>", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", escape_docstring)
