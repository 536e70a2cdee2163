"""The main job by a client of openapi-python-client: a question, its plan approved, its rows."""

import sys
from uuid import uuid4

from turnwise_client import Client
from turnwise_client.api.conversations import begin_conversation
from turnwise_client.api.events import follow
from turnwise_client.api.talk import decide, say
from turnwise_client.models import Beginning, Decision, Message, VerdictViewApprove, VerdictViewApproveIs

client = Client(base_url=sys.argv[1], timeout=60, raise_on_unexpected_status=True)


def key() -> str:
    """Every change has a key of its own, so that it can be sent again."""
    return str(uuid4())


begun = begin_conversation.sync(client=client, idempotency_key=key(), body=Beginning())
question = Message(text="total revenue by region")
asked = say.sync(begun.id, client=client, idempotency_key=key(), wait_seconds=20, body=question)
pending = asked.state.pending[0]
print(pending.question)
approval = Decision(reference=pending.reference, verdict=VerdictViewApprove(VerdictViewApproveIs.APPROVE))
done = decide.sync(begun.id, client=client, idempotency_key=key(), wait_seconds=20, body=approval)
for row in done.state.result.table.rows:
    print(",".join(str(cell) for cell in row))
news = follow.sync(begun.id, client=client)
print(" ".join(one.event.value for one in news.events))
