#!/usr/bin/env python3
"""How long from a sound at one machine's output to the same sound at another's, and how whole it arrives.

  sound.py --glass FOLDER ADAPTER...      measures each, interleaved: A B C A B C ...

FOLDER is the harness `glass`, built: it gives the two screens, the network and the pictures. Each end has a PulseAudio
daemon of its own with a null sink, and both sinks' monitors are recorded by one clock, so that what recording takes
cancels out. An adapter is one of the harness; its parts find their daemon in PULSE_SERVER.

modes (--modes):
  clicks   bursts at irregular times over a desktop that changes little: the delay of each
  sync     the same while the whole screen moves: the delay of each, and of the picture of that moment
  tone     a tone of 997 Hz: gaps, level and pitch; the cores that both ends take, on a still screen
  silence  nothing plays, on a still screen: the cores that both ends take
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
import wave

import numpy

RATE = 48000
TONE = 997.0
BURST = 0.003        # seconds of a click
LONGEST_DELAY = 2.0  # what arrives later than that is lost
SETTLE = 3.0
# A gap that is heard: the tone at less than half of its level for as long, in seconds.
GAP = 0.005


def clicks(seconds, seed=1):
    """Bursts of 2 kHz with smooth edges, 0.35 to 0.75 s apart: no two stretches are alike."""
    draw = numpy.random.default_rng(seed)
    samples = numpy.zeros(int(seconds * RATE), numpy.float32)
    length = int(BURST * RATE)
    burst = (0.5 * numpy.sin(2 * numpy.pi * 2000 * numpy.arange(length) / RATE)
             * numpy.hanning(length)).astype(numpy.float32)
    at = 0.3
    while at < seconds - 0.1:
        start = int(at * RATE)
        samples[start:start + length] = burst
        at += draw.uniform(0.35, 0.75)
    return samples


def tone(seconds):
    return (0.25 * numpy.sin(2 * numpy.pi * TONE * numpy.arange(int(seconds * RATE)) / RATE)).astype(numpy.float32)


def write_wave(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        stereo = numpy.repeat((samples * 32767).astype("<i2"), 2)
        file.writeframes(stereo.tobytes())


class Recorder:
    """Records a daemon's null sink, and knows when each sample was played."""

    def __init__(self, server, env):
        self.process = subprocess.Popen(
            ["parec", "--server", server, "--device", "output.monitor", "--rate", str(RATE), "--channels", "1",
             "--format", "float32le", "--latency-msec", "5", "--raw"],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.chunks = []
        self.marks = []  # samples read so far, and the time
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        count = 0
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            count += len(chunk) // 4
            self.marks.append((count, time.monotonic()))
            self.chunks.append(chunk)

    def stop(self):
        """The samples, and the time of the first."""
        self.process.terminate()
        self.process.wait(5)
        self.thread.join(5)
        samples = numpy.frombuffer(b"".join(self.chunks), numpy.float32)
        if not self.marks:
            raise RuntimeError("nothing was recorded")
        # A chunk is read late, never early: the earliest of all tells.
        begin = min(at - count / RATE for count, at in self.marks)
        return samples, begin


def onsets(samples, begin):
    """When each click begins: where its band first has three tenths of the loudest clicks' level."""
    turn = numpy.exp(-2j * numpy.pi * 2000 * numpy.arange(len(samples)) / RATE)
    band = numpy.convolve(samples * turn, numpy.hanning(RATE // 500) / (RATE // 1000), "same")
    level = numpy.abs(band)
    peak = numpy.percentile(level, 99.9)
    if peak < 1e-4:
        return []
    found, loud_until = [], -1.0
    for place in numpy.flatnonzero(level > peak * 0.3):
        at = place / RATE
        if at - loud_until > 0.1:
            found.append(begin + at)
        loud_until = at
    return found


def match(sent, came):
    """The delay of each click that came, by when it was played."""
    if not came:
        return {}
    came = numpy.array(came)
    # The one delay that most clicks agree on comes first: clicks are told apart by their distances.
    votes = {}
    for at in sent:
        for other in came[(came > at) & (came < at + LONGEST_DELAY)]:
            votes[round((other - at) * 50)] = votes.get(round((other - at) * 50), 0) + 1
    if not votes:
        return {}
    usual = max(votes, key=lambda v: votes[v] + votes.get(v - 1, 0) + votes.get(v + 1, 0)) / 50
    delays = {}
    for at in sent:
        near = came[numpy.abs(came - at - usual) < 0.15]
        if len(near):
            delays[at] = float(near[numpy.argmin(numpy.abs(near - at - usual))] - at)
    return delays


def percentiles(values):
    if not values:
        return {"p50": None, "p95": None, "max": None}
    low, high = numpy.percentile(values, [50, 95])
    return {"p50": round(float(low), 1), "p95": round(float(high), 1), "max": round(float(max(values)), 1)}


def tone_figures(samples, seconds):
    """Gaps a minute, the level in dBFS and the pitch in Hz."""
    width = int(GAP * RATE)
    turned = samples * numpy.exp(-2j * numpy.pi * TONE * numpy.arange(len(samples)) / RATE)
    sums = numpy.cumsum(turned)
    smooth = (sums[width:] - sums[:-width]) / width
    level = numpy.abs(smooth)
    usual = float(numpy.median(level))
    if usual < 1e-4:
        return {"gaps_a_minute": None, "level_db": None, "hz": None}
    quiet = level < usual / 2
    edges = numpy.flatnonzero(numpy.diff(quiet.astype(numpy.int8)) == 1)
    # What is one gap may have a moment of sound in it.
    gaps = 0
    last = -RATE
    for edge in edges:
        if edge - last > RATE // 10:
            gaps += 1
        last = edge
    phase = numpy.unwrap(numpy.angle(smooth[::width][~quiet[::width]]))
    slope = numpy.median(numpy.diff(phase)) / (2 * numpy.pi * GAP)
    return {
        "gaps_a_minute": round(gaps * 60 / seconds, 2), "level_db": 20 * numpy.log10(usual * 2),
        "hz": TONE + float(slope), "longest_gap_ms": longest(quiet),
    }


def longest(quiet):
    best = run = 0
    for value in quiet:
        run = run + 1 if value else 0
        best = max(best, run)
    return round(best * 1000 / RATE, 1)


def make_session():
    """The harness's session, with sound: once its folder is among the modules'."""
    from glasslib import metrics, processes
    from glasslib.session import RunError, Session

    class SoundSession(Session):
        def __enter__(self):
            super().__enter__()
            try:
                self.servers = {name: self._start_daemon(name) for name in ("host", "viewer")}
            except BaseException:
                self.__exit__(None, None, None)
                raise
            return self

        def _start_daemon(self, name):
            folder = self.path(f"pulse-{name}")
            os.makedirs(folder, 0o700)
            socket = os.path.join(folder, "native")
            env = {**self.env, "XDG_RUNTIME_DIR": folder, "HOME": folder, "PULSE_RUNTIME_PATH": folder}
            with open(self.path(f"pulse-{name}.out"), "wb") as log:
                daemon = subprocess.Popen(
                    ["nice", "-n", "-10", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
                     "--use-pid-file=no", "--high-priority=no", "--log-target=stderr",
                     f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1",
                     f"--load=module-null-sink sink_name=output rate={RATE}"],
                    env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            self.started.append(daemon)
            self._wait(lambda: os.path.exists(socket), 10, daemon, f"pulseaudio of the {name}")
            return f"unix:{socket}"

        def _start_part(self, name):
            display = self.source if name == "host" else self.destination
            env = {**self.env, "DISPLAY": display, "PULSE_SERVER": self.servers[name], "PULSE_SINK": "output"}
            self.parts[name] = processes.Part(name, self.adapter.command(name), env, self.path(name + ".out"))

        def _play(self, samples):
            path = self.path("played.wav")
            write_wave(path, samples)
            return subprocess.Popen(
                ["paplay", "--server", self.servers["host"], "--device", "output", "--latency-msec", "20", path],
                env=self.env)

        def measure_sound(self, mode):
            seconds = self.options.seconds
            scene = {"sync": "video", "clicks": "typing"}.get(mode, "static")
            self.start_scene(scene)
            whole = seconds + SETTLE + 2
            # Sound plays before anybody listens, as it does where people work.
            player = self._play({"tone": tone, "silence": lambda s: numpy.zeros(int(s * RATE), numpy.float32)}.get(
                mode, clicks)(whole + 40)) if mode != "silence" else None
            self.start_system()
            time.sleep(SETTLE)
            recorders = {name: Recorder(server, self.env) for name, server in self.servers.items()}
            before = self._counters()
            time.sleep(seconds)
            after = self._counters()
            self._check_parts()
            time.sleep(0.5)
            taken = {name: recorder.stop() for name, recorder in recorders.items()}
            if player:
                player.terminate()
                player.wait()
            self.probe.terminate()
            self.probe.wait()
            took = (after["time"] - before["time"]) / 1e9
            figures = {"cpu": {name: round((after[name] - before[name]) / took, 4) for name in ("host", "viewer")}}
            if mode in ("clicks", "sync"):
                figures.update(self._click_figures(taken, mode))
            if mode == "tone":
                here, there = (tone_figures(taken[name][0], seconds) for name in ("host", "viewer"))
                figures.update({
                    "gaps_a_minute": there["gaps_a_minute"], "longest_gap_ms": there.get("longest_gap_ms"),
                    "gaps_at_source": here["gaps_a_minute"],
                    "level_error_db": None if there["level_db"] is None
                    else round(float(there["level_db"] - here["level_db"]), 2),
                    "pitch_error_cents": None if there["hz"] is None
                    else round(float(1200 * numpy.log2(there["hz"] / here["hz"])), 2),
                })
            return figures

        def _click_figures(self, taken, mode):
            sent, came = (onsets(*taken[name]) for name in ("host", "viewer"))
            # The last ones may still be on their way.
            end = taken["host"][1] + len(taken["host"][0]) / RATE - LONGEST_DELAY / 2
            sent = [at for at in sent if at < end]
            delays = match(sent, came)
            figures = {
                "delay_ms": percentiles([d * 1000 for d in delays.values()]), "clicks": len(sent),
                "lost": len(sent) - len(delays),
            }
            if mode == "sync":
                _, drawn = metrics.read_scene_log(self.path("scene.log"))
                seen, _ = metrics.read_probe_log(self.path("probe.log"))
                pictures = sorted((drawn[c] / 1e9, (seen[c] - drawn[c]) / 1e9) for c in seen if c in drawn)
                times = numpy.array([at for at, _ in pictures])
                offsets = []
                for at, delay in delays.items():
                    place = int(numpy.searchsorted(times, at))
                    near = [pictures[i] for i in (place - 1, place) if 0 <= i < len(pictures)]
                    near = [p for p in near if abs(p[0] - at) < 0.1]
                    if near:
                        offsets.append((delay - min(near, key=lambda p: abs(p[0] - at))[1]) * 1000)
                figures["picture_ms"] = percentiles([d * 1000 for _, d in pictures])
                figures["sound_after_picture_ms"] = percentiles(offsets)
                figures["offset_ms"] = percentiles([abs(o) for o in offsets])
            return figures

    return SoundSession, RunError


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapters", nargs="+", metavar="ADAPTER")
    parser.add_argument("--glass", required=True, help="the harness's folder, built")
    parser.add_argument("--modes", default="clicks,sync,tone,silence")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--link", help="a name or a description as the harness takes it")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=720)
    parser.add_argument("--fps", type=int, default=60)
    parser.add_argument("--display", type=int, default=93)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--out", help="a file for all figures as JSON")
    options = parser.parse_args()
    options.shots = None
    options.actions = 0
    sys.path.insert(0, os.path.abspath(options.glass))
    from glasslib import isolation
    from glasslib.adapter import ROOT, Adapter

    session, error = make_session()
    here = os.path.dirname(os.path.abspath(__file__))
    adapters = []
    for name in options.adapters:
        own = os.path.join(here, "adapters", name + ".sh")
        adapters.append(Adapter(name if "/" in name or not os.path.exists(own) else own))
    for adapter in adapters:
        if missing := adapter.check():
            sys.exit(f"sound: {adapter.name} can't run: {missing}")
    isolation.enter_private_network()
    results = []
    with isolation.link(options.link, os.path.join(ROOT, "bin", "wire")):
        for turn in range(options.rounds):
            for mode in options.modes.split(","):
                for adapter in adapters:
                    line = {"adapter": adapter.name, "mode": mode, "round": turn + 1, "link": options.link}
                    try:
                        with session(adapter, options) as run:
                            line.update(run.measure_sound(mode))
                    except (error, RuntimeError) as problem:
                        line["error"] = str(problem)
                    results.append(line)
                    print(json.dumps(line), flush=True)
    if options.out:
        with open(options.out, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
