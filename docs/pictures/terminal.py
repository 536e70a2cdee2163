"""Draws what a terminal shows, with its colours, as an SVG: `terminal.py COLUMNS <CAPTURED >PICTURE`."""

import io
import re
import sys

from rich.console import Console
from rich.text import Text

console = Console(record=True, width=int(sys.argv[1]), file=io.StringIO(), force_terminal=True)
console.print(Text.from_ansi(sys.stdin.read().rstrip()), end="")
picture = console.export_svg(title="turnwise chat --sample", unique_id="turnwise")
# Whoever looks at the picture loads nothing from elsewhere.
print(re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL), end="")
