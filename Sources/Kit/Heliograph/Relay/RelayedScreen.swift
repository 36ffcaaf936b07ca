private import HelioCore
private import HelioRelayDriver
public import HelioViewing

/// Shares what a broadcast extension of this app relays, as any screen: its pictures, the sound of the apps and that of
/// the microphone (rows 134, 152 and 154).
///
/// ```swift
/// let screen = try await RelayedScreen.start(.init(), socketPath: groupFolder + "/relay/socket", video: video)
/// print(try await screen.source.link.text)
/// ```
///
/// The extension hands over its pictures by `BroadcastRelay`, of the library HelioExtension. It may come and go: viewers
/// stay, and see no more than a picture that stands still. Where a viewer needs a keyframe, the extension is asked for it, and
/// where their paths or screens take less, for a lower bitrate or a smaller picture.
public final class RelayedScreen: Sendable {
    /// Counts of what was relayed.
    public struct Statistics: Sendable, Hashable {
        /// Pictures that came whole.
        public var pictures = 0
        /// Pictures among them that no viewer could use: nobody watched, or a keyframe was due.
        public var picturesUnwatched = 0
        /// Packets of sound that came.
        public var sounds = 0
        /// Packets of sound among them that were not of samples of up to a second.
        public var soundsRefused = 0
        /// Extensions that were welcomed.
        public var extensions = 0
        /// What was dropped, and the sessions that were ended, by name.
        public var drops: [String: Int] = [:]
    }

    /// The source that shares it: its link, its viewers, its statistics.
    public let source: MirrorSource
    private let receiver: RelayReceiver
    private let server: RelayServer

    /// Starts to listen for an extension, and to share what it relays.
    ///
    /// - Parameters:
    ///   - options: the address to listen on for viewers, and who is let in.
    ///   - socketPath: the socket for the extension, of at most 103 bytes, in a folder of its own with mode 0700, which is
    ///     made where it is not there: for an app and its extension in the folder of their group.
    ///   - video: the attributes until an extension tells its codec, size and frame rate; its bitrate is the ceiling.
    ///   - hasSound: false where no sound is to be shared.
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

    /// The counts up to now.
    public var statistics: Statistics {
        let (counts, relay) = (receiver.counts, server.statistics)
        return Statistics(
            pictures: relay.pictures, picturesUnwatched: counts.unwatched, sounds: relay.sounds,
            soundsRefused: counts.soundsRefused, extensions: relay.extensions, drops: relay.drops)
    }

    /// Ends: tells the extension, which ends its broadcast, and every viewer.
    public func stop() async {
        server.stop()
        await source.stop()
    }
}
