package import HelioCore

/// The engine of one peer, as a ``PeerPort`` drives it.
package protocol PeerPortEngine: AnyObject, Engine, SendableMetatype {
    associatedtype Event

    /// What the peer's checks begin with; another after an ICE restart, `nil` before anything is negotiated.
    var localUsernameFragment: String? { get }

    /// Whether a check of this end's has shown that the peer is there.
    func isProven(from remote: TransportAddress, onLocal base: TransportAddress) -> Bool

    /// `nil` for what is nothing to this engine.
    static func input(_ input: PeerPortInput) -> Input?
    static func action(_ output: Output) -> PeerPortAction<Event>
}
