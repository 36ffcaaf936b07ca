package import HelioSDP

/// One media section's worth of sending and receiving (RFC 8829 section 3.4.1).
package struct Transceiver: Sendable, Hashable {
    /// Unique while the ``Negotiation`` lasts.
    package struct ID: Sendable, Hashable {
        package let rawValue: Int
    }

    package let id: ID
    package let kind: MediaKind
    /// What this end wants.
    package internal(set) var direction: MediaDirection
    /// What was agreed on; `nil` before that.
    package internal(set) var currentDirection: MediaDirection?
    /// The section's name, once there is a section.
    package internal(set) var mid: String?
    /// `nil` where nothing is sent.
    package internal(set) var sender: SendingStream?

    /// Made by `addTrack`: an offer of the peer's may take it up.
    var isClaimable = false
    /// Made by an offer of the peer's.
    var isFromPeer = false
    /// To be refused in the next description.
    var isStopping = false
    /// The last offer that was agreed on.
    var lastOffer: LastOffer?

    struct LastOffer: Sendable, Hashable {
        /// As seen from here.
        var direction: MediaDirection
        var isLocal: Bool
    }

    init(id: ID, kind: MediaKind, direction: MediaDirection) {
        self.id = id
        self.kind = kind
        self.direction = direction
    }

    /// What goes into a description: nothing is sent without a sender.
    var offered: MediaDirection { direction.intersection(sender == nil ? .recvonly : .sendrecv) }

    /// Whether what was agreed on is no longer what is wanted (W3C WebRTC section 4.7.3).
    var needsNegotiation: Bool {
        guard let currentDirection, let lastOffer else { return true }
        if isStopping { return true }
        return lastOffer.isLocal
            ? offered != lastOffer.direction : offered.intersection(lastOffer.direction) != currentDirection
    }
}
