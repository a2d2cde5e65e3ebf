"""Quill: suggests and checks quotations while you write."""

__version__ = "0.1.0"
