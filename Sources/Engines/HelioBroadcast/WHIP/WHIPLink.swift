package import HelioCore

/// An event of a WHIP session, reported by the driver.
package enum WHIPLinkEvent: Sendable {
    /// The peer connection was made, and is gathering candidates.
    case opened
    /// The peer connection has gathered all candidates.
    case gathered
    /// The SDP offer that ``WHIPLinkCommand/offer`` requested.
    case offer(String)
    /// The result of a request.
    case exchange(WHIPExchange.Input)
    /// The server's answer was applied, and accepts these media.
    case agreed(WHIPAgreement)
    /// The server's answer can't be applied, for this reason.
    case unusable(String)
    /// Media may be sent.
    case connected
    case lost(WHIPLoss)
    case keyframeNeeded
    /// The state of the send queue: the time needed to send all queued video (`queued`), and to send only the queued
    /// pictures of which no packet was sent yet (`stale`).
    case backlog(queued: Duration, stale: Duration)
    case measured(WHIPMeasurement)
}

/// A command to the driver of a WHIP session.
package enum WHIPLinkCommand: Sendable {
    /// Makes a peer connection with these STUN and TURN servers, which an earlier answer has named;
    /// ``WHIPLinkEvent/opened`` follows.
    case open([WHIPServer])
    /// Requests the SDP offer; ``WHIPLinkEvent/offer(_:)`` follows.
    case offer
    /// Sends a request by HTTP; ``WHIPLinkEvent/exchange(_:)`` follows.
    case request(WHIPRequest)
    /// Cancels the present request.
    case cancel
    /// Applies the server's answer.
    case accept(WHIPAnswer)
    case picture(EncodedSlice, captured: Instant)
    /// A packet of Opus to send; the timestamp is in units of 1/48000 s (RFC 7587 section 4.1).
    case sound([UInt8], timestamp: UInt32, isFirst: Bool, captured: Instant)
    /// Measures the send queue; ``WHIPLinkEvent/backlog(queued:stale:)`` follows at once.
    case look
    /// Measures the connection; ``WHIPLinkEvent/measured(_:)`` follows at once.
    case measure
    /// Closes the peer connection; none of its events follow.
    case close
}

/// The media that the server accepts according to its answer.
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

/// The state of a session's media, as reported by the peer connection.
package struct WHIPMeasurement: Sendable, Hashable {
    package var media: BroadcastMeasurement
    package var statistics: WHIPStatistics

    package init(media: BroadcastMeasurement, statistics: WHIPStatistics) {
        self.media = media
        self.statistics = statistics
    }
}

/// The reason why a session's media connection has failed or ended.
package enum WHIPLoss: Sendable, Hashable {
    /// The peer connection could not be set up on this machine, for this reason.
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
