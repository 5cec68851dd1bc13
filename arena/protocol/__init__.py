"""The wire: generated messages, the codec between them and the domain, the versions. Imports nothing here."""
