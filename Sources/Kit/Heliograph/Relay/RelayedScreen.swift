private import HelioCore
private import HelioRelay
private import HelioRelayDriver
public import HelioSharing

/// Shares the stream of this app's broadcast extension like a screen: its pictures, the sound of the apps and the sound
/// of the microphone (requirement rows 134, 152 and 154).
///
/// ```swift
/// let screen = try await RelayedScreen.start(.init(), socketPath: groupFolder + "/relay/socket", video: video)
/// print(try await screen.source.link.text)
/// ```
///
/// The extension sends its pictures by `BroadcastRelay`, from the library HelioExtension. When the extension ends and
/// starts again, viewers stay connected and keep the last picture in between. The extension is asked for a keyframe
/// when a viewer needs one, and for a lower bitrate or a smaller picture when the viewers' paths or screens require it.
public final class RelayedScreen: Sendable {
    /// Counts of the relayed media since sharing began.
    public struct Statistics: Sendable, Hashable {
        /// Pictures that have arrived completely.
        public var pictures = 0
        /// The number of `pictures` that were not sent, because nobody watched, a keyframe had to come first, or the
        /// source can't share the format.
        public var picturesUnwatched = 0
        /// The number of sound packets received.
        public var sounds = 0
        /// The number of `sounds` that were rejected, because they were not PCM, had an unsupported format, or were
        /// longer than a second.
        public var soundsRefused = 0
        /// The number of times that an extension has joined.
        public var extensions = 0
        /// The number of dropped items, and of extension sessions ended for an error, by reason.
        public var drops: [String: Int] = [:]
    }

    /// The source that shares the stream: its link, viewers and statistics.
    public let source: MirrorSource
    private let receiver: RelayReceiver
    private let server: RelayServer

    /// Starts to listen for an extension, and to share its stream.
    ///
    /// - Parameters:
    ///   - options: the address to listen on for viewers, and the admission of viewers.
    ///   - socketPath: the path of the Unix socket for the extension, at most 103 bytes long, in a folder of its own
    ///     with mode 0700, which is created if it does not exist. Both processes need access to it, so use their App
    ///     Group's container.
    ///   - video: the attributes until an extension announces its codec, size and frame rate; the bitrate stays the
    ///     maximum.
    ///   - hasSound: false to share no sound.
    ///
    /// Throws `invalidArgument` or `systemFailed`.
    public static func start(
        _ options: MirrorSource.Options, socketPath: String, video: MediaAttributes, hasSound: Bool = true
    ) async throws(HelioError) -> RelayedScreen {
        let encoder = RelayedEncoder()
        let source = try await MirrorSource.start(
            options, video: video, plugin: encoder, sound: hasSound ? SoundAttributes(format: .pcm) : nil)
        let receiver = RelayReceiver(source, encoder, video: video, hasSound: hasSound)
        do throws(HelioError) {
            let server = try RelayServer(path: socketPath) { receiver.take($0) }
            encoder.begin(server)
            return RelayedScreen(source, receiver, server)
        } catch {
            await source.stop()
            throw error
        }
    }

    private init(_ source: MirrorSource, _ receiver: RelayReceiver, _ server: RelayServer) {
        self.source = source
        self.receiver = receiver
        self.server = server
    }

    /// The counts of the relayed media since sharing began.
    public var statistics: Statistics {
        let (counts, relay) = (receiver.counts, server.statistics)
        return Statistics(
            pictures: relay.pictures, picturesUnwatched: counts.unwatched, sounds: relay.sounds,
            soundsRefused: counts.soundsRefused, extensions: relay.extensions, drops: relay.drops.byName)
    }

    /// Ends sharing: notifies the extension, which ends its broadcast, and every viewer.
    public func stop() async {
        server.stop()
        await source.stop()
    }
}
