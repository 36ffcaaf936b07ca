package import HelioCore

/// One message of the relay between a broadcast extension and its app (rows 134 to 138 and 154).
///
/// ```
/// | '&' | length 4, big-endian | payload: kind 1, and what the kind has |
/// ```
///
/// The length counts the payload, from its first byte on. It has 4 bytes in network order, whatever the machine
/// (defect 16), and nothing pads the header. An access unit goes as `pictureBegins`, a `nalUnit` each for its NAL units,
/// parameter sets included, and `pictureEnds`.
package enum RelayMessage: Sendable, Hashable {
    /// A NAL unit, behind a start code of 4 bytes.
    case nalUnit([UInt8])
    case hello(version: UInt8)
    case format(RelayFormat)
    /// The capture's instant, on the machine's monotonic clock, and whether the picture can be decoded without any before it.
    case pictureBegins(captured: Instant, isKeyframe: Bool)
    case pictureEnds
    case sound(RelaySound)
    case end(RelayEndReason)
    case keyframeRequest
    case heartbeat
    case welcome(version: UInt8)
    case wish(RelayWish)

    /// The version that this code speaks.
    package static let version: UInt8 = 2
    /// The oldest version that this code speaks, too: it has no wishes.
    package static let oldestVersion: UInt8 = 1
    /// The first byte of every message.
    package static let prefix = UInt8(ascii: "&")
    /// The bytes before the payload.
    package static let headerSize = 5

    package var kind: RelayKind {
        switch self {
        case .nalUnit: .nalUnit
        case .hello: .hello
        case .format: .format
        case .pictureBegins: .pictureBegins
        case .pictureEnds: .pictureEnds
        case .sound(let sound): sound.origin == .system ? .appSound : .microphone
        case .end: .end
        case .keyframeRequest: .keyframeRequest
        case .heartbeat: .heartbeat
        case .welcome: .welcome
        case .wish: .wish
        }
    }
}
