"""Opens the class page in headless Chromium, and takes its picture.

    python page.py CHROMIUM PAGE FOLDER

At 1400 and 420 pixels, light and dark: nothing is wider than the window, nothing is reported on
the console, no script is there, every link of the page leads somewhere in it, and following one
opens the details it leads to. The pictures go into FOLDER. Needs what requirements.txt names.
"""

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import websocket

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
]

SIZES = [(1400, "light"), (1400, "dark"), (420, "light"), (420, "dark")]

FACTS = """JSON.stringify({
  wide: document.documentElement.scrollWidth,
  scripts: document.scripts.length,
  lost: [...document.querySelectorAll('a')].map(a => a.getAttribute('href'))
    .filter(href => !href.startsWith('#') || !document.getElementById(href.slice(1))),
  cells: document.querySelectorAll('.heat tbody td').length,
  people: document.querySelectorAll('.person').length,
  open: document.querySelectorAll('.person[open]').length,
  alien: performance.getEntriesByType('resource').map(entry => entry.name),
})"""


class Browser:
    """Chromium with one page, spoken to over its DevTools protocol."""

    def __init__(self, chromium, profile):
        self.process = subprocess.Popen(
            [chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stderr:
            if "DevTools listening on " in line:
                address = line.split("DevTools listening on ")[1].strip()
                break
        else:
            raise SystemExit("chromium did not start")
        self.socket = websocket.create_connection(address, timeout=60)
        self.count = 0
        self.session = None
        self.told = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.ask(f"{part}.enable")

    def ask(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self):
        message = json.loads(self.socket.recv())
        if message.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
            self.told.append(message["params"])
        self.last = message.get("method")
        return message

    def visit(self, address):
        self.last = None
        self.ask("Page.navigate", url=address)
        while self.last not in ("Page.loadEventFired", "Page.navigatedWithinDocument"):
            self.read()

    def facts(self):
        value = self.ask("Runtime.evaluate", expression=FACTS)["result"]["value"]
        return json.loads(value)

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()


def look(browser, page, folder, width, scheme):
    browser.ask(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=1,
        mobile=width < 800,
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.ask("Emulation.setEmulatedMedia", features=[feature])
    browser.visit("about:blank")
    browser.visit(page.resolve().as_uri())
    facts = browser.facts()
    assert facts["wide"] <= width, f"{facts['wide']} pixels at {width}"
    assert facts["scripts"] == 0 and facts["alien"] == [], facts
    assert facts["lost"] == [], facts["lost"]
    assert facts["cells"] > 0 and facts["people"] > 0 and facts["open"] == 0, facts
    shot = browser.ask("Page.captureScreenshot", captureBeyondViewport=True)
    picture = base64.b64decode(shot["data"])
    assert len(picture) > 10_000, "the picture is empty"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"class-{width}-{scheme}.png").write_bytes(picture)
    browser.visit(page.resolve().as_uri() + "#s1")
    assert browser.facts()["open"] == 1, "a link does not open what it leads to"
    assert browser.told == [], browser.told


def main(chromium, page, folder):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            for width, scheme in SIZES:
                look(browser, page, folder, width, scheme)
        finally:
            browser.close()
    print(f"{page.name}: {len(SIZES)} looks in a browser")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
