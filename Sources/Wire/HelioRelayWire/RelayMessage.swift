package import HelioCore

/// A message of the relay between a broadcast extension and its app (requirement rows 134 to 138 and 154).
///
/// ```
/// | '&' | length 4, big-endian | payload: kind 1, and the fields of the kind |
/// ```
///
/// The length is that of the payload, including the kind. It has 4 bytes in network order on every machine (defect 16),
/// and the header has no padding. An access unit is sent as `pictureBegins`, one `nalUnit` for each NAL unit, including
/// parameter sets, and `pictureEnds`.
package enum RelayMessage: Sendable, Hashable {
    /// A NAL unit after a start code of 4 bytes.
    case nalUnit([UInt8])
    case hello(version: UInt8)
    case format(RelayFormat)
    /// The start of a picture: its capture time on the machine's monotonic clock, and whether it is a keyframe.
    case pictureBegins(captured: Instant, isKeyframe: Bool)
    case pictureEnds
    case sound(RelaySound)
    case end(RelayEndReason)
    case keyframeRequest
    case heartbeat
    case welcome(version: UInt8)
    case wish(RelayWish)

    /// The newest supported version.
    package static let version: UInt8 = 2
    /// The oldest supported version, which has no `wish` messages.
    package static let oldestVersion: UInt8 = 1
    /// The first byte of every message.
    package static let prefix = UInt8(ascii: "&")
    /// The size of the header before the payload, in bytes.
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
