private import Foundation
internal import HelioCore
import HelioHost
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioSession

/// What a source has sent, and to whom; as a line of JSON for `share --stats`.
public struct SourceStatistics: Sendable, Codable {
    /// Somebody who watches with Heliograph.
    public struct Viewer: Sendable, Codable {
        let id: UInt64
        /// Where it is.
        public let address: String
        /// The name of a paired device.
        public let device: String?
        /// It watches with a browser.
        public let isBrowser: Bool
        /// Whether what it does is taken.
        public let allowsControl: Bool
        /// It wants no pictures for now.
        public let isPaused: Bool
        /// Since it came.
        public let frames: Int
        /// Since it came, with those that were sent again.
        public let packets: Int
        /// Packets that were sent again.
        public let resent: Int
        /// Since it came, protection included.
        public let bytes: Int
        /// See `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// What the viewer has said that its path takes.
        public let suggestedMegabitsPerSecond: Double?
        /// There and back, milliseconds.
        public let roundTrip: Double?
        /// Of the viewer's last report, 0...1.
        public let loss: Double?
    }

    /// The ordinary players, all together.
    public struct Players: Sendable, Codable {
        /// Where those are that play.
        public let addresses: [String]
        /// To those that are connected now.
        public let frames: Int
        /// To those that are connected now.
        public let packets: Int
        /// To those that are connected now.
        public let bytes: Int
        /// See `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// What was thrown away and who was refused since sharing began, by name.
        public let drops: [String: Int]
    }

    /// The server that the stream is published to.
    public struct Publication: Sendable, Codable {
        /// Where it is, without user and query.
        public let url: String
        /// Whether it takes the stream now.
        public let isPublished: Bool
        /// How often it began to.
        public let sessions: Int
        /// Since sharing began.
        public let frames: Int
        /// Since sharing began.
        public let packets: Int
        /// Since sharing began.
        public let bytes: Int
        /// See `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// What was thrown away since sharing began, by name.
        public let drops: [String: Int]
    }

    /// Seconds since sharing began.
    public let time: Double
    /// What is coded now, in pixels.
    public let width: Int
    /// What is coded now, in pixels.
    public let height: Int
    /// `h264` or `h265`.
    public let codec: String
    /// The ceiling of the frame rate.
    public let framesPerSecond: Int
    /// In the order in which they came.
    public internal(set) var viewers: [Viewer]
    /// `nil` where there is no endpoint for players.
    public internal(set) var players: Players?
    /// `nil` where the stream is not published anywhere.
    public internal(set) var publication: Publication?
    /// What was thrown away and who was refused since sharing began, by name.
    public let drops: [String: Int]

    init(
        _ host: SourceHost.Statistics, players: RTSPPlayServer.Statistics?, publication: Publication?,
        others: [String: Int] = [:], time: Duration
    ) {
        self.time = time.milliseconds / 1000
        width = host.format.size.width
        height = host.format.size.height
        codec = host.format.codec.rawValue
        framesPerSecond = host.format.framesPerSecond
        viewers = host.viewers.map { Viewer($0) }
        self.players = players.map { Players($0) }
        self.publication = publication
        drops = host.drops.merging(others) { $0 + $1 }
    }

    mutating func setRates(since earlier: SourceStatistics?) {
        let seconds = max(0.001, time - (earlier?.time ?? 0))
        func rate(_ bytes: Int, _ before: Int?) -> Double { Double(max(0, bytes - (before ?? 0))) * 8 / 1e6 / seconds }
        for index in viewers.indices {
            let before = earlier?.viewers.first { $0.id == viewers[index].id }
            viewers[index].megabitsPerSecond = rate(viewers[index].bytes, before?.bytes)
        }
        if let bytes = players?.bytes { players?.megabitsPerSecond = rate(bytes, earlier?.players?.bytes) }
        if let bytes = publication?.bytes {
            publication?.megabitsPerSecond = rate(bytes, earlier?.publication?.bytes)
        }
    }

    /// One line of JSON, keys in order.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension SourceStatistics.Viewer {
    fileprivate init(_ viewer: SourceHost.Statistics.Viewer) {
        self.init(
            id: viewer.id.rawValue, address: viewer.address, device: viewer.device, isBrowser: viewer.isWeb,
            allowsControl: viewer.mayDrive, isPaused: viewer.isPaused, frames: viewer.framesSent,
            packets: viewer.packetsSent, resent: viewer.resent,
            bytes: viewer.bytesSent,
            suggestedMegabitsPerSecond: viewer.suggestedBitrate.map { Double($0.bitsPerSecond) / 1e6 },
            roundTrip: viewer.roundTrip?.milliseconds, loss: viewer.loss)
    }
}

extension SourceStatistics.Players {
    fileprivate init(_ players: RTSPPlayServer.Statistics) {
        self.init(
            addresses: players.addresses.sorted(), frames: players.framesSent, packets: players.packetsSent,
            bytes: players.bytesSent, drops: players.drops)
    }
}

extension SourceStatistics.Publication {
    init(_ publication: RTSPRecordClient.Statistics, url: String) {
        self.init(
            url: url, isPublished: publication.isPublished, sessions: publication.sessions,
            frames: publication.framesSent, packets: publication.packetsSent, bytes: publication.bytesSent,
            drops: publication.drops)
    }
}
