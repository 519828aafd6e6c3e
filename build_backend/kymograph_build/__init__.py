"""How `pip install .` builds Kymograph: the page first, then maturin."""
