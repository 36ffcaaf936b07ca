import HelioCore
import HelioICE
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioRTP
import HelioSCTP
import HelioSTUN
import HelioSimulation
import HelioTURN

/// A peer connection at its place in a simulated network, with its events so far.
final class PeerNode {
    let connection: PeerEngine
    let host: TransportAddress
    var nat: SimulatedNAT?
    var link: SimulatedLink
    /// Further source addresses, at which nothing is received.
    var others: [TransportAddress] = []
    var hasUDP = true
    /// The TCP address on which it listens, and whether it opens connections itself.
    var listens: TransportAddress?
    var mayConnect = false
    var relay: PeerRelay?
    /// The signalling messages in transit to this end, in order.
    var inbox: [(at: Instant, signal: Signal)] = []
    var states: [PeerConnectionState] = []
    var pathKinds: [PeerPathKind?] = []
    var plain: [[UInt8]] = []
    var failures: [PeerConnectionFailure] = []
    var candidates: [String?] = []
    var opened: [PeerChannelID: (description: DataChannelDescription, isByPeer: Bool)] = [:]
    var messages: [PeerChannelID: [DataChannelMessage]] = [:]
    var closed: [PeerChannelID] = []
    var lows: [PeerChannelID] = []
    var timesNeeded = 0
    var agreements = 0
    var agreement: Agreement?
    var relayFailures: [TURNFailure] = []
    var sent: [[UInt8]] = []
    var resolves: [String] = []
    var frames: [ReceivedFrame] = []
    /// The number of keyframe requests.
    var keyframesNeeded = 0
    var repairs: [RepairWish] = []
    var bitrates: [Bitrate] = []
    var framesOf: [Transceiver.ID: [ReceivedFrame]] = [:]
    var packets: [ReceivedPacket] = []
    var orientations: [VideoOrientation] = []
    var goodbyes: [Transceiver.ID] = []
    /// The frame sources of its transceivers.
    var sources: [Transceiver.ID: FrameSource] = [:]
    /// True if this end rolls back its offer on glare.
    var isPolite = false
    /// A description that is held until gathering ends, without trickling.
    var unpublished: ((String) -> Signal)?
    /// True if every received message is sent back on its channel.
    var isEcho = false

    enum Signal {
        case offer(String)
        case answer(String)
        case candidate(String?)
        /// To itself: the app's delay before its answer has passed.
        case thought
        /// To itself: an event that its driver reports a little later.
        case input(PeerEngine.Input)
    }

    /// - Parameter number: 1 or 2.
    init(
        _ connection: PeerEngine, number: UInt32, isBehindNAT: Bool, family: AddressFamily = .ipv4,
        link: SimulatedLink
    ) {
        self.connection = connection
        self.link = link
        let outside: IPAddress =
            family == .ipv4
            ? .v4(0xC633_6400 | number) : .v6(high: 0x2001_0DB8_0000_0000, low: UInt64(number))
        host = TransportAddress(isBehindNAT ? .v4(0x0A00_0000 | number << 8 | 5) : outside, port: 5000)
        if isBehindNAT {
            nat = SimulatedNAT(mapping: .none, filtering: .addressAndPort, outside: outside)
        }
    }

    var sourceDeadline: Deadline? {
        sources.values.map(\.next).min().map { Deadline(at: $0, why: "frame") }
    }

    /// Returns the slices that are due by now.
    func takeSlices(now: Instant) -> [(Transceiver.ID, EncodedSlice)] {
        var slices: [(Transceiver.ID, EncodedSlice)] = []
        for id in sources.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            while var source = sources[id], source.next <= now {
                slices += source.take().map { (id, $0) }
                sources[id] = source
            }
        }
        return slices
    }

    func channel(_ label: String) -> PeerChannelID? { opened.first { $0.value.description.label == label }?.key }

    func messages(on label: String) -> [DataChannelMessage] { channel(label).flatMap { messages[$0] } ?? [] }
}
