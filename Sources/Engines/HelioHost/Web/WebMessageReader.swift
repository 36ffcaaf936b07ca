package import HelioCore
package import HelioRemoteWire

/// Reads the messages of one browser's data channels at the host: limits their rate, parses and checks them. DTLS has
/// decrypted them already.
package struct WebMessageReader: DropCounting, Sendable {
    /// The result of reading one message.
    package enum Reading: Sendable {
        case message(ViewerMessage)
        /// The message is malformed; this report is sent to the viewer.
        case mistake(RemoteErrorReport)
        case dropped
    }

    /// A reason for which a message is dropped, by name.
    enum Drop: String, Sendable, CaseIterable, Hashable {
        case flood
        case wrongChannel = "wrong-channel"
        case tooManyLosses = "too-many-losses"
    }

    private static let burst = 2000
    private static let perSecond = 1000.0

    private var budget = TokenBucket(burst: burst, perSecond: perSecond)
    /// The rate limit of reports of lost pictures, each of which may cost a picture.
    private var losses = TokenBucket(burst: 50, perSecond: 50)
    private var drops = DropCounter<Drop>()
    private var malformed = DropCounter<RemoteWireError.Reason>()

    package init() {}

    package mutating func read(_ bytes: [UInt8], _ channel: RemoteChannel, now: Instant) -> Reading {
        guard budget.take(now: now) else {
            // An answer to each message would be a flood as well.
            drops.count(.flood)
            return .dropped
        }
        let message: ViewerMessage
        do throws(RemoteWireError) {
            message = try ViewerMessage(parsing: bytes)
        } catch {
            malformed.count(error.reason)
            return .mistake(error.answer)
        }
        // Messages on the channel `moves` may be lost or late, so only message types of that channel and keep-alives
        // are valid there. The ordered channel `control` accepts all types.
        guard channel == .control || message.channel == .moves || message == .alive else {
            drops.count(.wrongChannel)
            return .mistake(RemoteErrorReport(message: "goes by the channel control", about: message.type))
        }
        if case .pictureLost = message, !losses.take(now: now) {
            drops.count(.tooManyLosses)
            return .dropped
        }
        return .message(message)
    }

    /// Counts of all drops, by name.
    package var allDrops: [String: Int] { .sum(drops.named("web-control-"), malformed.named("web-control-")) }
}
