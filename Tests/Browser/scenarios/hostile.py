"""Texts that would like to be markup (docs/page.md), and pages that would like to write."""

import hashlib
import http.server
import json
import threading

from driving.person import Person
from driving.served import LATE_SET, LATE_SET_ID

from .case import PageCase

PIXEL = "http://127.0.0.1:9/pixel"
TEXTS = [
    "<script>document.title='owned'</script>", f"\"><img src={PIXEL} onerror=document.title='owned'>",
    f"<svg onload=\"document.title='owned'\"><image href={PIXEL}></svg>", "javascript:document.title='owned'", "]]>",
    "{{constructor.constructor('document.title=1')()}}", "\u202egnirts desrever\u202c", "\u2066\u2067isolates",
    "&lt;b&gt;not bold&lt;/b&gt;", "</title></style><style>*{display:none!important}</style>", "nul\u0000inside",
    "line\u2028separator", "🎸👩🏽‍🚀é\u0301", "العربية ثم English", "very" * 80, "<a href=\"javascript:document.title=1\">here</a>",
]
DIGEST = f"""# <img src={PIXEL} onerror="document.title='owned'">

[a link](javascript:document.title='owned') [another](data:text/html,<script>1</script>) ![picture]({PIXEL})

<script>document.title='owned'</script>

<iframe src="{PIXEL}"></iframe>

- `<b>` and **bold** and <{PIXEL}>
"""
HOSTILE_ID = "01KGN6HCMGFP2XYCHA2GHD0X55"


def hostile_session(served):
    """A session in which each text that people write is hostile."""
    place = served.sessions / "2026-02-05-hostile"
    (place / "media").mkdir(parents=True)
    title = TEXTS[0] + TEXTS[1]

    def id(number):
        return f"01KGN7{number:020}"

    header = {"id": HOSTILE_ID, "title": title, "created_at": "2026-02-05T20:47:10.480Z",
              "updated_at": "2026-02-05T21:47:10.480Z", "status": "closed", "start_time": "2026-02-05T20:47:10.480Z",
              "timeline_path": None, "markers_path": "markers.jsonl", "transcript_path": "transcript.jsonl",
              "voice_notes_path": "voice_notes.jsonl", "digest_path": "digest.md", "media": [],
              "end_time": "2026-02-05T20:57:10.480Z", "duration_ms": 600_000}
    (place / "session.json").write_text(json.dumps(header))
    with (place / "markers.jsonl").open("w") as out:
        for number, text in enumerate(TEXTS):
            out.write(json.dumps({"id": id(number), "offset_ms": 1000 * number, "created_at": "2026-02-05T20:48:13.680Z",
                                  "source": "user", "label": text, "note": text, "tags": [text[:50], "highlight"]}) + "\n")
        out.write('{"id":"%s","offset_ms":90000,"created_at":"2026-02-05T20:48:13.680Z","source":"user","label":"lone \\ud800 half"}\n'
                  % id(90))
        out.write(json.dumps({"id": id(91), "offset_ms": 91_000, "created_at": "2026-02-05T20:48:13.680Z", "source": "user",
                              "label": "a megabyte", "note": "<b>" * 350_000}) + "\n")
    with (place / "voice_notes.jsonl").open("w") as out:
        for number, text in enumerate(TEXTS):
            out.write(json.dumps({"id": id(200 + number), "created_at": "2026-02-05T20:48:13.680Z", "offset_ms": 1000 * number,
                                  "media_path": f"media/{id(200 + number)}.m4a", "duration_ms": 1000,
                                  "transcript_text": text}) + "\n")
    with (place / "transcript.jsonl").open("w") as out:
        for number, text in enumerate(TEXTS):
            out.write(json.dumps({"offset_ms": 1000 * number, "duration_ms": 900, "text": text}) + "\n")
    with (place / "actions.jsonl").open("w") as out:
        for number, text in enumerate(TEXTS):
            out.write(json.dumps({"id": id(300 + number), "action": text[:80] or "x", "created_at": "2026-02-05T21:02:15.006Z",
                                  "status": "failed", "inputs": {text[:40]: text}, "error": text}) + "\n")
    (place / "digest.md").write_text(DIGEST)
    return header["id"]


class HostileTexts(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_hostile_texts_are_text(self):
        served = self.serve()
        handle = hostile_session(served)
        browser = self.browse()
        person = self.person(served, browser)
        handle = next(row["handle"] for row in served.ask("sessions") if row["session_id"] == handle)
        views = ["#/", f"#/s/{handle}", f"#/s/{handle}/notes", f"#/s/{handle}/digest", f"#/s/{handle}/actions",
                 f"#/s/{handle}/problems", "#/search?q=owned", "#/at/2026-02-05T20:48", "#/problems", "#/settings",
                 "#/search?q=%3Cscript%3Edocument.title%3D%27owned%27%3C%2Fscript%3E",
                 "#/<img src=x onerror=document.title='owned'>"]
        for address in views:
            with self.subTest(view=address):
                person.go(address)
                person.tab.wait("document.querySelector('main')?.textContent.length > 0 "
                                "&& !document.querySelector('main [aria-busy=true], main .skeleton')")
                self.assertEqual(person.tab.evaluate("""[
                    document.title.includes("owned") && !document.title.includes("<"),
                    document.querySelectorAll("main script, main iframe, main img[src*='127'], main image, main [onerror], main [onload]").length,
                    [...document.links].filter((a) => !/^https?:/.test(a.href)).length,
                    [...document.querySelectorAll("[href]")].filter((a) => /^(javascript|data):/i.test(a.getAttribute("href"))).length]"""),
                    [False, 0, 0, 0])
        person.go(f"#/s/{handle}")
        person.tab.wait("document.body.innerText.includes(args[0])", TEXTS[0], what="a text as it is")
        if hasattr(person.tab, "requests"):
            foreign = [url for url in person.tab.requests if not url.startswith((served.address, "data:", "blob:"))]
            self.assertEqual(foreign, [])

    def test_name_of_a_device(self):
        served = self.serve()
        browser = self.browse()
        person = Person(served, browser.tab())
        person.sign_in("admin", name="\"><img src=x onerror=1>")
        person.go("#/settings")
        person.tab.wait("document.body.innerText.includes('onerror=1')", what="the name as it is")


ATTACK = """<!doctype html><title>attack</title><form id=f method=post enctype=text/plain></form><iframe name=into></iframe><script>
const base = BASE, results = [];
const seen = (promise) => promise.then((a) => results.push(a.type), (e) => results.push("failed"));
async function attack(reads, writes) {
  for (const path of reads) {
    await new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = base + path; });
    await seen(fetch(base + path, { mode: "no-cors", credentials: "include" }));
    await fetch(base + path, { credentials: "include" }).then((a) => results.push("READ " + path), () => {});
    await new Promise((done) => { const s = document.createElement("script"); s.onload = s.onerror = done; s.src = base + path; document.body.append(s); });
  }
  for (const [method, path, body] of writes) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"]) {
      await seen(fetch(base + path, { method: method === "POST" ? "POST" : method, mode: method === "POST" ? "no-cors" : "cors",
        credentials: "include", headers: { "Content-Type": type }, body }));
    }
    if (method === "POST") {
      f.action = base + path; f.target = "into"; f.replaceChildren();
      const i = document.createElement("input"); i.name = body.slice(0, -1) + ',"x":"'; i.value = '"}'; f.append(i);
      f.submit();
    }
  }
  return results;
}
</script>"""


class OtherOrigins(PageCase):
    def pages(self, text):
        """Another site: a server of pages on a port of its own."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1]

    def digests(self, served):
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(served.sessions.rglob("*")) if file.is_file()}

    def test_another_origin_writes_nothing(self):
        """With the cookie: ports are not part of a site, so the page of another port of this machine has it sent along."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser, "admin")
        operations = json.loads(served_text(served, "/api/openapi.json"))["paths"]
        names = {"s": LATE_SET_ID, "m": "01KGN78MX99GRPVT40K82R6N1F", "id": "01KGN6KABG4CSWE84XXM21GJG4", "rule": "x",
                 "name": "session.json", "token": "trace_x", "j": "01KGNQZP000000000000000001"}

        def filled(path):
            for name, value in names.items():
                path = path.replace("{" + name + "}", value)
            return path.split("{")[0]

        reads = [filled(path) for path, methods in operations.items() if "get" in methods and not path.endswith("/events")]
        writes = [(method.upper(), filled(path), '{"offset":"now","label":"csrf","tags":["x"]}')
                  for path, methods in operations.items() for method in methods if method in ("post", "put", "patch", "delete")
                  and path not in ("/api/v1/pair",)]
        self.assertGreater(len(reads), 25)
        self.assertGreater(len(writes), 20)
        before = self.digests(served)
        tokens = served.trace("token", "list", "--json")
        port = self.pages(ATTACK.replace("BASE", json.dumps(served.address.rstrip("/"))))
        self.allowed += ["CORS", "Refused to execute script", "NotSameOrigin", "MIME type", "frame", "Unsafe attempt", "cookie",
                        "ERR_BLOCKED", "Cross-Origin", "SyntaxError", "console.", "Framing"]
        for host in ("localhost", "127.0.0.1"):
            served.wire.seen.clear()
            tab = browser.tab(f"http://{host}:{port}/")
            results = tab.evaluate(f"attack({json.dumps(reads)}, {json.dumps(writes)})", patience=120)
            self.assertEqual([one for one in results if one.startswith("READ")], [], "nothing is read")
            unsafe = [one for one in served.wire.seen if one.method in ("POST", "PUT", "PATCH", "DELETE")]
            self.assertTrue(unsafe)
            if host == "localhost":
                self.assertTrue(any("cookie" in one.fields for one in unsafe), "the cookie came along, or this shows nothing")
            wrong = [(one.method, one.target, one.status) for one in unsafe if one.status not in (0, 400, 401, 403, 404, 405, 411, 413, 415)]
            self.assertEqual(wrong, [])
            refused = {one.status for one in unsafe if "cookie" in one.fields}
            self.assertLessEqual(refused, {0, 403, 405, 413, 415})
            tab.close()
        self.assertEqual(self.digests(served), before, "no file has changed")
        ids = [one["id"] for one in json.loads(tokens)]
        self.assertEqual([one["id"] for one in json.loads(served.trace("token", "list", "--json"))], ids)
        # Its own page may.
        person.tab.reload()
        person.open_session(LATE_SET_ID)
        mark = person.mark("highlight")
        person.drained()
        self.stands_once(served, LATE_SET, [mark])

    def test_framing_and_openers(self):
        """No other page may show it in a frame, nor hold on to its window."""
        served = self.serve()
        browser = self.browse()
        self.person(served, browser)
        self.allowed += ["frame-ancestors", "Framing", "frame"]
        port = self.pages(f"<!doctype html><iframe id=f src='{served.address}'></iframe>"
                          f"<script>window.other = null; function go() {{ other = open('{served.address}'); }}</script>")
        tab = browser.tab(f"http://localhost:{port}/")
        self.assertTrue(tab.evaluate("(() => { try { return !f.contentDocument?.querySelector('main'); } catch { return true; } })()"))


def served_text(served, path):
    import urllib.request
    with urllib.request.urlopen(f"http://localhost:{served.port}{path}", timeout=30) as response:
        return response.read().decode()
