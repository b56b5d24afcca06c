"""A site with one paid article: python3 site.py"""

import os, re, secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from gatehouse import decide, has_just_paid, purchase_link
from pages import article, teaser

PORT = int(os.environ.get("PORT", "3000"))
SITE = f"http://localhost:{PORT}"
RID = "tides"

# Your site has its own accounts. These stand in for them: anybody can sign in with any address.
readers = {}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if urlsplit(self.path).path != "/":
            return self.send_error(404)
        reader = self.find_reader()
        decision = decide(RID, reader)
        if decision["granted"]:
            return self.answer(200, article(has_just_paid(self.path, RID, reader, SITE)), "no-cache")
        self.answer(503 if decision["code"] == "unavailable" else 200, teaser(decision), "no-store")

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        reader = self.find_reader()
        if self.path == "/sign-in":
            session = secrets.token_urlsafe()
            readers[session] = form["email"][0].lower()
            self.redirect("/", f"session={session}; HttpOnly; SameSite=Lax")
        elif self.path == "/buy":
            self.redirect(purchase_link(RID, reader, f"{SITE}/") if reader else "/")
        else:
            self.send_error(404)

    def find_reader(self):
        match = re.search(r"(?:^|; )session=([^;]+)", self.headers.get("Cookie", ""))
        return readers.get(match[1]) if match else None

    def answer(self, status, page, caching):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        # No proxy may keep the page, or it would show it to other readers. A browser may keep the article, if it asks
        # before it shows it again; the teaser is out of date as soon as its reader has paid.
        self.send_header("Cache-Control", f"private, {caching}")
        self.send_header("Vary", "Cookie")
        self.end_headers()
        self.wfile.write(page.encode())

    def redirect(self, url, cookie=None):
        self.send_response(303)
        self.send_header("Location", url)
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()


server = ThreadingHTTPServer(("localhost", PORT), Handler)
print(f"The site is at {SITE}", flush=True)
server.serve_forever()
