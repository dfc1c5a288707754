"""Names that cannot be guessed, secrets, and what is stored of them."""

from __future__ import annotations

import hashlib
import secrets


def digest(secret: str) -> bytes:
    """What is stored of a secret: with 192 random bits it cannot be guessed, and needs no key stretching."""
    return hashlib.sha256(secret.encode()).digest()


def new_id() -> str:
    return secrets.token_urlsafe(12)


def new_secret() -> str:
    """192 random bits."""
    return secrets.token_urlsafe(24)
