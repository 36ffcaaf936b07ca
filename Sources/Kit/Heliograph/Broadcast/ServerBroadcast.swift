public import HelioCore
private import HelioGround
public import HelioSharing

/// A broadcast of an app's own encoded frames and sound to servers only: no viewer is served, and no port is opened
/// (requirement rows 149 to 151, 157 and 168).
///
/// An app that has a `MirrorSource` uses `MirrorSource.Options.broadcast` instead. This class is for a broadcast upload
/// extension, whose memory the system limits to 50 MB.
public final class ServerBroadcast: Sendable {
    /// An event of a broadcast, about one server or about all.
    public enum Event: Sendable, Hashable {
        /// The broadcast to this server has changed its state; `reason` is a sentence if it is not live.
        case state(url: String, BroadcastStatus.State, reason: String?)
        /// A human-readable sentence for a log or the user, such as a failure of the app's sound; the broadcast
        /// continues.
        case info(String)
    }

    /// Converts a source's events to a broadcast's events.
    private struct Reports: SourceReporting {
        let onEvent: @Sendable (Event) -> Void

        func put(_ event: MirrorSource.Event) {
            switch event {
            case .broadcast(let url, let state, let reason): onEvent(.state(url: url, state, reason: reason))
            case .info(let sentence): onEvent(.info(sentence))
            default: break
            }
        }
    }

    private let parts: RunningParts
    private let broadcast: HostBroadcast
    private let feed: AppFeed
    private let sound: AppSound?

    /// Starts to connect to the servers; each is retried independently.
    ///
    /// - Parameters:
    ///   - options: the servers, and the settings of the picture. The settings have to match the app's encoding,
    ///     because they are announced to some servers before the first picture.
    ///   - video: the attributes of the frames.
    ///   - plugin: is asked for keyframes, and notified when the first server accepts the stream and when no server
    ///     does any more.
    ///   - hasSound: true if the app will write samples of its sound.
    ///   - onEvent: called on the senders' threads, with the events of each server in order.
    ///
    /// Throws `invalidArgument` or `systemFailed`.
    public static func start(
        _ options: BroadcastOptions, video: MediaAttributes, plugin: any VideoSourcePlugin, hasSound: Bool = true,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(HelioError) -> ServerBroadcast {
        let format = try video.videoFormat()
        let sound = hasSound ? AppSound(SoundAttributes(format: .pcm), nil, platform: systemSource.sound) : nil
        let feed = AppFeed(plugin, attributes: video, sound: sound)
        let broadcast = try HostBroadcast(
            options, sound: hasSound ? .system : nil, audience: Watchers(feed),
            events: Reports(onEvent: onEvent))
        let parts = RunningParts()
        feed.begin()
        parts.add(feed)
        parts.add(sound)
        parts.add(broadcast)
        sound?.begin(broadcast)
        do throws(HelioError) {
            try await broadcast.begin(format.codec, of: feed)
        } catch {
            await parts.stop()
            throw error
        }
        return ServerBroadcast(broadcast, feed, sound, parts)
    }

    private init(_ broadcast: HostBroadcast, _ feed: AppFeed, _ sound: AppSound?, _ parts: RunningParts) {
        self.parts = parts
        self.broadcast = broadcast
        self.feed = feed
        self.sound = sound
    }

    /// Broadcasts a frame. Call it on any thread, with one frame at a time; it never blocks.
    ///
    /// - Returns: false if the frame was not used, because no server accepts the stream or a keyframe has to come
    ///   first.
    ///
    /// Throws `invalidArgument` for a frame that is not an access unit in Annex B format.
    @discardableResult
    public func write(_ frame: EncodedFrame) throws(HelioError) -> Bool {
        guard let slice = try feed.slice(of: frame, now: MonotonicClock.now) else { return false }
        if broadcast.take(slice) { return true }
        feed.lostFrame()
        return false
    }

    /// Broadcasts samples of the app's sound. Call it on any thread, with one block at a time; it never blocks.
    ///
    /// - Returns: true if a server accepts the sound.
    ///
    /// Throws `invalidArgument` if the format is not supported, or if the broadcast was started without sound.
    @discardableResult
    public func write(sound samples: SoundSamples) throws(HelioError) -> Bool {
        guard let sound else { throw HelioError(.invalidArgument, "This broadcast was started without sound.") }
        return try sound.take(samples, of: .system)
    }

    /// The status of the broadcast to each server, in the order of `BroadcastOptions.destinations`.
    public var statuses: [BroadcastStatus] { broadcast.statuses }

    /// Sends queued media for 2 s at most, then ends the broadcasts.
    public func stop() async { await parts.stop() }
}
