"""The board in the browser: a server for this machine, whose rules run in processes of their own."""

from typing import Any

Json = dict[str, Any]
