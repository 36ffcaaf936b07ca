"""The test picture that peers send, and what they tell of the pictures that they get."""

import time

WIDTH, HEIGHT, RATE = 320, 240, 30
BACKGROUND, BAR, BAR_WIDTH, STEP = 64, 220, 32, 4
# The expected mean luma at a receiver, 79.6 before coding losses.
MEAN = BACKGROUND + (BAR - BACKGROUND) * BAR_WIDTH / WIDTH

_COLOURLESS = bytes([128]) * (WIDTH * HEIGHT // 2)


def picture(number):
    """Picture `number` in I420: a light bar which moves to the right on a dark ground."""
    start = number * STEP % (WIDTH - BAR_WIDTH)
    row = bytes([BACKGROUND]) * start + bytes([BAR]) * BAR_WIDTH
    row += bytes([BACKGROUND]) * (WIDTH - len(row))
    return row * HEIGHT + _COLOURLESS


def mean(luma, stride, width, height):
    """The mean of every eighth row."""
    rows = range(0, height, 8)
    return sum(sum(luma[row * stride : row * stride + width]) for row in rows) / (len(rows) * width)


class FrameMeter:
    """Tells of the first picture, and then of the newest one about ten times a second."""

    def __init__(self, say):
        self.say = say
        self.count = 0
        self.last = 0.0

    def frame(self, width, height, luma):
        """One more picture; `luma` gives its mean, and is only asked where it's told."""
        self.count += 1
        now = time.monotonic()
        if self.count > 1 and now - self.last < 0.1:
            return
        self.last = now
        self.say({"type": "frames", "count": self.count, "width": width, "height": height, "luma": round(luma(), 2)})
