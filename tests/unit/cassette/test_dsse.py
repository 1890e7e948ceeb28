"""Envelopes: the published vector, and everything a forger might try."""

from __future__ import annotations

import base64

import pytest

from planvow.adapters.checkers.signing import load_signer, load_verifier, make_key, signer_from_seed
from planvow.cassette.errors import SignatureError
from planvow.cassette.signing.dsse import envelope, pre_authentication_encoding, unsigned_payload, verified_payload
from planvow.errors import InputError

ALICE, MALLORY = signer_from_seed(bytes(range(32))), signer_from_seed(bytes(32))


def test_what_is_signed_is_the_published_encoding():
    # The test vector of the DSSE protocol description.
    encoded = pre_authentication_encoding("http://example.com/HelloWorld", b"hello world")
    assert encoded == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_ed25519_gives_the_known_answer():
    # RFC 8032, section 7.1, test 1.
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    expected = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465"
        "5141438e7a100b"
    )
    assert signer_from_seed(seed).sign(b"").hex() == expected


def test_a_signed_payload_comes_back_as_it_was():
    wrapped = envelope("t", b"payload", ALICE)
    assert verified_payload(wrapped, "t", ALICE.verifier()) == b"payload"
    assert verified_payload(envelope("t", b"p", MALLORY, ALICE), "t", ALICE.verifier()) == b"p"


def forged():
    good = envelope("t", b"payload", ALICE)
    (by_mallory,) = envelope("t", b"payload", MALLORY)["signatures"]
    yield "unsigned", envelope("t", b"payload")
    yield "another key", {**good, "signatures": [by_mallory]}
    yield "another key under Alice's id", {**good, "signatures": [{**by_mallory, "keyid": ALICE.key_id}]}
    yield "another payload", {**good, "payload": base64.b64encode(b"payloaD").decode()}
    yield "another type", {**good, "payloadType": "u"}
    yield "not base64", {**good, "payload": "%%%"}
    yield "unusual base64", {**envelope("t", b"p", ALICE), "payload": "cB=="}
    yield "no signatures", {"payloadType": "t", "payload": good["payload"]}
    yield "signatures of a wrong shape", {**good, "signatures": [7, {}, {"sig": None}]}
    yield "nothing", {}


@pytest.mark.parametrize(("what", "wrapped"), list(forged()), ids=[what for what, _ in forged()])
def test_a_forged_envelope_is_refused(what, wrapped):
    with pytest.raises(SignatureError):
        verified_payload(wrapped, "t", ALICE.verifier())


def test_an_unsigned_payload_can_be_read_without_being_trusted():
    assert unsigned_payload(envelope("t", b"payload"), "t") == b"payload"


def test_keys_live_in_files_their_owner_alone_can_read(tmp_path):
    public = make_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    wrapped = envelope("t", b"x", load_signer(tmp_path / "key"))
    assert verified_payload(wrapped, "t", load_verifier(public)) == b"x"
    with pytest.raises(InputError, match="never overwritten"):
        make_key(tmp_path / "key")
    for bad in (public, tmp_path / "missing"):
        with pytest.raises(InputError):
            load_signer(bad)
    with pytest.raises(InputError):
        load_verifier(tmp_path / "key")
