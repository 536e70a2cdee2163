"""Requests signed by slack_sdk, each with whether its own verifier takes it: one JSON object a line. Run by sdk.rs."""

import json
import sys
import time

from slack_sdk.signature import SignatureVerifier

secret, body = sys.argv[1], sys.argv[2]
ours, other = SignatureVerifier(secret), SignatureVerifier("another secret")
now = int(time.time())


def case(name, at=now, signer=ours, sent=body, without=(), change=lambda signature: signature):
    signature = change(signer.generate_signature(timestamp=str(at), body=body))
    headers = {"X-Slack-Request-Timestamp": str(at), "X-Slack-Signature": signature}
    headers = {header: value for header, value in headers.items() if header not in without}
    taken = ours.is_valid_request(sent, headers)
    print(json.dumps({"name": name, "headers": headers, "body": sent, "taken": taken}, ensure_ascii=False))


case("right")
case("nearly too old", at=now - 280)
case("too old", at=now - 320)
case("nearly too far ahead", at=now + 280)
case("too far ahead", at=now + 320)
case("another secret", signer=other)
case("changed body", sent=body.replace("c-1", "c-2"))
case("a space more", sent=body + " ")
case("no body", sent="")
case("no signature", without=("X-Slack-Signature",))
case("no timestamp", without=("X-Slack-Request-Timestamp",))
case("neither", without=("X-Slack-Signature", "X-Slack-Request-Timestamp"))
case("another version", change=lambda signature: signature.replace("v0=", "v1="))
case("no version", change=lambda signature: signature.removeprefix("v0="))
case("in capitals", change=str.upper)
case("digits in capitals", change=lambda signature: "v0=" + signature[3:].upper())
case("cut short", change=lambda signature: signature[:-2])
case("empty", change=lambda _: "v0=")
