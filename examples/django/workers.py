"""gunicorn with four workers sells under load, and one of them is killed: no key repeats.

python workers.py               each worker leases a node of its own
SHOP_NODE=7 python workers.py   all workers share node 7 and its cursor, without a lease
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

WORKERS, ORDERS, AT_ONCE = 4, 800, 8
PATIENCE_S = 60


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def buy(port: int) -> dict[str, int | str]:
    """Returns the shop's response. Retries until the shop is up, and after a worker is killed."""
    end = time.monotonic() + PATIENCE_S
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request("POST", "/orders/")
            answer = connection.getresponse()
            if answer.status != 201:
                sys.exit(f"the shop answered {answer.status}: {answer.read().decode()}")
            return json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        finally:
            connection.close()


def main() -> None:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--preload", "--workers", str(WORKERS)]
    server = subprocess.Popen([*command, "--bind", f"127.0.0.1:{port}", "--log-level", "error"])
    try:
        with ThreadPoolExecutor(AT_ONCE) as customers:
            answers = list(customers.map(buy, [port] * (ORDERS // 2)))
            killed = answers[0]["worker"]
            os.kill(killed, signal.SIGKILL)
            answers += customers.map(buy, [port] * (ORDERS // 2))
    finally:
        server.terminate()
        server.wait(PATIENCE_S)

    print(f"\n  {'worker':<10}{'node':<8}orders")
    nodes = {answer["worker"]: answer["node"] for answer in answers}
    for worker, node in nodes.items():
        sold = sum(answer["worker"] == worker for answer in answers)
        print(f"  {worker:<10}{node:<8}{sold}{'   killed' if worker == killed else ''}")
    different = 1 if "SHOP_NODE" in os.environ else len(nodes)
    if any(answer["node"] != nodes[answer["worker"]] for answer in answers) or len(set(nodes.values())) != different:
        sys.exit(f"{len(nodes)} workers had the nodes {sorted(set(nodes.values()))}")
    repeated = len(answers) - len({answer["order"] for answer in answers})
    if repeated:
        sys.exit(f"{repeated} of {len(answers)} orders have a key that another has")
    print(f"\n{len(answers)} orders of {len(nodes)} processes: no two have the same key.")


if __name__ == "__main__":
    main()
