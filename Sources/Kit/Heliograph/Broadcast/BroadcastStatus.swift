internal import HelioBroadcast
internal import HelioCore

/// How the broadcast to one server stands.
public struct BroadcastStatus: Sendable, Hashable, Codable {
    /// The stages of a broadcast.
    public enum State: String, Sendable, Hashable, Codable {
        /// It is not connected: `reason` says why, and it is tried again. Without a reason it waits for the other end.
        case waiting
        case connecting
        /// The server takes the stream.
        case live
        /// It is connected, and takes nothing at the moment.
        case stalled
        /// The server has refused it for good, for `reason`: the end.
        case refused
        /// It was ended from here.
        case ended
    }

    /// The server's address, without anything that may be a secret.
    public let url: String
    /// True where it is sent what viewers are sent, and not an encode of its own.
    public let isViewersEncode: Bool
    /// The stage that it is in.
    public let state: State
    /// Why it is not live, a whole sentence.
    public let reason: String?
    /// The bitrate of the last second, picture and sound.
    public let megabitsPerSecond: Double
    /// The round trip in milliseconds, where the transport knows it.
    public let roundTrip: Double?
    /// How long the oldest picture or packet of sound that waits has waited, milliseconds.
    public let queuedMilliseconds: Double
    /// Pictures that the connection took.
    public let pictures: Int64
    /// Keyframes of them.
    public let keyframes: Int64
    /// Packets of sound that the connection took.
    public let soundPackets: Int64
    /// Bytes of picture and sound that the connection took.
    public let bytes: Int64
    /// Connections so far.
    public let connections: Int
    /// How often it has stalled.
    public let stalls: Int
    /// What was not sent, counted by reason.
    public let drops: [String: Int]

    init(url: String, isViewersEncode: Bool, _ statistics: BroadcastStatistics) {
        self.url = url
        self.isViewersEncode = isViewersEncode
        state = State(statistics.state)
        reason = statistics.state.failure?.message
        megabitsPerSecond = Double(statistics.rate.bitsPerSecond) / 1e6
        roundTrip = statistics.roundTrip?.milliseconds
        queuedMilliseconds = statistics.queued.milliseconds
        pictures = statistics.pictures
        keyframes = statistics.keyframes
        soundPackets = statistics.sounds
        bytes = statistics.mediaBytes
        connections = statistics.connections
        stalls = statistics.stalls
        drops = statistics.drops
    }

    /// Pictures and packets of sound that were not sent.
    public var dropped: Int { drops.values.reduce(0, +) }
}

extension BroadcastStatus.State {
    init(_ state: BroadcastState) {
        self =
            switch state {
            case .waiting: .waiting
            case .connecting: .connecting
            case .live: .live
            case .stalled: .stalled
            case .refused: .refused
            case .ended: .ended
            }
    }
}
