import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gatehouse import read_event
from handle import handle

PORT = int(os.environ.get("PORT", "3000"))
# Both secrets during a rotation, with a space between them.
SECRETS = os.environ["WEBHOOK_SECRET"].split(" ")
MAX_BODY = 64 * 1024

events = queue.Queue()


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw body: the signature covers every byte of it.
        length = int(self.headers.get("content-length", "0"))
        event = read_event(self.rfile.read(length), self.headers, SECRETS) if length <= MAX_BODY else None
        # Answer first, work later: Gatehouse waits for 15 seconds, and then sends the event again.
        if event is not None:
            events.put(event)
        self.send_response(400 if event is None else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


def work():
    while True:
        handle(events.get())


threading.Thread(target=work, daemon=True).start()
server = ThreadingHTTPServer(("localhost", PORT), Webhook)
print(f"Webhooks arrive at http://localhost:{PORT} /webhook", flush=True)
server.serve_forever()
