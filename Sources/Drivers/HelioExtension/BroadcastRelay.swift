private import HelioLocalSocket
private import HelioRelay
package import HelioRelayWire

/// A broadcast extension's connection to its app: hands over coded pictures and sound through a Unix socket
/// (rows 134 to 138, 142, 144 and 154).
///
/// Calls never block: what waits for the app is bounded, and an app that is slow costs pictures, in whole groups, never
/// memory. The connection is made, and made again, on a thread of its own. Links neither Foundation nor SwiftNIO.
public final class BroadcastRelay: Sendable {
    /// What an extension hears of its relay.
    public enum Event: Sendable, Hashable {
        /// The app takes pictures from now on.
        case connected
        /// The app is gone; it is tried again. The text says why.
        case lost(String)
        /// The next picture is to be a keyframe: pictures before it are dropped.
        case keyframeNeeded
        /// The app wants the encoder to keep to this from now on: no more bits a second, and no larger a picture, in either
        /// orientation; `nil` is as much as the extension likes. `EncoderPreset` has how far to go along.
        case wanted(bitrate: Int?, largest: PixelSize?)
        /// The app has ended the relay, or another extension has taken it over, or `finish` was called: end the broadcast.
        case stopped(String)
    }

    /// The codec of the pictures.
    public enum Codec: Sendable, Hashable {
        case h264
        case h265
    }

    /// A relay's settings.
    public struct Options: Sendable, Hashable {
        /// The socket of the app, in a folder that both may use: that of the app group. At most 103 bytes.
        public var socketPath: String
        /// The codec of the pictures to come.
        public var codec: Codec
        /// Their size, as coded.
        public var size: PixelSize
        /// The most frames a second.
        public var framesPerSecond: Int
        /// The most bytes of pictures that wait for the app.
        public var waitingBytes = 1 << 20

        /// The settings for pictures of this size.
        public init(socketPath: String, codec: Codec = .h264, size: PixelSize, framesPerSecond: Int = 30) {
            self.socketPath = socketPath
            self.codec = codec
            self.size = size
            self.framesPerSecond = framesPerSecond
        }
    }

    /// Counts of a relay.
    public struct Statistics: Sendable, Hashable {
        /// Pictures that were handed over.
        public var pictures = 0
        /// Packets of sound that were handed over.
        public var sounds = 0
        /// Bytes that were handed over.
        public var bytes = 0
        /// How often an app was there.
        public var connections = 0
        /// How often an app was lost.
        public var losses = 0
        /// Bytes that wait now.
        public var waitingBytes = 0
        /// The most bytes that ever waited.
        public var mostWaitingBytes = 0
        /// What was dropped, by name.
        public var drops: [String: Int] = [:]
    }

    private let core: RelayCore

    /// Starts to connect. Throws `invalidArgument` for settings that make no sense, `systemFailed` without a thread or a
    /// file descriptor.
    ///
    /// - Parameter events: called on the relay's thread, one event after another; it is to return soon.
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

    /// Hands over an access unit in Annex-B form. Its time is that of the machine's monotonic clock, as ReplayKit gives
    /// it. Whether it is sent, the statistics tell.
    public func write(_ frame: EncodedFrame) {
        core.write(frame.annexB, captured: Instant.zero + frame.presentationTime, isKeyframe: frame.isKeyframe)
    }

    /// Hands over a sample as VideoToolbox gives it: any number of NAL units, each behind a length of 4 bytes.
    ///
    /// - Parameters:
    ///   - parameterSets: those of the sample's format, with a keyframe: without start codes.
    ///   - presentationTime: on the machine's monotonic clock.
    /// - Throws: `invalidArgument` where a length leads past the end.
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

    /// Hands over slices of a picture as they are coded. Their numbers and those of ``write(_:)-(EncodedFrame)`` are not
    /// told apart: whoever calls the one doesn't call the other.
    package func write(_ slice: EncodedSlice) { core.handle(.slice(slice)) }

    /// Hands over sound of the apps, or of the microphone: 16-bit samples, big-endian, interleaved. At most 64 kB.
    public func write(
        samples: [UInt8], sampleRate: Int, channels: Int, isMicrophone: Bool, presentationTime: Duration
    ) {
        let sound = RelaySound(
            origin: isMicrophone ? .microphone : .system, codec: .pcm,
            format: SoundFormat(sampleRate: sampleRate, channels: channels),
            captured: Instant.zero + presentationTime, payload: samples)
        core.handle(.sound(sound))
    }

    /// Hands over a packet of coded sound.
    package func write(_ sound: RelaySound) { core.handle(.sound(sound)) }

    /// Tells another size, from the next picture on, which has to be a keyframe: the screen was turned.
    ///
    /// - Parameter quarterTurns: by how many, clockwise, the picture is to be turned to stand upright.
    /// - Throws: `invalidArgument` for a size that no encoder has.
    public func change(size: PixelSize, quarterTurns: Int = 0) throws(HelioError) {
        try core.change(size: size, quarterTurns: quarterTurns)
    }

    /// Ends the relay: sends what waits and a farewell.
    ///
    /// - Parameter limit: the longest that this waits for it. From within `events` it is in vain to wait.
    public func finish(within limit: Duration = .seconds(1)) {
        core.end()
        core.waitForEnd(within: limit)
    }

    /// The counts up to now.
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
