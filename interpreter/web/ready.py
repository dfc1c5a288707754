"""What a process of the server needs before the first request comes, loaded as this is imported."""

import gc

from interpreter.web import desk

desk.prepare()
gc.freeze()  # all this stays: nobody need look through it for garbage, and copies share it
