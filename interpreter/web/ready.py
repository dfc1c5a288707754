"""What a process of the server needs before the first request comes, loaded as this is imported."""

from interpreter.web import desk

desk.prepare()
