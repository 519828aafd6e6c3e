"""HTTP pieces that all apps share: operations, answers, column frames, limits, security."""
