"""Promises about the conformance cases and about every bot that they are put to."""
