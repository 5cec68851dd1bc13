"""The canary, a bundle that the probe starts in a new sandbox; see `arena.botproc.promises`."""
