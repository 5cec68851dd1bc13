"""A bot as a zip and its manifest: `bot.toml`, the deterministic packer, the allow-list extractor.

Nothing here starts a process or talks to a database.
"""
