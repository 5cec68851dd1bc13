"""Generated from protos/arena/v1 by `make protos`; never edited."""
