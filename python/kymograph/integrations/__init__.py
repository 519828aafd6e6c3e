"""Adapters to the hooks of training frameworks; each imports its own framework only."""
