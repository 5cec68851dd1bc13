"""Tests of the codec and of the protocol page."""
