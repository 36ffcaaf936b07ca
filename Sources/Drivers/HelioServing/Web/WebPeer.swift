internal import HelioCore
internal import HelioPeer
internal import HelioPeerPort
internal import HelioRemoteWire

/// One browser's peer connection: its track, its data channels, and what waits to be signalled.
struct WebPeer {
    let handle: PeerHandle
    /// `nil` until its offer is answered.
    var track: Transceiver.ID?
    var channels: [RemoteChannel: PeerChannelID] = [:]
    /// Candidates that came before the answer: the viewer can do nothing with them yet.
    var held: [TrickledCandidate?]? = []
    /// Why it has failed.
    var failure: String?

    func channel(_ id: PeerChannelID) -> RemoteChannel? { channels.first { $0.value == id }?.key }
}
