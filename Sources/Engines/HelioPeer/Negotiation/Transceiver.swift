package import HelioCore
package import HelioSDP

/// The sender and the receiver of one media section (RFC 8829 section 3.4.1).
package struct Transceiver: Sendable, Hashable {
    /// The identifier of a transceiver, unique within its ``Negotiation``.
    package struct ID: Sendable, Hashable {
        package let rawValue: Int
    }

    package let id: ID
    package let kind: MediaKind
    /// The direction that this end wants.
    package internal(set) var direction: MediaDirection
    /// The negotiated direction; `nil` before the first negotiation.
    package internal(set) var currentDirection: MediaDirection?
    /// The `mid` of the section; `nil` without a section.
    package internal(set) var mid: String?
    /// The stream to send; `nil` if nothing is sent.
    package internal(set) var sender: SendingStream?

    /// True if `addTrack` made the transceiver, so that a section of the peer's offer may use it.
    var isClaimable = false
    /// True if an offer of the peer created the transceiver.
    var isFromPeer = false
    /// True if the transceiver was stopped, so that the next description has to refuse its section.
    var isStopping = false
    /// The section's direction in the last answered offer.
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

    /// The direction for a description; it excludes sending if there is no sender.
    var offered: MediaDirection { direction.intersection(sender == nil ? .recvonly : .sendrecv) }

    /// True if the negotiated direction no longer matches the wanted one (W3C WebRTC section 4.7.3), or the transceiver
    /// was stopped.
    var needsNegotiation: Bool {
        guard let currentDirection, let lastOffer else { return true }
        if isStopping { return true }
        return lastOffer.isLocal
            ? offered != lastOffer.direction : offered.intersection(lastOffer.direction) != currentDirection
    }
}
