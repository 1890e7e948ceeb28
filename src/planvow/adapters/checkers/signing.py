"""Ed25519 keys from files, for seals. The one place that imports `cryptography` (extra `[sign]`).

A key id is the SHA-256 of the raw public key, so that it can be checked by anyone who has the key.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from planvow.errors import InputError, MissingExtraError

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:
    raise MissingExtraError("cryptography", extra="sign", purpose="signing and checking signatures") from None


class Ed25519Signer:
    """A private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.key_id = _key_id(key.public_key())

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)

    def verifier(self) -> Ed25519Verifier:
        return Ed25519Verifier(self._key.public_key())


class Ed25519Verifier:
    """A public key."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key
        self.key_id = _key_id(key)

    def verify(self, message: bytes, signature: bytes) -> bool:
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    @property
    def public_hex(self) -> str:
        """The raw public key, as it is registered for a worker."""
        return self._key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()


def verifier_from_hex(public_key: str) -> Ed25519Verifier:
    """Return the verifier of a registered public key; raises ValueError when it is none."""
    return Ed25519Verifier(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)))


def signer_from_seed(seed: bytes) -> Ed25519Signer:
    """Return the signer with this 32-byte private key."""
    return Ed25519Signer(Ed25519PrivateKey.from_private_bytes(seed))


def make_key(path: Path) -> Path:
    """Write a new private key, readable by its owner only, and its public key beside it; return the public path."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    beside = path.with_name(path.name + ".pub")
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(private)
    except FileExistsError:
        raise InputError("this file exists; a key is never overwritten", place=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=str(path)) from None
    beside.write_bytes(public)
    return beside


def load_signer(path: Path) -> Ed25519Signer:
    """Read a private key in PEM form."""
    key = _load(path, lambda data: serialization.load_pem_private_key(data, password=None))
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError("this is not an Ed25519 private key", place=str(path))
    return Ed25519Signer(key)


def load_verifier(path: Path) -> Ed25519Verifier:
    """Read a public key in PEM form."""
    key = _load(path, serialization.load_pem_public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("this is not an Ed25519 public key", place=str(path))
    return Ed25519Verifier(key)


def _load(path: Path, parse: Any) -> Any:
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (ValueError, TypeError) as error:
        raise InputError(f"not a key in PEM form: {error}", place=str(path)) from None


def _key_id(key: Ed25519PublicKey) -> str:
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()
