#!/usr/bin/env python3
"""Renders the pages of reports in a headless browser, light and dark, and says what is wrong with them.

    tools/pages.py                    # those of the example `edges`, which are written first
    tools/pages.py target/report      # those of a folder
    tools/pages.py --install          # gets the browser from Debian, as root

A page has no errors on its console, its links inside lead somewhere, nothing of it is wider than the window, and it is light or
dark as the reader asks, with something on it. What was rendered is in `target/pages`.
"""

import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["chromium-headless-shell", "chromium", "google-chrome", "chrome"]
SIZE = (1400, 1000)
# What Blink calls the two.
SCHEMES = {"dark": 0, "light": 1}
PROBE = """<script>
addEventListener("load", () => {
    const dead = [...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute("href").slice(1))
        .filter(id => id && !document.getElementById(id));
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const text = document.body.innerText.length;
    document.documentElement.dataset.probe = JSON.stringify({dead, wide, text});
});
</script>"""


def browser():
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        sys.exit("no browser: `tools/pages.py --install` gets `chromium-headless-shell` from Debian")
    return found


def run(page, scheme, *arguments):
    """What the browser prints, and the errors of the page's console."""
    with tempfile.TemporaryDirectory() as profile:
        command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   f"--user-data-dir={profile}", f"--window-size={SIZE[0]},{SIZE[1]}", "--virtual-time-budget=5000",
                   f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", "--enable-logging=stderr",
                   *arguments, page.resolve().as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=True)
    return done.stdout, re.findall(r"CONSOLE[^\]]*\] (.*)", done.stderr)


def pixels(image):
    """The rows of a PNG of 8 bits a channel, as lists of (r, g, b)."""
    data, at, packed = image.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    step = {2: 3, 6: 4}[colour]
    raw, before, rows = zlib.decompress(packed), bytearray(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        mode, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for x in range(len(row)):
            left = row[x - step] if x >= step else 0
            corner = before[x - step] if x >= step else 0
            row[x] = (row[x] + predicted(mode, left, before[x], corner)) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, len(row), step)])
        before = row
    return rows


def predicted(mode, left, above, corner):
    """What PNG's filters expect a byte to be (section 9 of the specification)."""
    if mode == 4:
        near = left + above - corner
        return min((left, above, corner), key=lambda value: abs(near - value))
    return [0, left, above, (left + above) // 2][mode]


def faults(page, shots):
    found = []
    copy = page.with_suffix(".probe.html")
    copy.write_text(page.read_text() + PROBE)
    try:
        dom, errors = run(copy, "light", "--dump-dom")
    finally:
        copy.unlink()
    found += [f"on the console: {error}" for error in errors]
    probe = re.search(r'data-probe="([^"]*)"', dom)
    seen = json.loads(probe.group(1).replace("&quot;", '"')) if probe else None
    if not seen or seen["text"] < 200:
        return found + ["there is nothing on it"]
    found += [f"nothing is called `{name}`, which a link leads to" for name in seen["dead"]]
    if seen["wide"] > 0:
        found.append(f"it is {seen['wide']} pixels wider than the window")
    for scheme in SCHEMES:
        shot = shots / f"{page.parent.name}-{page.stem}-{scheme}.png"
        run(page, scheme, f"--screenshot={shot}")
        rows = pixels(shot)
        ground = rows[0][0]
        light = sum(ground) / 3
        if (light < 60) != (scheme == "dark") or (light > 200) != (scheme == "light"):
            found.append(f"its ground is {ground} where {scheme} is asked for")
        other = sum(1 for row in rows for pixel in row if abs(sum(pixel) / 3 - light) > 100)
        if other < 1000:
            found.append(f"next to nothing stands out, {scheme}: {other} pixels")
    return found


def main():
    if "--install" in sys.argv:
        install = ["apt-get", "install", "-y", "--no-install-recommends", NAMES[0]]
        sys.exit(subprocess.run(install, check=False).returncode)
    shots = ROOT / "target/pages"
    shots.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else shots / "edges"
    if len(sys.argv) == 1:
        build = ["env", f"LOOPWRIGHT_REPORT={folder}", "cargo", "build", "--example", "edges"]
        subprocess.run(build, cwd=ROOT, check=True)
    pages = sorted(folder.rglob("*.html"))
    if not pages:
        sys.exit(f"no pages in {folder}")
    wrong = 0
    for page in pages:
        found = faults(page, shots)
        wrong += len(found)
        print(f"{page}: {'; '.join(found) or 'as it should be'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
