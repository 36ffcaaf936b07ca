/// The kind of a relay message: the first byte of its payload.
///
/// Kind 0 is also the first byte of a NAL unit's start code, so that NAL unit messages have exactly the format of
/// requirement rows 136 and 138.
package enum RelayKind: UInt8, Sendable, Hashable, CaseIterable {
    /// One NAL unit after the start code `00 00 00 01`.
    case nalUnit = 0
    /// The extension's first message.
    case hello = 1
    case format = 2
    case pictureBegins = 3
    case pictureEnds = 4
    case appSound = 5
    case microphone = 6
    /// The end of the session, from either side.
    case end = 7
    case keyframeRequest = 8
    /// A keep-alive, from either side.
    case heartbeat = 9
    /// The app's answer to `hello`.
    case welcome = 10
    /// The app's request to limit the extension's encoder; since version 2.
    case wish = 11

    /// Returns true if a side may send messages of this kind.
    package func isFrom(_ side: RelaySide) -> Bool {
        switch self {
        case .end, .heartbeat: true
        case .welcome, .keyframeRequest, .wish: side == .app
        case .nalUnit, .hello, .format, .pictureBegins, .pictureEnds, .appSound, .microphone:
            side == .broadcastExtension
        }
    }

    /// The payload lengths in bytes that are valid for this kind.
    func lengths(_ limits: RelayLimits) -> ClosedRange<Int> {
        switch self {
        case .nalUnit: 5...max(5, limits.nalUnit)
        case .appSound, .microphone: RelaySound.headerSize + 1...max(RelaySound.headerSize + 1, limits.sound)
        // Later versions may append fields.
        case .hello, .welcome: 2...64
        case .format: 8...8
        case .wish: 9...9
        case .pictureBegins: 10...10
        case .end: 2...2
        case .pictureEnds, .keyframeRequest, .heartbeat: 1...1
        }
    }
}
