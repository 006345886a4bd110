"""timeline.py - pages of sonde timeline in a headless Chromium: what a user does, and what must then be seen and said.

timeline.py SONDE WORKDIR [SHOTDIR]
  The recordings are those of tests/data; what they hold is asked of sonde's other commands.

Prints "ok NAME" or "FAIL NAME why" per test, last "N passed, N failed, N skipped".
"""
import os
import re
import subprocess
import sys
import tempfile

from flame import HERE, Wrong, near, same, soon, start, webdriver

if webdriver:
    from flame import ActionChains, Keys

DATA = os.path.join(HERE, "..", "data")


class Page:
    def __init__(self, driver, sonde, where, shots):
        self.d, self.sonde, self.where, self.shots = driver, sonde, where, shots

    def make(self, name, *options):
        path = os.path.join(self.where, name + ".html")
        subprocess.run([self.sonde, "timeline", "-o", path, *options], check=True, stderr=subprocess.DEVNULL)
        return path

    def open(self, path):
        self.d.get("about:blank")
        self.d.get("file://" + path)
        soon(lambda: same("shown", self.js("return !document.getElementById('page').hidden && drawn > 0"), True))

    def recording(self, name, *options):
        self.open(self.make(os.path.basename(name), "-i", os.path.join(DATA, name), *options))

    def js(self, code, *args):
        return self.d.execute_script(code, *args)

    def text(self, name):
        return self.js("return document.getElementById(arguments[0]).textContent", name)

    def shot(self, name):
        if self.shots:
            self.settle()
            self.d.save_screenshot(os.path.join(self.shots, "timeline-" + name + ".png"))

    def settle(self):
        """What was asked for is drawn."""
        self.d.execute_async_script("const d = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(d))")

    def keys(self, *keys):
        ActionChains(self.d).send_keys(*keys).perform()

    def type(self, field, text):
        el = self.js("return document.getElementById(arguments[0])", field)
        el.clear()
        el.send_keys(text)

    def canvas(self):
        return self.js("return document.querySelector('#view canvas')")

    def span(self):
        return self.js("return show.to - show.from")

    def where_is(self, kind, number):
        """Where on the canvas an item's middle is: x, y."""
        return self.js("""const row = rows.find(r => r.parts.some(p => p.lane.kind === arguments[0] && p.lane.n > arguments[1]));
            const p = row.parts.find(p => p.lane.kind === arguments[0]), c = items(p.lane);
            return [toX((c.s[arguments[1]] + c.e[arguments[1]]) / 2), row.y - view.scrollTop + p.y + p.h / 2,
                describe(p.lane, arguments[1])];""", kind, number)

    def mouse(self, x, y):
        """From the canvas' corner."""
        size = self.js("return [width, tall]")
        return ActionChains(self.d).move_to_element_with_offset(self.canvas(), round(x - size[0] / 2), round(y - size[1] / 2))

    def command(self, *words):
        return subprocess.run([self.sonde, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


TESTS = []
RUN, TASK, IRQ, SOFTIRQ, CALL, MARK, TASK_MARK, COUNTER = range(8)


def test(f):
    TESTS.append(f)
    return f


@test
def says_what_there_is(p):
    p.recording("dat/profile.dat")
    p.shot("whole")
    events = len([l for l in p.command("script", "-i", DATA + "/dat/profile.dat", "-F", "event").splitlines() if l.strip()])
    same("events", p.text("about").split(" events")[0], f"{events:,}")
    rows = p.js("return rows.map(r => r.text)")
    same("first rows", rows[:2], ["CPU 0", "CPU 1"])
    if "sh:224" not in rows:
        raise Wrong(f"no row of sh:224 in {rows}")


@test
def lanes_have_what_their_levels_say(p):
    p.recording("dat/profile.dat")
    same("wrong", p.js("""const wrong = [];
        for (const l of meta.lanes)
            for (let k = 1; k <= highest(l); k++) {
                const up = items(l, k), down = items(l, k - 1);
                for (let i = 0; i < up.n; i++) {
                    let busy = 0, count = 0;
                    for (let j = i * 16; j < Math.min(down.n, i * 16 + 16); j++) {
                        busy += k > 1 ? down.busy[j] : down.e[j] - down.s[j];
                        count += k > 1 ? down.count[j] : 1;
                    }
                    if (up.s[i] !== down.s[i * 16] || up.busy[i] !== busy || up.count[i] !== count)
                        wrong.push([l.kind, k, i]);
                }
            }
        return wrong"""), [])
    n = p.js("return meta.lanes.filter(l => l.kind === 1).reduce((n, l) => n + items(l).n - l.n, 0)")
    same("stays of tasks that are missing", n, 0)


@test
def a_stay_says_what_timehist_says(p):
    p.recording("sched/guest.data")
    lines = {}
    for line in p.command("sched", "timehist", "-i", DATA + "/sched/guest.data").splitlines():
        m = re.match(r"\s*([\d.]+) \[0*(\d+)\]\s+.*?\[(\d+)(?:/\d+)?\]\s+[\d.]+\s+([\d.]+)\s+([\d.]+)", line)
        if m and float(m.group(5)) > 0:
            lines[m.group(1), m.group(2), m.group(3)] = m.group(4), m.group(5)
    said = p.js("""const all = [];
        for (const l of meta.lanes.filter(l => l.kind === 0)) {
            const c = items(l);
            for (let i = 0; i < c.n; i++)
                all.push([clock(c.e[i], 6), describe(l, i)]);
        }
        return all""")
    unit = {"ns": 1e-6, "\u00b5s": 1e-3, "ms": 1, "s": 1e3}
    compared = 0
    for end, text in said:
        m = re.search(r"for ([\d.]+) (\S+)   CPU (\d+)   .*:(\d+) runs", text)
        want = lines.get((end, m.group(3), m.group(4)))
        if not want:
            continue
        near(text, float(m.group(1)) * unit[m.group(2)], float(want[1]), 0.0011)
        w = re.search(r"waited ([\d.]+) (\S+)", text)
        near(text, float(w.group(1)) * unit[w.group(2)] if w else 0, float(want[0]), 0.0011)
        compared += 1
    same("lines of timehist without a stay", len(lines) - compared, 0)
    if compared < 30:
        raise Wrong(f"only {compared} stays were compared")


@test
def keys_zoom_to_nanoseconds_and_back(p):
    p.recording("dat/profile.dat")
    whole = p.span()
    p.keys("+")
    near("half", p.span(), whole / 2, whole / 1000)
    p.keys("-")
    near("whole", p.span(), whole, whole / 1000)
    for _ in range(30):
        p.keys("+")
    same("least", p.span(), 20)
    p.shot("nanoseconds")
    at = p.js("return show.from")
    p.keys(Keys.ARROW_RIGHT)
    near("moved", p.js("return show.from") - at, 2.5, 0.01)
    p.keys("0")
    near("whole", p.span(), p.js("return (meta.last - meta.first) * 1.02"), 10)
    p.keys("+", Keys.HOME)
    near("first", p.js("return show.from - meta.first"), 0, p.span() / 1.9)
    p.keys(Keys.END)
    near("last", p.js("return meta.last - show.to"), 0, p.span() / 1.9)


@test
def wheel_and_drag(p):
    p.recording("dat/profile.dat")
    t, span = p.js("return toT(700)"), p.span()
    p.js("""canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: -300, clientX: 700, clientY: 200, cancelable: true}))""")
    near("zoomed", p.span(), span / 2.718, span / 100)
    near("what is below the mouse", p.js("return toT(700)"), t, p.span() / 100)
    start_ = p.js("return show.from")
    p.mouse(700, 200).click_and_hold().move_by_offset(-200, 0).release().perform()
    near("moved", p.js("return show.from") - start_, 200 * p.js("return perPx()"), 3 * p.js("return perPx()"))


@test
def click_picks_and_says(p):
    p.recording("dat/profile.dat")
    x, y, said = p.where_is(RUN, 2)
    p.js("zoom(0.5, toT(arguments[0]))", x)
    x, y, said = p.where_is(RUN, 2)
    p.mouse(x, y).click().perform()
    soon(lambda: same("status", p.text("status"), said))
    p.shot("picked")
    p.keys(".")
    same("the next", p.text("status"), p.where_is(RUN, 3)[2])
    p.keys(",", ",")
    same("the one before", p.text("status"), p.where_is(RUN, 1)[2])
    p.keys(Keys.ENTER)
    near("zoomed to it", p.span(), p.js("const c = items(picked.lane); return 1.4 * (c.e[1] - c.s[1])"), 20)
    x, y, said = p.where_is(CALL, 0)
    p.keys("0")
    same("a call says its function", bool(re.search(r"\w+\(\)   depth \d", said)), True)


@test
def markers_tell_their_difference(p):
    p.recording("dat/profile.dat")
    p.mouse(400, 300).perform()
    p.keys("a")
    p.mouse(600, 300).perform()
    p.keys("b")
    a, b = p.js("return [marker.a, marker.b]")
    near("difference", b - a, 200 * p.js("return perPx()"), 3 * p.js("return perPx()"))
    text = p.text("marks")
    same("said", f"({b - a:,} ns)" in text and f"A {p.js('return clock(marker.a)')}" in text, True)
    p.keys("r")
    near("zoomed to it", p.span(), b - a, 2)
    p.keys(Keys.ESCAPE)
    same("cleared", [p.text("marks"), p.js("return marker.a")], ["", None])
    ActionChains(p.d).key_down(Keys.SHIFT).perform()
    p.mouse(300, 300).click_and_hold().move_by_offset(100, 0).release().perform()
    ActionChains(p.d).key_up(Keys.SHIFT).perform()
    near("range", p.js("return marker.b - marker.a"), 100 * p.js("return perPx()"), 3 * p.js("return perPx()"))


@test
def search_finds_tasks_events_and_text(p):
    p.recording("dat/profile.dat")
    lines = p.command("script", "-i", DATA + "/dat/profile.dat", "-F", "event,trace").splitlines()
    p.keys("/")
    p.type("q", "NR 56 ")
    want = len([l for l in lines if "raw_syscalls" in l and "NR 56 " in l])
    soon(lambda: same("found", p.text("found"), f"{want:,}"))
    p.keys(Keys.ENTER)
    soon(lambda: same("at", p.text("found"), f"1 of {want:,}"))
    same("what", "NR 56 " in p.text("status"), True)
    p.keys(Keys.ESCAPE, "n")
    same("at", p.text("found"), f"2 of {want:,}")
    p.keys("N", "N")
    same("around", p.text("found"), f"{want:,} of {want:,}")
    p.shot("search")
    p.type("q", "do_idle")
    calls = len([l for l in lines if "funcgraph_exit" in l and " do_idle " in l])
    soon(lambda: same("calls", p.text("found"), f"{calls:,}"))
    p.type("q", "[")
    soon(lambda: same("bad", p.text("found"), "no pattern"))


@test
def filters_leave_rows_out(p):
    p.recording("dat/profile.dat")
    p.type("task", "^sh:")
    soon(lambda: same("rows", p.js("return rows.map(r => r.text)"), ["CPU 0", "CPU 1", "sh:224"]))
    p.type("cpus", "1")
    soon(lambda: same("rows", p.js("return rows.map(r => r.text)"), ["CPU 1", "sh:224"]))
    p.type("cpus", "x")
    soon(lambda: same("invalid", p.js("return document.getElementById('cpus').getAttribute('aria-invalid')"), "true"))
    p.js("document.querySelector('details').open = true")
    p.shot("filters")
    p.js("""[...document.querySelectorAll("#kinds label")].find(l => l.textContent.trim() === "Tasks").click()""")
    soon(lambda: same("rows", p.js("return rows.map(r => r.text)"), ["CPU 1"]))


@test
def flame_graph_of_a_range(p):
    p.recording("perf/clock.data")
    p.keys("f")
    n = len([l for l in p.command("script", "-i", DATA + "/perf/clock.data", "-F", "event,time").splitlines() if l.strip()])
    soon(lambda: same("samples", p.text("what").split(" ")[0], f"{n:,}"))
    p.shot("flame")
    top = p.js("return [flame.root.w, [...flame.root.kids.values()].reduce((n, k) => n + k.w, 0)]")
    same("the weight of all", top[0], top[1])
    p.js("marker.a = meta.first; marker.b = (meta.first + meta.last) / 2; tellMarkers()")
    half = p.js("""let n = 0; for (const l of meta.lanes) if (l.kind === 5) { const c = items(l);
        for (let i = 0; i < c.n; i++) if (c.stack[i] && c.s[i] <= marker.b) n++; } return n""")
    if not 0 < half < n:
        raise Wrong(f"{half} of {n} samples in the first half: the test shows nothing")
    soon(lambda: same("samples", p.text("what").split(" ")[0], f"{half:,}"))
    p.keys("f")
    same("closed", p.js("return document.getElementById('flame').hidden"), True)


@test
def help_opens_and_closes(p):
    p.recording("dat/profile.dat")
    p.keys("?")
    same("open", p.js("return document.getElementById('help').open"), True)
    p.shot("help")
    p.keys(Keys.ESCAPE)
    same("open", p.js("return document.getElementById('help').open"), False)


@test
def names_are_shown_as_text(p):
    with open(DATA + "/dat/v6.dat", "rb") as f:
        data = f.read()
    evil = os.path.join(p.where, "evil.dat")
    with open(evil, "wb") as f:
        f.write(data.replace(b"trace-cmd\0", b"</script>\0").replace(b"rcu_sched\0", b"\"'<b>\x1b\x01\xff\xe2\0"))
    p.open(p.make("evil", "-i", evil, "--title", "</title><b>\"'"))
    labels = p.js("return meta.tasks.map(t => t.label)")
    same("the name", any("</script>:" in l for l in labels), True)
    same("control characters", [l for l in labels if re.search("[\x00-\x1f]", l)], [])
    same("elements", p.js("return document.querySelectorAll('h1 b, title b, #status b, footer b').length"), 0)
    same("title", p.js("return document.title"), "</title><b>\"'")


@test
def one_event_and_none(p):
    first = p.command("script", "-i", DATA + "/dat/functions.dat", "--ns", "-F", "time").split()[0].rstrip(":")
    p.recording("dat/functions.dat", "--time", f"{first},{first}")
    same("events", p.text("about"), "1 event in 0 ns")
    p.keys("+", "-", "0", Keys.ARROW_LEFT, Keys.END, ".", Keys.ENTER, "a", "b", "n", "f")
    same("picked", p.text("status").split("   ")[0], first)
    p.recording("dat/functions.dat", "--time", "1,2")
    same("says", p.text("about"), "There are no events in this recording.")
    p.keys("+", "-", "0", ".", ",", Keys.ENTER, "a", "b", "n", "N", "f", Keys.ESCAPE)
    p.shot("empty")


@test
def times_of_a_century(p):
    p.open(p.make("far", "-i", DATA + "/dat/profile.dat", "--sync", "profile.dat=3153600000s"))
    first = p.command("script", "-i", DATA + "/dat/profile.dat", "--ns", "-F", "time").split()[0].rstrip(":")
    seconds, ns = first.split(".")
    same("first", p.js("return clock(0)"), f"{3153600000 + int(seconds)}.{ns}")
    for _ in range(25):
        p.keys("+")
    same("span", p.span(), 20)
    same("ticks a nanosecond apart", p.js("return new Set(ticks(5).map(t => clock(t))).size > 2"), True)


@test
def without_a_script_it_says_so(p):
    path = p.make("plain", "-i", DATA + "/dat/profile.dat")
    p.d.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        p.d.get("file://" + path)
        shown = p.d.find_element("css selector", "noscript").text + p.d.find_element("css selector", "body").text
    finally:
        p.d.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    same("says", "JavaScript" in shown, True)


@test
def two_machines_and_small_windows(p):
    path = p.make("two", "-i", DATA + "/dat/profile.dat", "-i", DATA + "/dat/events.dat", "--sync", "sched_switch")
    p.d.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 640, "deviceScaleFactor": 2, "mobile": False})
    try:
        p.open(path)
        p.shot("small")
        same("too wide", p.js("return document.documentElement.scrollWidth > 400"), False)
        rows = p.js("return rows.map(r => r.text)")
    finally:
        p.d.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    same("both", ["CPU 0 profile.dat" in rows, "CPU 0 events.dat" in rows], [True, True])


@test
def dark_is_dark(p):
    p.d.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        p.recording("dat/profile.dat")
        p.shot("dark")
        same("ground", p.js("return pixels[pixels.length - 2] === ink.page && ink.bg"), "#15171c")
    finally:
        p.d.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def run_one(t, page):
    try:
        page.d.get_log("browser")
        t(page)
        for e in page.d.get_log("browser"):
            if e["level"] in ("SEVERE", "WARNING"):
                raise Wrong("the console says " + e["message"])
    except Exception as e:  # a browser's own error fails the test, not the run
        print(f"FAIL {t.__name__} {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
        return False
    print(f"ok {t.__name__}")
    return True


@test
def a_timechart_is_a_picture(p):
    path = os.path.join(p.where, "chart.svg")
    p.command("timechart", "-q", "-n", "1000", "-i", DATA + "/sched/guest.data", "-o", path)
    p.d.get("about:blank")
    p.d.get("file://" + path)
    same("root", p.js("return document.documentElement.nodeName"), "svg")
    p.shot("chart")
    rows = p.js("return [...document.querySelectorAll('text.r')].map(t => t.textContent)")
    same("first row", rows[0], "CPU 0")
    # Each part has a title, lies within the picture, and a row's name is left of its bars.
    same("outside", p.js("""const all = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll('g rect, line.wake')].map(e => [e, e.getBoundingClientRect()])
            .filter(([e, r]) => r.left < all.left - 1 || r.right > all.right + 1 || r.bottom > all.bottom + 1).length"""), 0)
    same("under names", p.js("""const bars = Math.min(...[...document.querySelectorAll('g rect')].map(e => e.getBoundingClientRect().left));
        return [...document.querySelectorAll('text.r')].filter(t => t.getBoundingClientRect().right > bars ||
            t.getBoundingClientRect().left < 0).map(t => t.textContent)"""), [])
    same("without a title", p.js("""return [...document.querySelectorAll('rect.sample, rect.waiting, rect.blocked, line.wake')]
        .filter(e => e.parentNode.nodeName === 'g' && !e.querySelector('title')).length"""), 0)
    if p.js("return document.querySelectorAll('g rect.sample').length") < 60:
        raise Wrong("few stays")


def main():
    sonde, where = sys.argv[1:3]
    wanted = os.environ.get("ONLY", "")
    tests = [t for t in TESTS if wanted in t.__name__]
    if webdriver is None or not os.path.exists("/usr/bin/chromedriver"):
        print(f"0 passed, 0 failed, {len(tests)} skipped")
        return 0
    with tempfile.TemporaryDirectory(dir=where) as profile:
        driver = start(profile)
        try:
            page = Page(driver, os.path.abspath(sonde), where, sys.argv[3] if len(sys.argv) > 3 else None)
            passed = sum(run_one(t, page) for t in tests)
        finally:
            driver.quit()
    print(f"{passed} passed, {len(tests) - passed} failed, 0 skipped")
    return 0 if passed == len(tests) else 1


if __name__ == "__main__":
    sys.exit(main())
