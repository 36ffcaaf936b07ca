private import Foundation
internal import HelioCore
import HelioHost
private import HelioMedia
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioSession
public import HelioSharing
internal import HelioSound

/// The statistics of a source: the media that it has sent, and its viewers. `json` has them as one line of JSON.
public struct SourceStatistics: Sendable, Codable {
    /// The statistics of a viewer that uses Heliograph or a browser.
    public struct Viewer: Sendable, Codable {
        /// The viewer's number, for `MirrorSource.putOut(_:)`; unique among all present and past viewers of a source.
        public let id: UInt64
        /// The network address that the viewer connected from.
        public let address: String
        /// The viewer's name if it is a paired device, otherwise `nil`.
        public let device: String?
        /// The viewer's display name: the name of its paired device or, for an unpaired browser, the name that the
        /// browser gives itself, such as "Firefox on Linux", which is not authenticated. `nil` if there is neither.
        public let name: String?
        /// True for a browser.
        public let isBrowser: Bool
        /// True if the viewer is permitted to drive.
        public let allowsControl: Bool
        /// True if the viewer drives now.
        public let drives: Bool
        /// True while the viewer has paused its pictures.
        public let isPaused: Bool
        /// The transport of the picture, `udp` or `tcp`; `nil` for a browser, whose ICE chooses the transport.
        public let transport: String?
        /// The link that carries the picture to a viewer that came by the rendezvous server: `direct`, `relayed` by a
        /// TURN server, or `rendezvous`, that server itself. `nil` for other viewers.
        public internal(set) var link: String?
        /// Frames sent since the viewer joined.
        public let frames: Int
        /// Packets sent since the viewer joined, retransmissions included.
        public let packets: Int
        /// Packets retransmitted since the viewer joined.
        public let resent: Int
        /// Bytes sent since the viewer joined, including the encryption overhead.
        public let bytes: Int
        /// The average bitrate in Mbit/s, since the statistics passed to `MirrorSource.statistics(since:)`.
        public internal(set) var megabitsPerSecond = 0.0
        /// The estimated bitrate of the viewer's path in Mbit/s, from the viewer's reports (requirement row 17).
        public let suggestedMegabitsPerSecond: Double?
        /// The round-trip time to the viewer in milliseconds; `nil` if it is not known.
        public let roundTrip: Double?
        /// The fraction of packets lost, 0 to 1, according to the viewer's last report.
        public let loss: Double?
        /// The encoding that the viewer is sent: `main`; `second`, the smaller encoding for viewers whose paths are far
        /// slower than others'; or `refresh`, only an occasional picture of the main encoding.
        public let encode: String
        /// The sound that the viewer is sent, by origin: the codec and the length of a packet, such as `opus 5 ms`;
        /// `off` if the viewer wants none.
        public let sound: [String: String]
        /// Packets of sound sent since the viewer joined.
        public let soundPackets: Int
        /// The statistics of the viewer's voice; `nil` if the source does not play it.
        public let voice: Voice?
        /// The median time in milliseconds from a picture's arrival to its drawing, as reported by a browser's page
        /// that decodes the picture itself; `nil` for other viewers, and before the first report.
        public let drawDelay: Double?

        /// Counts of the sound packets that a viewer's microphone sends to the source.
        public struct Voice: Sendable, Codable {
            /// Packets received.
            public let packets: Int
            /// Packets lost in transit, including those that a later packet repeated.
            public let lost: Int
            /// Lost packets that a later packet repeated.
            public let repeated: Int
        }
    }

    /// The combined statistics of all ordinary players.
    public struct Players: Sendable, Codable {
        /// The addresses of the players that are playing.
        public let addresses: [String]
        /// Frames sent to the currently connected players.
        public let frames: Int
        /// Packets sent to the currently connected players.
        public let packets: Int
        /// Bytes sent to the currently connected players.
        public let bytes: Int
        /// The average bitrate in Mbit/s, since the statistics passed to `MirrorSource.statistics(since:)`.
        public internal(set) var megabitsPerSecond = 0.0
        /// Items dropped and clients refused since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// The statistics of the server that the stream is published to.
    public struct Publication: Sendable, Codable {
        /// The server's URL without user name and query, which may hold a secret.
        public let url: String
        /// True while the server accepts the stream, after its answer to RECORD.
        public let isPublished: Bool
        /// The number of RTSP sessions with the server so far; a lost one is replaced.
        public let sessions: Int
        /// Frames sent since sharing began.
        public let frames: Int
        /// Packets sent since sharing began.
        public let packets: Int
        /// Bytes sent since sharing began.
        public let bytes: Int
        /// The average bitrate in Mbit/s, since the statistics passed to `MirrorSource.statistics(since:)`.
        public internal(set) var megabitsPerSecond = 0.0
        /// Items dropped since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// The statistics of the second encoding, for viewers whose paths are far slower than others'.
    public struct Second: Sendable, Codable {
        /// The current width in pixels.
        public let width: Int
        /// The current height in pixels.
        public let height: Int
        /// The current maximum frame rate, in frames per second.
        public let framesPerSecond: Int
        /// The current target bitrate in Mbit/s: the bitrate that the slowest path among the second encoding's viewers
        /// carries.
        public let codedMegabitsPerSecond: Double
    }

    /// The statistics of one origin's sound.
    public struct Sound: Sendable, Codable {
        /// The statistics of one encoding of the origin's sound.
        public struct Encode: Sendable, Codable {
            /// The codec: `pcm`, `opus` or `aac`.
            public let codec: String
            /// The length of a packet, in milliseconds.
            public let packetMilliseconds: Double
            /// The maximum bitrate, in bits per second.
            public let bitrate: Int
            /// Packets encoded since sharing began.
            public let packets: Int
            /// True while an audience wants this encoding.
            public let isMade: Bool
        }

        /// The origin: `system` is what the machine or the app plays, `microphone` is a microphone.
        public let input: SoundInput
        /// The name of the device being captured; `nil` while no device is captured.
        public let device: String?
        /// The encodings made since sharing began, sorted by codec and packet length.
        public let encodes: [Encode]
        /// Captured sample frames that were lost because the capture thread did not read them in time.
        public let overrunFrames: UInt64
        /// Packets dropped since sharing began, counted by reason.
        public let drops: [String: Int]
    }

    /// The time since sharing began, in seconds.
    public let time: Double
    /// The current width in pixels.
    public let width: Int
    /// The current height in pixels.
    public let height: Int
    /// The current video codec: `h264` or `h265`.
    public let codec: String
    /// The current maximum frame rate, in frames per second.
    public let framesPerSecond: Int
    /// The current target bitrate in Mbit/s: the bitrate that the slowest viewer's path carries, at most the agreed
    /// bitrate. Viewers whose paths are far slower than others' don't count; see `second`.
    public let codedMegabitsPerSecond: Double
    /// The second encoding, for viewers whose paths are far slower than others'; `nil` if there is none.
    public let second: Second?
    /// The human-readable reason for a size, frame rate or bitrate below the agreed one, such as `720p30 as the path
    /// carries 1.2 Mbit/s` (requirement row 6); `bitrate` if only the bitrate is lower. `nil` if nothing is lower.
    public let shortage: String?
    /// The statistics of each viewer, in the order in which they joined.
    public internal(set) var viewers: [Viewer]
    /// The statistics of the ordinary players; `nil` if there is no endpoint for players.
    public internal(set) var players: Players?
    /// The statistics of the publication; `nil` if the stream is not published.
    public internal(set) var publication: Publication?
    /// The status of the recording; `nil` if there is none.
    public internal(set) var recording: RecordingStatus?
    /// The status of the broadcast to each server, in the order of `BroadcastOptions.destinations`.
    public internal(set) var broadcasts: [BroadcastStatus] = []
    /// The statistics of the sound, one entry for each origin that an audience has wanted since sharing began.
    public internal(set) var sound: [Sound] = []
    /// The clipboard traffic between the host and its viewers.
    public let clipboard: ClipboardTraffic
    /// The file traffic between the host and its viewers; `nil` if no files are exchanged.
    public let files: FileTrafficCounts?
    /// Items dropped and clients refused since sharing began, counted by reason.
    public let drops: [String: Int]

    init(
        _ host: SourceHost.Statistics, players: RTSPPlayServer.Statistics?, publication: Publication?,
        shortage: String? = nil, files: FileTrafficCounts? = nil, time: Duration
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
        drops = host.drops
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

    /// The statistics as one line of JSON, with sorted keys.
    public var json: String { (try? jsonLine()) ?? "{}" }
}

extension SourceStatistics.Viewer {
    fileprivate init(_ viewer: SourceHost.Statistics.Viewer) {
        self.init(
            id: viewer.id.rawValue, address: viewer.address, device: viewer.device, name: viewer.name,
            isBrowser: viewer.isWeb,
            allowsControl: viewer.mayDrive, drives: viewer.drives, isPaused: viewer.isPaused,
            transport: viewer.transport?.rawValue,
            frames: viewer.framesSent,
            packets: viewer.packetsSent, resent: viewer.stream?.retransmittedPackets ?? 0,
            bytes: viewer.bytesSent,
            suggestedMegabitsPerSecond: viewer.suggestedBitrate.map { Double($0.bitsPerSecond) / 1e6 },
            roundTrip: viewer.stream?.roundTrip?.milliseconds, loss: viewer.loss,
            encode: viewer.isOnRefresh ? "refresh" : viewer.encoding == .main ? "main" : "second",
            sound: Dictionary(
                viewer.sound.map { ($0.origin.rawValue, $0.encode?.summary ?? "off") }, uniquingKeysWith: { $1 }),
            soundPackets: viewer.sound.reduce(0) { $0 + $1.packets },
            voice: viewer.voice.map { .init(packets: $0.packets, lost: $0.lost, repeated: $0.repeated) },
            drawDelay: viewer.ownPicture?.drawDelay?.milliseconds)
    }
}

extension SourceStatistics.Players {
    fileprivate init(_ players: RTSPPlayServer.Statistics) {
        self.init(
            addresses: players.addresses.sorted(), frames: players.sent.frames, packets: players.sent.packets,
            bytes: players.sent.bytes, drops: players.drops)
    }
}

extension SourceStatistics.Publication {
    init(_ publication: RTSPRecordClient.Statistics, url: String) {
        self.init(
            url: url, isPublished: publication.isPublished, sessions: publication.sessions,
            frames: publication.sent.frames, packets: publication.sent.packets, bytes: publication.sent.bytes,
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
    /// The encoding in the form of the statistics: the codec and the length of a packet, such as `opus 5 ms`.
    fileprivate var summary: String { "\(codec.rawValue) \(packetDuration.nanoseconds / 1_000_000) ms" }
}
