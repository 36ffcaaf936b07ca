private import HelioBitstream
internal import HelioBroadcast
internal import HelioCore
private import HelioHeartbeat
private import NIOCore
private import NIOPosix
private import Synchronization

/// The broadcasts of a source, to any number of servers. Together they count as one audience, either of the broadcasts'
/// own encoding or of the viewers' encoding.
final class HostBroadcast: SoundOutlet {
    private struct Sender: Sendable {
        let url: String
        let sound: SoundEncode?
        let sender: any BroadcastSending
    }

    private struct State {
        var feed = BroadcastFeed(.main)
        var senders: [Sender] = []
        /// The indices of the senders whose servers accept the stream.
        var live: Set<Int> = []
        var supply: (any SourceFeed)?
        var screen: BroadcastScreen?
        var heartbeat: HeartbeatSender?
        /// The event loop group of the senders, separate from the viewers' group, so that viewers' packets never wait
        /// for a broadcast's packets.
        var group: MultiThreadedEventLoopGroup?
        var isOver = false
    }

    let encode: BroadcastEncode
    private let options: BroadcastOptions
    private let sound: SoundOrigin?
    private let audience: Watchers
    private let events: any SourceReporting
    private let state = Mutex(State())
    /// Locked while the demand is forwarded to the feed or the audience, so that demands arrive there in the order of
    /// the changes.
    private let order = Mutex(())

    /// Makes the broadcasts; `begin` connects them.
    ///
    /// - Parameters:
    ///   - sound: the origin of the sound that is broadcast; `nil` for none.
    ///   - audience: receives the demand for sound and for the viewers' encoding.
    ///
    /// Throws `invalidArgument` if an option is out of range.
    init(
        _ options: BroadcastOptions, sound: SoundOrigin?, audience: Watchers, events: any SourceReporting
    ) throws(HelioError) {
        encode = try options.encode()
        if options.sound == .pcm {
            throw HelioError(.invalidArgument, "A broadcast's sound is coded as AAC or Opus.")
        }
        self.options = options
        self.sound = options.sound == nil ? nil : sound
        self.audience = audience
        self.events = events
    }

    /// Begins to broadcast the viewers' encoding, or an app's frames.
    ///
    /// - Parameter supply: the feed of the pictures, which is asked for keyframes.
    func begin(_ codec: VideoCodec, of supply: any SourceFeed) async throws(HelioError) {
        try await begin(codec, supply, nil)
    }

    /// Begins to broadcast a screen that is encoded for the broadcast alone, apart from the viewers' encoding.
    func begin(_ screen: BroadcastScreen) async throws(HelioError) {
        try await begin(encode.codec, screen.controls, screen)
    }

    private func begin(
        _ codec: VideoCodec, _ supply: any SourceFeed, _ screen: BroadcastScreen?
    ) async throws(HelioError) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        state.withLock { $0.group = group }
        let heartbeat = try options.heartbeat.map { folder throws(HelioError) in try HeartbeatSender(in: folder) }
        state.withLock { state in
            state.supply = supply
            state.screen = screen
            state.heartbeat = heartbeat
        }
        // A sender may report events before `open` returns.
        for (index, destination) in options.destinations.enumerated() {
            let encode = sound == nil ? nil : destination.sound(options.sound)
            let url = destination.shownURL
            let tracks = BroadcastTracks(video: codec, sound: encode.map { Self.track($0) })
            let sender = try await destination.open(tracks, self.encode, sound: encode, on: group.next()) {
                [weak self] event in
                self?.take(event, of: index, at: url)
            }
            // The sender may have reported a state before it was in the list, so the demand is computed again.
            demand { $0.senders.append(Sender(url: url, sound: encode, sender: sender)) }
        }
    }

    private static func track(_ encode: SoundEncode) -> BroadcastTracks.Sound {
        encode.codec == .aac ? .aac(AudioSpecificConfig(.standard)) : .opus(channels: SoundFormat.standard.channels)
    }

    private func take(_ event: BroadcastEvent, of index: Int, at url: String) {
        switch event {
        case .wantsKeyframe: state.withLock { $0.supply }?.requestKeyframe("a broadcast needs one")
        case .state(let state):
            switch state {
            case .live, .stalled: setLive(true, index)
            case .waiting, .connecting, .refused, .ended: setLive(false, index)
            }
            events.put(.broadcast(url: url, .init(state), reason: state.failure?.message))
        }
    }

    /// Sets whether one server accepts the stream. While any server accepts it, the screen is encoded and its sound is
    /// captured.
    private func setLive(_ isLive: Bool, _ index: Int) {
        demand { state in
            if isLive { state.live.insert(index) } else { state.live.remove(index) }
        }
    }

    /// Changes the state by `change`, and forwards the resulting demand for pictures and sound.
    private func demand(_ change: (inout State) -> Void) {
        // Demands are forwarded one at a time, so that the last forwarded demand is the current one. The state is not
        // locked during the calls, because an app may write a frame from within the call that reports the first
        // audience.
        order.withLock { _ in
            let (supply, isOwn, live) = state.withLock { state in
                change(&state)
                let live =
                    state.isOver ? [] : state.live.map { $0 < state.senders.count ? state.senders[$0].sound : nil }
                return (state.supply, state.screen != nil, live)
            }
            if isOwn { supply?.setWatched(!live.isEmpty) } else { audience.setBroadcast(!live.isEmpty) }
            guard let sound else { return }
            let encodes = Set(live.compactMap(\.self))
            audience.setSound(
                encodes.isEmpty ? [:] : [sound: SoundDemand(encodes: encodes, takesSilence: true)], of: .broadcast)
        }
    }

    /// Sends a slice of the encoding that is broadcast. Called on the thread that has encoded it; never blocks.
    ///
    /// - Returns: false if the frame is incomplete and a keyframe is needed.
    @discardableResult
    func take(_ slice: EncodedSlice) -> Bool {
        let (picture, senders, isBroken) = state.withLock { state in
            guard !state.live.isEmpty else { return (nil as BroadcastPicture?, [] as [Sender], false) }
            let picture = state.feed.take(slice)
            return (picture, state.senders, slice.encoding == .main && state.feed.wantsKeyframe)
        }
        if let picture { for sender in senders { sender.sender.send(picture) } }
        return !isBroken
    }

    /// Sends a slice of the viewers' encoding; ignores it if the broadcast has an encoding of its own.
    func takeShared(_ slice: EncodedSlice) {
        if state.withLock({ $0.screen == nil && $0.supply != nil }) { take(slice) }
    }

    /// Sends a packet of sound to the servers that want its encoding; ignores other origins.
    func submit(_ sound: EncodedSound) {
        guard sound.origin == self.sound else { return }
        for sender in state.withLock({ $0.live.isEmpty ? [] : $0.senders }) where sender.sound == sound.encode {
            sender.sender.send(sound)
        }
    }

    /// Ignores captured sound: this outlet is used for an app's own sound only, which is not captured from devices.
    func captured(_: [SharedSound]) {}

    func note(_ sentence: String) { events.note(sentence) }

    /// Broadcasts another monitor from now on. Has an effect only if the broadcast has an encoding of its own.
    func select(_ monitor: ScreenMonitor.ID) { state.withLock { $0.screen }?.controls.selectMonitor(monitor) }

    /// The status of the broadcast to each server, in the order of `BroadcastOptions.destinations`.
    var statuses: [BroadcastStatus] {
        let (senders, drops, isShared) = state.withLock { ($0.senders, $0.feed.drops.byName, $0.screen == nil) }
        return senders.map { sender in
            var statistics = sender.sender.statistics
            statistics.drops.add(drops)
            return BroadcastStatus(url: sender.url, isViewersEncode: isShared, statistics)
        }
    }

    /// Sends queued media for 2 s at most, then ends the broadcasts.
    func stop() async {
        demand { $0.isOver = true }
        let (senders, screen, heartbeat, group) = state.withLock { state in
            (state.senders, state.screen, state.heartbeat, state.group)
        }
        await screen?.stop()
        await withTaskGroup(of: Void.self) { tasks in
            for sender in senders { tasks.addTask { await sender.sender.close() } }
        }
        heartbeat?.end()
        try? await group?.shutdownGracefully()
    }
}
