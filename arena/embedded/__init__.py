"""Servers that need no install: PostgreSQL and Valkey from wheels, and the workers of `arena up`.

Everything lives under one data folder and listens on unix sockets only. The wheels' own Python layers are
never imported: as root they open every folder above the data to everybody.
"""
