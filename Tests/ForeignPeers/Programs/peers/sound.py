"""The test tone that peers send, and what they tell of the sound that they get."""

import array
import math
import time

RATE = 48000
# The left and right tones in hertz, and the amplitude of each: 12 dB below full scale.
TONES, AMPLITUDE = (440, 660), 10 ** (-12 / 20)
# The tone pauses for the first tenth of each second of the machine's clock, so its end-to-end delay
# can be measured.
REST = RATE // 10
# The sample frames of a chunk: 10 ms.
CHUNK = RATE // 100
# Samples below this are silence.
_QUIET = AMPLITUDE / 10
# The frames of an analysis block, and the number of consecutive quiet blocks (50 ms) that make a
# pause instead of a gap.
_BLOCK, _RESTING = 120, 20
# Opus fades the ends of a tone: this much at either end is excluded from pitch and level.
_EDGE = RATE // 50


def _second():
    samples = array.array("h", bytes(4 * RATE))
    for frame in range(REST, RATE):
        for ear, tone in enumerate(TONES):
            samples[2 * frame + ear] = round(32767 * AMPLITUDE * math.sin(2 * math.pi * tone * frame / RATE))
    return (samples + samples[: 4 * CHUNK]).tobytes()


class Tone:
    """Chunks of 16 bit stereo, as they'd come from a microphone: none before its time."""

    def __init__(self, chunk=CHUNK):
        self.chunk = chunk
        self.second = _second()
        # The next sample frame, counted from the epoch of the machine's clock.
        self.next = int(time.time() * RATE) // chunk * chunk

    def wait(self):
        """Seconds until the next chunk is whole."""
        return max(0, (self.next + self.chunk) / RATE - time.time())

    def take(self):
        start = self.next % RATE * 4
        self.next += self.chunk
        return self.second[start : start + self.chunk * 4]


class SoundMeter:
    """Tells of each tone between two rests: how high and how loud in each ear, how long, with how many holes, and how
    much later it came out than it went in."""

    def __init__(self, say):
        self.say = say
        self.count = 0
        self.ears = []
        self.quiet = _RESTING
        self.onset = None
        self.tone = []
        self.gaps = 0

    def hear(self, samples, channels, rate):
        """More samples, interleaved, in parts of full scale; the last of them is heard now."""
        now = time.time()
        if len(self.ears) != channels:
            self.ears = [array.array("f") for _ in range(channels)]
            self.tone = [array.array("f") for _ in range(channels)]
        for ear, waiting in enumerate(self.ears):
            waiting.extend(samples[ear::channels])
        frames = len(self.ears[0])
        for start in range(0, frames - _BLOCK + 1, _BLOCK):
            block = [ear[start : start + _BLOCK] for ear in self.ears]
            self.take(block, rate, now - (frames - start) / rate)
        done = frames // _BLOCK * _BLOCK
        self.ears = [ear[done:] for ear in self.ears]

    def take(self, block, rate, when):
        if max(max(max(ear), -min(ear)) for ear in block) < _QUIET:
            self.quiet += 1
            if self.quiet == _RESTING:
                self.tell(rate)
            return
        if self.quiet >= _RESTING:
            self.onset, self.gaps = when, 0
            self.tone = [array.array("f") for _ in block]
        else:
            self.gaps += self.quiet
        self.quiet = 0
        # A tone that was already playing before the first pause has no known onset.
        if self.onset is not None and len(self.tone[0]) < 2 * rate:
            for ear, more in zip(self.tone, block):
                ear.extend(more)

    def tell(self, rate):
        edge = _EDGE * rate // RATE
        ears = [ear[edge:-edge] for ear in self.tone]
        onset, self.onset = self.onset, None
        if onset is None or not ears or len(ears[0]) < edge:
            return
        self.count += 1
        late = (onset - REST / RATE) % 1
        self.say(
            {
                "type": "sound",
                "count": self.count,
                "rate": rate,
                "tones": [{"frequency": _frequency(ear, rate), "level": _level(ear)} for ear in ears],
                "length": round(1000 * len(self.tone[0]) / rate, 1),
                "gaps": round(1000 * self.gaps * _BLOCK / rate, 1),
                "delay": round(1000 * (late if late < 0.9 else late - 1), 1),
            }
        )


def _frequency(samples, rate):
    """By the time between rising zeros. Those far from the median are splices."""
    rising = [
        i - b / (b - a) for i, (a, b) in enumerate(zip(samples, samples[1:]), 1) if a < 0 <= b
    ]
    periods = sorted(b - a for a, b in zip(rising, rising[1:]))
    if not periods:
        return 0
    median = periods[len(periods) // 2]
    near = [period for period in periods if abs(period / median - 1) < 0.02]
    return round(rate * len(near) / sum(near), 3)


def _level(samples):
    """Decibels below a sine of full scale."""
    power = sum(sample * sample for sample in samples) / len(samples)
    return round(10 * math.log10(2 * power), 2) if power else -200.0


def floats(data):
    """16 bit samples as parts of full scale."""
    return array.array("f", [sample / 32768 for sample in array.array("h", data)])


def in_stereo(sdp):
    """A description that asks for stereo, and says that this end has it: a stack's own ask for one ear."""
    terms = "stereo=1;sprop-stereo=1"
    lines = sdp.split("\r\n")
    described = {line[7:].split()[0] for line in lines if line.startswith("a=fmtp:")}
    opus = {line[9:].split()[0] for line in lines if line.startswith("a=rtpmap:") and " opus/" in line.lower()}
    result = []
    for line in lines:
        kind, _, rest = line.partition(":")
        number = rest.split(" ")[0]
        if kind == "a=fmtp" and number in opus and "stereo=" not in line:
            line += f";{terms}"
        result.append(line)
        if kind == "a=rtpmap" and number in opus - described:
            result.append(f"a=fmtp:{number} {terms}")
    return "\r\n".join(result)
