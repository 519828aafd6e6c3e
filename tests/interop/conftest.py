"""Makes the golden scripts importable by their names, as they import each other."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))
sys.path.insert(0, str(Path(__file__).parent))
