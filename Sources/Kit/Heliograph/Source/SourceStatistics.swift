private import Foundation
internal import HelioCore
import HelioHost
private import HelioMedia
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioSession
internal import HelioSound
public import HelioViewing

/// The statistics of a source: what it has sent, and to whom; as a line of JSON for `share --stats`.
public struct SourceStatistics: Sendable, Codable {
    /// The statistics of a viewer that watches with Heliograph.
    public struct Viewer: Sendable, Codable {
        /// The viewer's number, for `MirrorSource.putOut(_:)`: no two viewers of a source ever have the same.
        public let id: UInt64
        /// The viewer's address.
        public let address: String
        /// The name of a paired device.
        public let device: String?
        /// True for a browser.
        public let isBrowser: Bool
        /// True where the viewer's input is taken.
        public let allowsControl: Bool
        /// True where it drives now.
        public let drives: Bool
        /// True while the viewer wants no pictures.
        public let isPaused: Bool
        /// The transport by which its picture goes, `udp` or `tcp`; `nil` for a browser, which chooses among more.
        public let transport: String?
        /// Frames sent since it came.
        public let frames: Int
        /// Packets sent since it came, retransmissions included.
        public let packets: Int
        /// Retransmitted packets.
        public let resent: Int
        /// Bytes sent since it came, encryption included.
        public let bytes: Int
        /// The bitrate since the earlier statistics; see `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// The bitrate that the viewer's path is estimated to carry, by what the viewer reports (row 17).
        public let suggestedMegabitsPerSecond: Double?
        /// The round trip, milliseconds.
        public let roundTrip: Double?
        /// The loss in the viewer's last report, 0...1.
        public let loss: Double?
        /// What it is sent: `main`; `second`, the encode for viewers that are far slower than others; or `refresh`, a
        /// picture of the main encode now and then.
        public let encode: String
        /// The sound that it is sent, by origin: `pcm`, or `opus` and the length of a packet; `off` where it wants none.
        public let sound: [String: String]
        /// Packets of sound sent since it came.
        public let soundPackets: Int
        /// What has come of its voice since it came; `nil` where it is not heard.
        public let voice: Voice?

        /// The statistics of a viewer's voice.
        public struct Voice: Sendable, Codable {
            /// Packets that came.
            public let packets: Int
            /// Packets lost on the way, also where a later one repeated them.
            public let lost: Int
            /// Those of them that a later one repeated.
            public let repeated: Int
        }
    }

    /// The statistics of the ordinary players, all together.
    public struct Players: Sendable, Codable {
        /// The addresses of the players that play.
        public let addresses: [String]
        /// Frames sent to the players that are connected now.
        public let frames: Int
        /// Packets sent to the players that are connected now.
        public let packets: Int
        /// Bytes sent to the players that are connected now.
        public let bytes: Int
        /// The bitrate since the earlier statistics; see `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// Items dropped and clients refused since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// The statistics of the server that the stream is published to.
    public struct Publication: Sendable, Codable {
        /// The server's address, without user and query.
        public let url: String
        /// True while the server takes the stream.
        public let isPublished: Bool
        /// The number of sessions so far.
        public let sessions: Int
        /// Frames sent since sharing began.
        public let frames: Int
        /// Packets sent since sharing began.
        public let packets: Int
        /// Bytes sent since sharing began.
        public let bytes: Int
        /// The bitrate since the earlier statistics; see `MirrorSource.statistics`.
        public internal(set) var megabitsPerSecond = 0.0
        /// Items dropped since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// The statistics of the second encode.
    public struct Second: Sendable, Codable {
        /// The width that is coded now, in pixels.
        public let width: Int
        /// The height that is coded now, in pixels.
        public let height: Int
        /// The ceiling of the frame rate that is coded now.
        public let framesPerSecond: Int
        /// The bitrate that is coded for now, Mbit/s: what the slowest of its viewers' paths carries.
        public let codedMegabitsPerSecond: Double
    }

    /// The statistics of one origin's sound.
    public struct Sound: Sendable, Codable {
        /// The statistics of an encode.
        public struct Encode: Sendable, Codable {
            /// `pcm`, `opus` or `aac`.
            public let codec: String
            /// The length of a packet, milliseconds.
            public let packetMilliseconds: Double
            /// The ceiling of the bitrate, bits a second.
            public let bitrate: Int
            /// Packets made since sharing began.
            public let packets: Int
            /// True while somebody wants it.
            public let isMade: Bool
        }

        /// `system` or `microphone`.
        public let input: SoundInput
        /// The device that is captured; `nil` while none is.
        public let device: String?
        /// The encodes that were made since sharing began.
        public let encodes: [Encode]
        /// Sample frames that were captured, and not taken in time.
        public let overrunFrames: UInt64
        /// Packets dropped since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// Seconds since sharing began.
    public let time: Double
    /// The width that is coded now, in pixels.
    public let width: Int
    /// The height that is coded now, in pixels.
    public let height: Int
    /// `h264` or `h265`.
    public let codec: String
    /// The ceiling of the frame rate that is coded now.
    public let framesPerSecond: Int
    /// The bitrate that is coded for now, Mbit/s: what the slowest viewer's path carries, at most the agreed one.
    /// Viewers that are far slower than others don't count: see `second`.
    public let codedMegabitsPerSecond: Double
    /// The second encode, for viewers that are far slower than others; `nil` where there is none.
    public let second: Second?
    /// The cause why less is coded than was agreed on, in words (row 6): `720p30 as the path carries 1.2 Mbit/s`, or
    /// `bitrate` where only that is less. `nil` where nothing is.
    public let shortage: String?
    /// The viewers, in the order in which they came.
    public internal(set) var viewers: [Viewer]
    /// The players; `nil` where there is no endpoint for them.
    public internal(set) var players: Players?
    /// The publication; `nil` where the stream is not published anywhere.
    public internal(set) var publication: Publication?
    /// The recording; `nil` where there is none.
    public internal(set) var recording: RecordingStatus?
    /// The broadcasts, in the order of the options.
    public internal(set) var broadcasts: [BroadcastStatus] = []
    /// The sound, by origin: of those that somebody has heard since sharing began.
    public internal(set) var sound: [Sound] = []
    /// What has gone between the host's clipboard and those of viewers.
    public let clipboard: ClipboardTraffic
    /// What has gone between the host's files and viewers; `nil` where none go.
    public let files: FileTrafficCounts?
    /// Items dropped and clients refused since sharing began, counted by reason.
    public let drops: [String: Int]

    init(
        _ host: SourceHost.Statistics, players: RTSPPlayServer.Statistics?, publication: Publication?,
        shortage: String? = nil, files: FileTrafficCounts? = nil, others: [String: Int] = [:], time: Duration
    ) {
        self.time = time.milliseconds / 1000
        width = host.format.size.width
        height = host.format.size.height
        codec = host.format.codec.rawValue
        framesPerSecond = host.format.framesPerSecond
        codedMegabitsPerSecond = Double(host.bitrate.bitsPerSecond) / 1e6
        second = host.second.map { second in
            Second(
                width: second.format.size.width, height: second.format.size.height,
                framesPerSecond: second.format.framesPerSecond,
                codedMegabitsPerSecond: Double(second.bitrate.bitsPerSecond) / 1e6)
        }
        self.shortage = shortage ?? (host.bitrate < host.agreedBitrate ? "bitrate" : nil)
        viewers = host.viewers.map { Viewer($0) }
        self.players = players.map { Players($0) }
        self.publication = publication
        drops = host.drops.merging(others) { $0 + $1 }
        clipboard = ClipboardTraffic(host.clipboard)
        self.files = files
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

    /// The statistics as one line of JSON, keys in order.
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
            allowsControl: viewer.mayDrive, drives: viewer.drives, isPaused: viewer.isPaused,
            transport: viewer.transport?.rawValue,
            frames: viewer.framesSent,
            packets: viewer.packetsSent, resent: viewer.resent,
            bytes: viewer.bytesSent,
            suggestedMegabitsPerSecond: viewer.suggestedBitrate.map { Double($0.bitsPerSecond) / 1e6 },
            roundTrip: viewer.roundTrip?.milliseconds, loss: viewer.loss,
            encode: viewer.isOnRefresh ? "refresh" : viewer.encoding == .main ? "main" : "second",
            sound: Dictionary(
                viewer.sound.map { ($0.origin.rawValue, $0.encode?.summary ?? "off") }, uniquingKeysWith: { $1 }),
            soundPackets: viewer.sound.reduce(0) { $0 + $1.packets },
            voice: viewer.voice.map { .init(packets: $0.packets, lost: $0.lost, repeated: $0.repeated) })
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

extension SourceStatistics.Sound {
    init(_ origin: SoundOrigin, device: String?, _ tally: SoundTally) {
        let encodes = tally.encodes.union(tally.packets.keys).map { encode in
            Encode(
                codec: encode.codec.rawValue, packetMilliseconds: encode.packetDuration.milliseconds,
                bitrate: encode.bitrate, packets: tally.packets[encode] ?? 0, isMade: tally.encodes.contains(encode))
        }
        self.init(
            input: SoundInput(origin), device: device,
            encodes: encodes.sorted { ($0.codec, $0.packetMilliseconds) < ($1.codec, $1.packetMilliseconds) },
            overrunFrames: tally.overruns, drops: tally.drops)
    }
}

extension SoundEncode {
    /// The encode for statistics: codec and the length of a packet.
    fileprivate var summary: String { "\(codec.rawValue) \(packetDuration.nanoseconds / 1_000_000) ms" }
}
