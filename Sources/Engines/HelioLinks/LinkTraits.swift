package import HelioCore

/// The kind of a link, in order of cost: a cheaper kind comes first.
package enum LinkKind: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// Datagrams straight to the peer.
    case direct
    /// Datagrams through a TURN server.
    case relayed
    /// Datagrams through the rendezvous server, in a WebSocket.
    case rendezvous
    /// A stand-in with little width.
    case narrow

    /// The kind in statistics.
    package var name: String {
        switch self {
        case .direct: "direct"
        case .relayed: "relayed"
        case .rendezvous: "rendezvous"
        case .narrow: "narrow"
        }
    }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The properties of a link that the driver knows.
package struct LinkTraits: Sendable, Hashable {
    package var kind: LinkKind
    /// The rate that the bundle must not exceed; `nil` for no limit.
    package var width: Bitrate?

    package init(kind: LinkKind, width: Bitrate? = nil) {
        self.kind = kind
        self.width = width
    }
}
