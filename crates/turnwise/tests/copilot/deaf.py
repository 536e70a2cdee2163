# A server of tools with one tool, which never answers. When nothing more is said to it, it goes on all the same.
import json
import sys
import time


def answer(asked, result):
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)


for line in sys.stdin:
    asked = json.loads(line)
    match asked["method"]:
        case "initialize":
            version = asked["params"]["protocolVersion"]
            told = {"name": "deaf", "version": "1"}
            answer(asked, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": told})
        case "tools/list":
            answer(asked, {"tools": [{"name": "wait", "inputSchema": {"type": "object"}}]})
        case "tools/call":
            alive = open("alive", "w")
            print("x", file=alive, flush=True)
while True:
    time.sleep(1)
