"""PostgreSQL: the only package that speaks to it. Functions take a connection and never commit."""
