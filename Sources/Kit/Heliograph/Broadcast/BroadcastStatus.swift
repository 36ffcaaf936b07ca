internal import HelioBroadcast
internal import HelioCore

/// The status of the broadcast to one server.
public struct BroadcastStatus: Sendable, Hashable, Codable {
    /// The state of the connection between a broadcast and its server.
    public enum State: String, Sendable, Hashable, Codable {
        /// The broadcast is not connected. After a failure, given as `reason`, the next attempt follows; without a
        /// reason, this end waits for the other end to connect.
        case waiting
        case connecting
        /// The broadcast is connected: the server accepts the stream.
        case live
        /// The broadcast is connected, but the server accepts no data at the moment.
        case stalled
        /// The server has refused the broadcast, for `reason`, and is not retried.
        case refused
        /// This machine has ended the broadcast.
        case ended
    }

    /// The server's URL, without the parts that may hold a secret.
    public let url: String
    /// True if the server receives the viewers' encoding; false if the broadcast is encoded separately.
    public let isViewersEncode: Bool
    /// The current state of the connection to the server.
    public let state: State
    /// The reason why the broadcast is not live, as a human-readable sentence; `nil` if it is live or there was no
    /// failure.
    public let reason: String?
    /// The bitrate of picture and sound over the last second, in Mbit/s.
    public let megabitsPerSecond: Double
    /// The round-trip time in milliseconds; `nil` if the transport does not measure it.
    public let roundTrip: Double?
    /// The age of the oldest picture or packet of sound that waits to be sent, in milliseconds.
    public let queuedMilliseconds: Double
    /// The number of pictures sent.
    public let pictures: Int64
    /// The number of keyframes among `pictures`.
    public let keyframes: Int64
    /// The number of packets of sound sent.
    public let soundPackets: Int64
    /// The number of bytes of picture and sound sent, without the transport's overhead.
    public let bytes: Int64
    /// The number of connections made so far.
    public let connections: Int
    /// The number of times that the connection has stalled.
    public let stalls: Int
    /// The number of pictures and packets of sound that were dropped instead of sent, by reason.
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

    /// The total number of pictures and packets of sound that were dropped instead of sent.
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
