private import HelioLocalSocket
internal import HelioRelay
package import HelioRelayWire

/// A broadcast extension's connection to its app: sends coded pictures and sound through a Unix socket
/// (requirement rows 134 to 138, 142, 144 and 154).
///
/// The only call that blocks is `finish`. The queue for the app is bounded: if the app is slow, pictures are dropped in
/// whole groups. The relay connects and reconnects on a thread of its own. The module links neither Foundation nor
/// SwiftNIO.
public final class BroadcastRelay: Sendable {
    /// An event that the relay reports to the extension.
    public enum Event: Sendable, Hashable {
        /// The app is connected, and accepts pictures from now on.
        case connected
        /// The connection to the app is lost, for this human-readable reason; the relay reconnects.
        case lost(String)
        /// The app needs a keyframe; pictures before the next keyframe are dropped.
        case keyframeNeeded
        /// The app's limits for the encoder: the bitrate in bits a second, and the largest picture size; `nil` means no
        /// limit. For a screen in the other orientation, width and height are exchanged. `EncoderPreset` restricts how
        /// far an encoder follows the limits.
        case wanted(bitrate: Int?, largest: PixelSize?)
        /// The relay has ended, for this reason: the app ended it, another extension took over, or `finish` was called.
        /// The broadcast has to be ended.
        case stopped(String)
    }

    /// A codec that the app can receive.
    public enum Codec: Sendable, Hashable {
        case h264
        case h265
    }

    /// A relay's settings.
    public struct Options: Sendable, Hashable {
        /// The path of the app's socket, in the folder of the App Group. At most 103 bytes.
        public var socketPath: String
        /// The codec of the pictures, which can't change while the relay runs.
        public var codec: Codec
        /// The coded size of the pictures, until ``BroadcastRelay/change(size:quarterTurns:)`` changes it.
        public var size: PixelSize
        /// The maximum number of frames a second.
        public var framesPerSecond: Int
        /// The maximum number of bytes of pictures that are queued for the app; at least 4096.
        public var waitingBytes = 1 << 20

        /// Makes settings for pictures of this size.
        public init(socketPath: String, codec: Codec = .h264, size: PixelSize, framesPerSecond: Int = 30) {
            self.socketPath = socketPath
            self.codec = codec
            self.size = size
            self.framesPerSecond = framesPerSecond
        }
    }

    /// Counts of a relay since it was started.
    public struct Statistics: Sendable, Hashable {
        let counted: ExtensionRelayStatistics
        /// The number of pictures handed to the app.
        public var pictures: Int { counted.pictures }
        /// The number of packets of sound handed to the app.
        public var sounds: Int { counted.sounds }
        /// The number of bytes handed to the app.
        public var bytes: Int { counted.bytes }
        /// The number of connections made to the app.
        public var connections: Int { counted.connections }
        /// The number of connections that were lost.
        public var losses: Int { counted.losses }
        /// The number of bytes of pictures and sound that are queued for the app.
        public let waitingBytes: Int
        /// The maximum number of bytes that were queued at any time.
        public var mostWaitingBytes: Int { counted.mostWaiting }
        /// The dropped items, counted by reason.
        public var drops: [String: Int] { counted.drops.byName }
    }

    private let core: RelayCore

    /// Starts to connect. Throws `invalidArgument` for settings out of range, and `systemFailed` if the system has no
    /// thread or file descriptor left.
    ///
    /// - Parameter events: called with each event on the relay's thread, in order; must return soon.
    public init(_ options: Options, events: @escaping @Sendable (Event) -> Void) throws(HelioError) {
        let format = RelayFormat(
            codec: options.codec == .h264 ? .h264 : .h265, size: options.size,
            framesPerSecond: UInt8(clamping: options.framesPerSecond))
        guard format.isValid, options.waitingBytes >= 4096 else {
            throw HelioError(.invalidArgument, "No relay has pictures of \(options.size), or so little room.")
        }
        var settings = ExtensionRelaySettings()
        settings.pictureBytes = options.waitingBytes
        core = try RelayCore(path: options.socketPath, format: format, settings: settings) { event in
            switch event {
            case .connected: events(.connected)
            case .lost(let loss): events(.lost(Self.text(loss)))
            case .keyframeNeeded: events(.keyframeNeeded)
            case .wish(let wish): events(.wanted(bitrate: wish.bitrate.map { Int($0) }, largest: wish.largest))
            case .stopped(let reason): events(.stopped(Self.text(reason)))
            }
        }
        try core.start()
    }

    deinit { core.end() }

    /// Queues an access unit in Annex B form. Its time is on the machine's monotonic clock, as in ReplayKit's sample
    /// buffers. ``statistics`` counts sent and dropped access units.
    public func write(_ frame: EncodedFrame) {
        core.write(frame.annexB, captured: Instant.zero + frame.presentationTime, isKeyframe: frame.isKeyframe)
    }

    /// Queues a sample in VideoToolbox's format: any number of NAL units, each after a length of 4 bytes.
    ///
    /// - Parameters:
    ///   - parameterSets: the parameter sets of the sample's format, without start codes; passed with a keyframe.
    ///   - presentationTime: the picture's time on the machine's monotonic clock.
    /// - Throws: `invalidArgument` if a NAL unit's length reaches past the sample's end.
    public func write(
        avcc sample: RawSpan, parameterSets: [[UInt8]] = [], presentationTime: Duration, isKeyframe: Bool
    ) throws(HelioError) {
        guard let units = AVCC.annexB(from: sample) else {
            throw HelioError(.invalidArgument, "The sample's lengths don't fit its bytes.")
        }
        var annexB: [UInt8] = []
        for set in parameterSets { annexB += AnnexB.startCode + set }
        annexB = annexB.isEmpty ? units : annexB + units
        core.write(annexB, captured: Instant.zero + presentationTime, isKeyframe: isKeyframe)
    }

    /// Queues a slice of a picture from the encoder. A caller uses either this method or ``write(_:)-(EncodedFrame)``,
    /// as both share one range of frame indices.
    package func write(_ slice: EncodedSlice) { core.handle(.slice(slice)) }

    /// Queues sound of the apps or of the microphone: 16-bit samples, big-endian and interleaved, at most 64 kB.
    public func write(
        samples: [UInt8], sampleRate: Int, channels: Int, isMicrophone: Bool, presentationTime: Duration
    ) {
        let sound = RelaySound(
            origin: isMicrophone ? .microphone : .system, codec: .pcm,
            format: SoundFormat(sampleRate: sampleRate, channels: channels),
            captured: Instant.zero + presentationTime, payload: samples)
        core.handle(.sound(sound))
    }

    /// Queues a packet of coded sound.
    package func write(_ sound: RelaySound) { core.handle(.sound(sound)) }

    /// Changes the size from the next picture on, for example when the screen was rotated. That picture must be a
    /// keyframe.
    ///
    /// - Parameter quarterTurns: the number of clockwise quarter turns that make the picture upright.
    /// - Throws: `invalidArgument` for a size that no encoder has.
    public func change(size: PixelSize, quarterTurns: Int = 0) throws(HelioError) {
        try core.change(size: size, quarterTurns: quarterTurns)
    }

    /// Ends the relay after sending the queued data and an end message.
    ///
    /// - Parameter limit: the longest wait for the end. Don't wait within `events`, which would block the relay's own
    ///   thread.
    public func finish(within limit: Duration = .seconds(1)) {
        core.end()
        core.waitForEnd(within: limit)
    }

    /// A snapshot of the counts.
    public var statistics: Statistics { core.statistics }

    private static func text(_ loss: ExtensionRelayLoss) -> String {
        switch loss {
        case .closed: "the app has closed the connection"
        case .silent: "the app gives no sign of life"
        case .sendTimeout: "the app takes nothing"
        case .violation: "what listens is no app of ours"
        }
    }

    private static func text(_ reason: RelayEndReason) -> String {
        switch reason {
        case .finished: "the relay has ended"
        case .replaced: "another extension has taken over"
        case .version: "the app knows another version only"
        }
    }
}
