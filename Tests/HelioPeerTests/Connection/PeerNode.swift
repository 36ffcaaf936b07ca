import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioSCTP
import HelioSimulation

/// A peer connection at its place in a simulated network, with what it has told so far.
final class PeerNode {
    let connection: PeerConnection
    let host: TransportAddress
    var nat: SimulatedNAT?
    var link: SimulatedLink
    /// Signalling to this end, in order.
    var inbox: [(at: Instant, signal: Signal)] = []
    var states: [PeerConnectionState] = []
    var failures: [PeerConnectionFailure] = []
    var candidates: [String?] = []
    var opened: [PeerChannelID: (description: DataChannelDescription, isByPeer: Bool)] = [:]
    var messages: [PeerChannelID: [DataChannelMessage]] = [:]
    var closed: [PeerChannelID] = []
    var lows: [PeerChannelID] = []
    var timesNeeded = 0
    var agreements = 0
    var sent: [[UInt8]] = []
    var resolves: [String] = []
    var frames: [ReceivedFrame] = []
    /// How often a keyframe was asked for.
    var keyframesNeeded = 0
    var bitrates: [Bitrate] = []
    /// Of two offers that cross, this end takes its own back.
    var isPolite = false
    /// Of a description that waits for the last candidates, where these don't trickle.
    var unpublished: ((String) -> Signal)?
    /// Sends every message back on its channel.
    var isEcho = false

    enum Signal {
        case offer(String)
        case answer(String)
        case candidate(String?)
        /// To itself: the app has thought about the offer.
        case thought
    }

    /// - Parameter number: 1 or 2.
    init(_ connection: PeerConnection, number: UInt32, isBehindNAT: Bool, link: SimulatedLink) {
        self.connection = connection
        self.link = link
        let outside = IPAddress.v4(0xC633_6400 | number)
        host = TransportAddress(isBehindNAT ? .v4(0x0A00_0000 | number << 8 | 5) : outside, port: 5000)
        if isBehindNAT {
            nat = SimulatedNAT(mapping: .none, filtering: .addressAndPort, outside: outside)
        }
    }

    func channel(_ label: String) -> PeerChannelID? { opened.first { $0.value.description.label == label }?.key }

    func messages(on label: String) -> [DataChannelMessage] { channel(label).flatMap { messages[$0] } ?? [] }
}
