package import HelioCore

/// An event of a WHIP session, reported by the driver.
package enum WHIPLinkEvent: Sendable {
    /// The peer connection is made, and gathers candidates.
    case opened
    /// The peer connection has gathered all candidates.
    case gathered
    /// The local description, upon ``WHIPLinkCommand/offer``.
    case offer(String)
    /// The result of a request.
    case exchange(WHIPExchange.Input)
    /// The server's answer is applied.
    case agreed(WHIPAgreement)
    /// The server's answer can't be applied; with the reason.
    case unusable(String)
    /// Media may be sent.
    case connected
    case lost(WHIPLoss)
    case keyframeNeeded
    /// The times until all queued video is sent, and until that of pictures not yet begun is.
    case backlog(queued: Duration, stale: Duration)
    case measured(WHIPMeasurement)
}

/// A command to the driver of a WHIP session.
package enum WHIPLinkCommand: Sendable {
    /// Makes a peer connection with these STUN and TURN servers, which an earlier answer has named;
    /// ``WHIPLinkEvent/opened`` follows.
    case open([WHIPServer])
    /// Asks for the local description.
    case offer
    /// Sends a request by HTTP; ``WHIPLinkEvent/exchange(_:)`` follows.
    case request(WHIPRequest)
    /// Cancels the present request.
    case cancel
    /// Applies the server's answer.
    case accept(WHIPAnswer)
    case picture(EncodedSlice, captured: Instant)
    /// A packet of Opus; the timestamp counts 48,000 a second (RFC 7587 section 4.1).
    case sound([UInt8], timestamp: UInt32, isFirst: Bool, captured: Instant)
    /// Asks for ``WHIPLinkEvent/backlog(queued:stale:)``, which follows at once.
    case look
    /// Asks for ``WHIPLinkEvent/measured(_:)``, which follows at once.
    case measure
    /// Closes the peer connection. No events of it follow.
    case close
}

/// The media that the server accepts, by its answer.
package struct WHIPAgreement: Sendable, Hashable {
    package var hasVideo: Bool
    package var hasSound: Bool
    /// The `profile-level-id` of H.264.
    package var profile: String?

    package init(hasVideo: Bool, hasSound: Bool, profile: String? = nil) {
        self.hasVideo = hasVideo
        self.hasSound = hasSound
        self.profile = profile
    }
}

/// The state of a session's media, by the peer connection.
package struct WHIPMeasurement: Sendable, Hashable {
    package var media: BroadcastMeasurement
    package var statistics: WHIPStatistics

    package init(media: BroadcastMeasurement, statistics: WHIPStatistics) {
        self.media = media
        self.statistics = statistics
    }
}

/// The reason why a session has no connection for media.
package enum WHIPLoss: Sendable, Hashable {
    /// The failure of a peer connection that this machine could not set up.
    case notSetUp(String)
    case silent
    case ended
    case noPath
    case noCommonProtection
    case notEncrypted(String)

    func failure(wasConnected: Bool) -> BroadcastFailure {
        switch self {
        case .notSetUp(let why):
            BroadcastFailure(.failed, "This end of the WHIP connection can't be set up: \(why).")
        case .silent: BroadcastFailure(.lost, "The WHIP server has not been heard of for too long.")
        case .ended: BroadcastFailure(.lost, "The WHIP server has ended the connection.")
        case .noPath where !wasConnected:
            BroadcastFailure(.unreachable, "The WHIP server answers, but no way to its media works.")
        case .noPath: BroadcastFailure(.lost, "No way to the WHIP server works any more.")
        case .noCommonProtection:
            BroadcastFailure(.incompatible, "The WHIP server has no encryption of media in common with us.")
        case .notEncrypted(let why):
            BroadcastFailure(.failed, "The WHIP connection can't be encrypted: \(why).")
        }
    }
}
