/// The kind of a message of the relay: the first byte of its payload.
///
/// The first byte of a NAL unit's start code is 0, so a NAL unit needs no byte more than rows 136 and 138 say.
package enum RelayKind: UInt8, Sendable, Hashable, CaseIterable {
    /// One NAL unit behind `00 00 00 01`.
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
    /// A sign of life, from either side.
    case heartbeat = 9
    /// The app's answer to `hello`.
    case welcome = 10
    /// What the app wants of the extension's encoder; since version 2.
    case wish = 11

    /// Returns true if this side may send it.
    package func isFrom(_ side: RelaySide) -> Bool {
        switch self {
        case .end, .heartbeat: true
        case .welcome, .keyframeRequest, .wish: side == .app
        case .nalUnit, .hello, .format, .pictureBegins, .pictureEnds, .appSound, .microphone:
            side == .broadcastExtension
        }
    }

    /// The lengths, in bytes, that a payload of this kind may have.
    func lengths(_ limits: RelayLimits) -> ClosedRange<Int> {
        switch self {
        case .nalUnit: 5...max(5, limits.nalUnit)
        case .appSound, .microphone: RelaySound.headerSize + 1...max(RelaySound.headerSize + 1, limits.sound)
        // Later versions may say more.
        case .hello, .welcome: 2...64
        case .format: 8...8
        case .wish: 9...9
        case .pictureBegins: 10...10
        case .end: 2...2
        case .pictureEnds, .keyframeRequest, .heartbeat: 1...1
        }
    }
}
