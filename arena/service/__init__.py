"""Use cases: one function for each thing that a person or a timer can ask for, one transaction each."""
