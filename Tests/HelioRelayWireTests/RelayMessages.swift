import HelioCore
import HelioRelayWire

/// One message of each type with its bytes, written by hand from the layouts in the documentation.
enum RelayMessages {
    static let ofExtension: [(RelayMessage, String)] = [
        (.hello(version: 1), "26 00000002 01 01"),
        (
            .format(
                RelayFormat(
                    codec: .h265, size: PixelSize(width: 720, height: 1280), framesPerSecond: 30, quarterTurns: 3)),
            "26 00000008 02 02 1E 02D0 0500 03"
        ),
        (
            .pictureBegins(captured: Instant(nanoseconds: 0x0102_0304), isKeyframe: true),
            "26 0000000A 03 01 0000000001020304"
        ),
        (.nalUnit([0, 0, 0, 1, 0x67, 0x42]), "26 00000006 00000001 6742"),
        (.pictureEnds, "26 00000001 04"),
        (
            .sound(
                RelaySound(
                    origin: .system, codec: .pcm, format: SoundFormat(sampleRate: 48000, channels: 2),
                    captured: Instant(nanoseconds: 5), payload: [1, 2, 3, 4])),
            "26 00000013 05 01 02 0000BB80 0000000000000005 01020304"
        ),
        (
            .sound(
                RelaySound(
                    origin: .microphone, codec: .opus, format: SoundFormat(sampleRate: 16000, channels: 1),
                    captured: Instant(nanoseconds: -1), payload: [9])),
            "26 00000010 06 02 01 00003E80 FFFFFFFFFFFFFFFF 09"
        ),
        (.heartbeat, "26 00000001 09"),
        (.end(.finished), "26 00000002 07 00"),
    ]

    static let ofApp: [(RelayMessage, String)] = [
        (.welcome(version: 1), "26 00000002 0A 01"),
        (.keyframeRequest, "26 00000001 08"),
        (.heartbeat, "26 00000001 09"),
        (
            .wish(RelayWish(bitrate: 2_000_000, largest: PixelSize(width: 640, height: 360))),
            "26 00000009 0B 001E8480 0280 0168"
        ),
        (.wish(RelayWish()), "26 00000009 0B 00000000 0000 0000"),
        (.end(.version), "26 00000002 07 02"),
    ]

    static func all(of side: RelaySide) -> [(RelayMessage, String)] { side == .app ? ofApp : ofExtension }
}
