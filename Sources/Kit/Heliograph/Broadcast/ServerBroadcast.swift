public import HelioCore
private import HelioLoop
public import HelioViewing

/// Broadcasts frames that an app encodes, and its sound, to servers, and to nobody else: no viewer is served, and no port is
/// opened (rows 149 to 151, 157 and 168).
///
/// For an app that has a `MirrorSource` anyway there is `MirrorSource.Options.broadcast`; this is for a broadcast extension,
/// which has 50 MB for everything.
public final class ServerBroadcast: Sendable {
    /// What a broadcast tells.
    public enum Event: Sendable, Hashable {
        /// The broadcast to this server is in another stage, for this reason.
        case state(url: String, BroadcastStatus.State, reason: String?)
        /// Something worth knowing; the broadcast goes on.
        case info(String)
    }

    private let broadcast: HostBroadcast
    private let feed: AppFeed
    private let sound: AppSound?

    /// Begins to connect; each server is tried again by itself.
    ///
    /// - Parameters:
    ///   - options: the servers. Of the rest what concerns the picture has to be as the app codes it: some servers are told
    ///     ahead.
    ///   - video: the attributes of the frames.
    ///   - plugin: is asked for keyframes, and told whether any server takes the stream.
    ///   - hasSound: true where the app gives samples of its sound.
    ///   - onEvent: called on threads of the senders'.
    ///
    /// Throws `invalidArgument` or `systemFailed`.
    public static func start(
        _ options: BroadcastOptions, video: MediaAttributes, plugin: any VideoSourcePlugin, hasSound: Bool = true,
        onEvent: @escaping @Sendable (Event) -> Void
    ) async throws(HelioError) -> ServerBroadcast {
        let format = try video.videoFormat()
        let sound = hasSound ? AppSound(SoundAttributes(format: .pcm), nil, platform: systemSource.sound) : nil
        let feed = AppFeed(plugin, attributes: video, soundWanted: { sound?.set($0) })
        let audience = Watchers({ feed.setWatched($0) }, soundWanted: { feed.setSound($0) })
        let broadcast = try HostBroadcast(options, sound: hasSound ? .system : nil, audience: audience) { event in
            if case .broadcast(let url, let state, let reason) = event {
                onEvent(.state(url: url, state, reason: reason))
            }
        }
        feed.begin()
        sound?.begin(submit: { broadcast.take($0) }, note: { onEvent(.info($0)) })
        do throws(HelioError) {
            try await broadcast.begin(format.codec, of: feed)
        } catch {
            await broadcast.stop()
            throw error
        }
        return ServerBroadcast(broadcast, feed, sound)
    }

    private init(_ broadcast: HostBroadcast, _ feed: AppFeed, _ sound: AppSound?) {
        self.broadcast = broadcast
        self.feed = feed
        self.sound = sound
    }

    /// Hands over a frame. Call it on any thread, but with one frame at a time; it never blocks.
    ///
    /// - Returns: whether it was taken: not while no server takes the stream, nor before the first keyframe.
    ///
    /// Throws `invalidArgument` for a frame that is no access unit in Annex-B form.
    @discardableResult
    public func write(_ frame: EncodedFrame) throws(HelioError) -> Bool {
        guard let slice = try feed.slice(of: frame, now: MonotonicClock.now) else { return false }
        if broadcast.take(slice) { return true }
        feed.lostFrame()
        return false
    }

    /// Hands over samples of the app's sound. Call it on any thread, but with one stretch at a time; it never blocks.
    ///
    /// - Returns: whether a server takes them.
    ///
    /// Throws `invalidArgument` for a format that no sound has, or where the broadcast was started without sound.
    @discardableResult
    public func write(sound samples: SoundSamples) throws(HelioError) -> Bool {
        guard let sound else { throw HelioError(.invalidArgument, "This broadcast was started without sound.") }
        return try sound.take(samples, of: .system)
    }

    /// How each broadcast stands, in the order of the options.
    public var statuses: [BroadcastStatus] { broadcast.statuses }

    /// Sends what waits, as far as that goes soon, and ends.
    public func stop() async {
        await broadcast.stop()
        feed.end()
        sound?.end()
    }
}
