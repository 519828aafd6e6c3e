"""The packages that are imported under other names, each file in the place of one of theirs."""
