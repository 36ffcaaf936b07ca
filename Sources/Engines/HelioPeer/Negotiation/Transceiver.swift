package import HelioCore
package import HelioSDP

/// One media section's sending and receiving (RFC 8829 section 3.4.1).
package struct Transceiver: Sendable, Hashable {
    /// Unique while the ``Negotiation`` lasts.
    package struct ID: Sendable, Hashable {
        package let rawValue: Int
    }

    package let id: ID
    package let kind: MediaKind
    /// The direction that this end wants.
    package internal(set) var direction: MediaDirection
    /// The direction that was agreed on; `nil` before that.
    package internal(set) var currentDirection: MediaDirection?
    /// The section's name, once there is a section.
    package internal(set) var mid: String?
    /// The stream to send; `nil` where nothing is sent.
    package internal(set) var sender: SendingStream?

    /// True where `addTrack` made the transceiver: an offer of the peer's may use it.
    var isClaimable = false
    /// True where an offer of the peer's made the transceiver.
    var isFromPeer = false
    /// True where the next description has to refuse the section.
    var isStopping = false
    /// The last offer that was agreed on.
    var lastOffer: LastOffer?

    struct LastOffer: Sendable, Hashable {
        /// The direction, as seen from this end.
        var direction: MediaDirection
        var isLocal: Bool
    }

    init(id: ID, kind: MediaKind, direction: MediaDirection) {
        self.id = id
        self.kind = kind
        self.direction = direction
    }

    /// The direction for a description, without sending where there is no sender.
    var offered: MediaDirection { direction.intersection(sender == nil ? .recvonly : .sendrecv) }

    /// True where the agreed direction is no longer the wanted one (W3C WebRTC section 4.7.3).
    var needsNegotiation: Bool {
        guard let currentDirection, let lastOffer else { return true }
        if isStopping { return true }
        return lastOffer.isLocal
            ? offered != lastOffer.direction : offered.intersection(lastOffer.direction) != currentDirection
    }
}
