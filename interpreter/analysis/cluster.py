"""Games on a Ray cluster that is already running. Ray is an extra of this project."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import define, field

from interpreter.analysis.farm import TRIES, Job, Lost, Outcome, attempt
from interpreter.errors import FarmError

#: Games handed to the cluster at once for each of its processors, so that none waits for work.
AHEAD = 2

#: Seconds after which a machine that does not answer is taken to be absent. Ray alone would try for minutes.
PATIENCE = 5.0


def _version() -> str:
    return version("gdl")


def _reason(error: Exception) -> str:
    """What happened, on one line; the messages of the cluster are long."""
    return getattr(error, "strerror", None) or str(error).strip().splitlines()[-1]


def _show_token() -> None:
    """Let Ray present its token: clusters ask for one, but Ray presents it only when told to."""
    named = {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & set(os.environ)
    if named or (Path.home() / ".ray" / "auth_token").exists():
        os.environ.setdefault("RAY_AUTH_MODE", "token")


@define
class Cluster:
    """The cluster at an address.

    That is "HOST:PORT" or "auto" on a machine of the cluster, "ray://HOST:PORT" on any other. Raises
    FarmError if Ray is not installed or no cluster answers.
    """

    address: str
    _ray: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        _show_token()  # Ray checks this when it is imported
        try:
            import ray
        except ImportError:
            raise FarmError("A cluster needs Ray, which is not installed: pip install 'gdl[ray]'.") from None
        self._ray = ray
        try:
            self._knock()
            ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # of many kinds, none of them the fault of this program
            raise FarmError(f"No Ray cluster answers at `{self.address}`: {_reason(error)}") from None
        try:
            there = ray.get(ray.remote(num_cpus=0)(_version).remote())
        except Exception as error:
            raise FarmError(f"The cluster cannot play, for it lacks this program: {_reason(error)}") from None
        if there != _version():
            raise FarmError(f"The cluster has version {there} of this program; here it is {_version()}.")

    def _knock(self) -> None:
        """Raises OSError or ValueError if nobody answers at the address."""
        if self.address == "auto":
            return
        place = urlsplit(self.address if "://" in self.address else f"//{self.address}")
        if place.port is None or place.hostname is None:
            raise ValueError("an address is written HOST:PORT or ray://HOST:PORT, or is auto")
        socket.create_connection((place.hostname, place.port), PATIENCE).close()

    def run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Do the jobs; one that killed its process is tried again."""
        from ray.exceptions import NodeDiedError, OutOfMemoryError, RayError, WorkerCrashedError

        ray = self._ray
        play = ray.remote(max_retries=TRIES - 1)(attempt)
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting, flying = deque(jobs), dict[Any, Job]()
        try:
            while waiting or flying:
                while waiting and len(flying) < room:
                    job = waiting.popleft()
                    flying[play.remote(job)] = job
                for answer in ray.wait(list(flying))[0]:
                    task, _ = flying.pop(answer)
                    try:
                        outcome = ray.get(answer)
                    except (NodeDiedError, OutOfMemoryError, WorkerCrashedError):
                        outcome = Lost(task)
                    yield outcome
        except (ConnectionError, RayError) as error:
            raise FarmError(f"The cluster has stopped playing: {_reason(error)}") from error
        finally:
            if ray.is_initialized():  # else it would start a cluster just to cancel these
                for answer in flying:
                    ray.cancel(answer, force=True)

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()
