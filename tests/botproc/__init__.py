"""Tests of bots as processes."""
