"""What a process of the server needs before its first request, loaded when this is imported."""

import gc

from interpreter.web import desk

desk.prepare()
gc.freeze()  # all this stays: the collector need not look through it, and copies share it
