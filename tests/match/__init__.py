"""Tests of the referee, the clock and the values of a match."""
