private import HelioAppModels
public import HelioAppleMedia
public import HelioCore
public import Heliograph
private import Synchronization

/// The extension's half of a broadcast: sends the broadcast to the app or to a server, stays within 50 MB of memory,
/// writes a heartbeat, and ends with a message for the user (requirement rows 81, 149 to 160, 166 and 168).
///
/// The extension passes the system's calls to `perform(_:)` and coded pictures and sound to `take`, and calls `tick()`
/// about once a second. All methods may be called on any thread.
public final class ExtensionFlow: BroadcastObserving, Sendable {
    private struct State {
        var model = BroadcastExtensionModel()
        var outlet: (any BroadcastOutlet)?
        var isToServer = false
        /// The time since which there is no connection; `nil` while there is one.
        var lostSince: Duration?
        var lostReason = ""
    }

    /// The longest time to wait at the end for queued data to be sent.
    private static let farewell = Duration.seconds(1)

    private let surroundings: ExtensionSurroundings
    private let coder: any BroadcastCoding
    private let makeOutlet: MakeOutlet
    private let state = Mutex(State())
    private let run = UInt64.random(in: 0 ... .max)

    /// A function that makes the outlet for a broadcast, to a server or, if `server` is `nil`, to the app.
    public typealias MakeOutlet =
        @Sendable (
            _ server: (endpoint: String, key: String?)?, _ onEvent: @escaping @Sendable (OutletEvent) -> Void
        ) throws -> any BroadcastOutlet

    /// - Parameters:
    ///   - coder: the encoder of the pictures that are passed to `take(_:size:)`.
    ///   - makeOutlet: by default makes a `RelayOutlet` or a `ServerOutlet`.
    public init(
        _ surroundings: ExtensionSurroundings, coder: any BroadcastCoding, makeOutlet: MakeOutlet? = nil
    ) {
        self.surroundings = surroundings
        self.coder = coder
        let socket = surroundings.folder?.socket ?? ""
        self.makeOutlet =
            makeOutlet ?? { server, onEvent in
                if let server { return try ServerOutlet(endpoint: server.endpoint, key: server.key, onEvent: onEvent) }
                let size = EncoderPreset.relayedPortrait.size
                return try RelayOutlet(socket: socket, size: size, onEvent: onEvent)
            }
    }

    /// Executes a call of the system. When this returns for `close`, the broadcast has ended.
    public func perform(_ action: BroadcastAction) {
        switch action {
        case .open:
            let folder = surroundings.folder
            handle(
                .started(
                    hasApp: folder?.hasSocket ?? false, endpoint: surroundings.text(BroadcastKeys.endpoint),
                    key: surroundings.text(BroadcastKeys.streamKey)))
        case .hold: handle(.paused)
        case .goOn: handle(.resumed)
        case .close: handle(.finished)
        }
    }

    /// Returns true if an arrived picture has to be coded; otherwise counts it as dropped. Also checks the memory use.
    public func takesPicture() -> Bool {
        if let memory = surroundings.memory() { handle(.memory(memory)) }
        return state.withLock { $0.model.takesPicture() }
    }

    /// Sends a coded picture to the outlet.
    public func take(_ frame: EncodedFrame, size: PixelSize) { outlet?.write(frame, size: size) }

    /// Sends samples of sound to the outlet.
    public func take(_ samples: SoundSamples, of input: SoundInput) { outlet?.write(samples, of: input) }

    /// Sends sound to the outlet: interleaved stereo samples at 48 kHz.
    public func take(stereo samples: [Float], isMicrophone: Bool, captured: Duration) {
        take(SoundSamples(samples, presentationTime: captured), of: isMicrophone ? .microphone : .system)
    }

    /// Handles expired deadlines: writes the heartbeat, and ends a broadcast that has been without a connection for too
    /// long.
    public func tick() {
        let now = surroundings.now()
        let (isLost, isToServer, reason) = state.withLock { state in
            let patience = state.outlet?.patience ?? .zero
            let isLost = state.outlet != nil && state.lostSince.map { now - $0 >= patience } ?? false
            return (isLost, state.isToServer, state.lostReason)
        }
        if isLost { handle(isToServer ? .serverRefused(reason) : .appGone) }
        act { $0.tick(now: now) }
    }

    /// The number of pictures that were dropped because memory was short or the broadcast was paused.
    public var drops: Int { state.withLock { $0.model.drops } }

    private var outlet: (any BroadcastOutlet)? { state.withLock { $0.outlet } }

    private func handle(_ event: BroadcastExtensionModel.Event, waits: Bool = true) {
        let now = surroundings.now()
        act(waits: waits) { $0.handle(event, now: now) }
    }

    private func act(waits: Bool = true, _ change: (inout BroadcastExtensionModel) -> Void) {
        let effects = state.withLock { state in
            change(&state.model)
            var effects: [BroadcastExtensionModel.Effect] = []
            while let effect = state.model.poll() { effects.append(effect) }
            return effects
        }
        for effect in effects { perform(effect, waits: waits) }
    }

    private func perform(_ effect: BroadcastExtensionModel.Effect, waits: Bool) {
        switch effect {
        case .openRelay: open(nil)
        case .openServer(let endpoint, let key): open((endpoint, key))
        case .beat(let sequence, let isEnd):
            surroundings.folder?.write(
                heartbeat: BroadcastExtensionModel.heartbeat(
                    run: run, sequence: sequence, isEnd: isEnd, milliseconds: surroundings.milliseconds()))
        case .keyframe: coder.requestKeyframe()
        case .lessen: coder.lessen()
        case .close: close(waits: waits)
        case .fail(let reason): surroundings.fail(reason)
        }
    }

    private func open(_ server: (endpoint: String, key: String?)?) {
        let now = surroundings.now()
        state.withLock { state in
            state.isToServer = server != nil
            state.lostSince = now
        }
        do {
            let outlet = try makeOutlet(server) { [weak self] in self?.take($0) }
            state.withLock { $0.outlet = outlet }
        } catch {
            let reason = (error as? HelioError)?.message ?? "\(error)"
            handle(server == nil ? .appGone : .serverRefused(reason))
        }
    }

    private func close(waits: Bool) {
        let outlet = state.withLock { state in
            defer { state.outlet = nil }
            return state.outlet
        }
        // Don't wait on the outlet's own thread, which would be a deadlock.
        outlet?.finish(within: waits ? Self.farewell : .zero)
    }

    private func take(_ event: OutletEvent) {
        switch event {
        case .connected:
            state.withLock { $0.lostSince = nil }
            coder.requestKeyframe()
        case .lost(let reason):
            let now = surroundings.now()
            state.withLock { state in
                state.lostSince = state.lostSince ?? now
                state.lostReason = reason
            }
        case .keyframeNeeded: coder.requestKeyframe()
        case .wanted(let bitrate, let largest): coder.keep(to: bitrate, largest: largest)
        case .over(let reason):
            let isToServer = state.withLock { $0.isToServer }
            handle(isToServer ? .serverRefused(reason) : .appGone, waits: false)
        }
    }
}
