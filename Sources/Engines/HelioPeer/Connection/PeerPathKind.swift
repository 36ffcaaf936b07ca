/// The kind of the path between two peers, by which a path is compared with other ways to the peer.
package struct PeerPathKind: Hashable, Sendable {
    /// True if a TURN server of either end is on the path.
    package var isRelayed: Bool
    /// True if this end sends by TCP, to the peer or to its own TURN server: a lost segment then delays what follows.
    package var isTCP: Bool

    package init(isRelayed: Bool, isTCP: Bool) {
        self.isRelayed = isRelayed
        self.isTCP = isTCP
    }
}
