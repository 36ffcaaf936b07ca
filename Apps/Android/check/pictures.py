"""Known pictures: drawn, coded as a phone's encoder would, and compared with what a viewer shows."""

import subprocess
from pathlib import Path

import numpy

COLORS = [(255, 255, 255), (240, 240, 0), (0, 240, 240), (0, 220, 0), (220, 0, 220), (230, 0, 0), (0, 0, 230), (16, 16, 16)]
# Pictures of a round, 30 a second; the first of each 30 has a flash, for 3 pictures. Only the first is a keyframe.
ROUND = 150
MATRICES = {"709": "bt709", "601": "smpte170m"}
CODERS = {
    "avc": ["-c:v", "libx264", "-preset", "veryfast", "-x264-params", "aud=1:bframes=0:scenecut=0:keyint=9999:qp=8"],
    "hevc": [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "aud=1:repeat-headers=1:bframes=0:scenecut=0:keyint=9999:qp=8:log-level=none",
    ],
}  # fmt: skip


def still_rows(height):
    """The rows from the top that never change."""
    return height * 7 // 8


def draw(width, height):
    """The picture without what moves: colors, a grey ramp and a slow change of colors."""
    picture = numpy.full((height, width, 3), 128, numpy.uint8)
    across = numpy.arange(width)
    bars, ramp, rest = height // 2, height * 5 // 8, still_rows(height)
    picture[:bars] = numpy.array(COLORS, numpy.uint8)[across * len(COLORS) // width]
    picture[bars:ramp] = (across * 255 // (width - 1))[None, :, None]
    down = numpy.arange(rest - ramp)
    picture[ramp:rest, :, 0] = across * 200 // width + 20
    picture[ramp:rest, :, 1] = (down * 200 // len(down) + 20)[:, None]
    picture[ramp:rest, :, 2] = 220 - across * 200 // width
    return picture


def flash_box(width, height):
    """Left, top, width and height of the square that flashes."""
    side = height // 16
    return 0, height - side, side, side


def code(folder, width, height, codec, matrix):
    """Writes the coded pictures to the fake phone's folder."""
    rest = still_rows(height)
    side = height // 16
    tags = MATRICES[matrix]
    name = Path(folder) / f"video-{width}x{height}.{codec}"
    coder = subprocess.Popen(
        [
            "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "30",
            "-i", "-", "-vf", f"scale=out_color_matrix={tags}:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p",
            "-colorspace", tags, "-color_primaries", tags, "-color_trc", tags, "-color_range", "tv",
            *CODERS[codec], "-f", "hevc" if codec == "hevc" else "h264", str(name),
        ],
        stdin=subprocess.PIPE,
    )  # fmt: skip
    picture = draw(width, height)
    left, top, *_ = flash_box(width, height)
    for number in range(ROUND):
        picture[rest:] = 128
        place = side * 2 + number * 2 % (width - side * 3)
        picture[rest : rest + side, place : place + side] = (250, 200, 40)
        picture[top:, left : left + side] = 255 if number % 30 < 3 else 0
        coder.stdin.write(picture.tobytes())
    coder.stdin.close()
    if coder.wait():
        raise RuntimeError(f"ffmpeg can't code {name}")


def likeness(shown, width, height):
    """The peak signal-to-noise ratio in dB of what is shown, without the part that moves."""
    if shown.shape[:2] != (height, width):
        return 0.0
    rest = still_rows(height)
    difference = shown[:rest, :, :3].astype(int) - draw(width, height)[:rest].astype(int)
    error = float((difference**2).mean())
    return 99.0 if error == 0 else 10 * float(numpy.log10(255**2 / error))
