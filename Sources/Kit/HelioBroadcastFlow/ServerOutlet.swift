private import Dispatch
public import HelioCore
public import Heliograph
private import Synchronization

/// Sends a broadcast to a server by RTMP, SRT or WHIP (requirement rows 149 to 151 and 157).
public final class ServerOutlet: BroadcastOutlet {
    /// Translates the requests of the broadcast's session to outlet events.
    private final class Requests: VideoSourcePlugin {
        let onEvent: @Sendable (OutletEvent) -> Void
        init(_ onEvent: @escaping @Sendable (OutletEvent) -> Void) { self.onEvent = onEvent }

        func keyframeNeeded(reason _: String) { onEvent(.keyframeNeeded) }
        func bitrateSuggested(_ bitsPerSecond: Int) { onEvent(.wanted(bitrate: bitsPerSecond, largest: nil)) }
        func start() { onEvent(.keyframeNeeded) }
        func resume() { onEvent(.keyframeNeeded) }
    }

    private struct State {
        var broadcast: ServerBroadcast?
        var isOver = false
    }

    private let state: Mutex<State>
    /// The number of pictures that the server's session did not accept.
    private let unsent = Atomic(0)

    /// The bitrate of the picture, in bits a second.
    public static let bitrate = 3_000_000

    /// Starts to connect to the server.
    ///
    /// - Parameters:
    ///   - key: the stream key, parameters or token for the server, as in `BroadcastDestination`; `nil` if it needs
    ///     none.
    ///   - onEvent: called with each event, on any thread.
    ///
    /// Throws `invalidArgument` for a malformed address.
    public init(
        endpoint: String, key: String?, framesPerSecond: Int = 30,
        onEvent: @escaping @Sendable (OutletEvent) -> Void
    ) throws(HelioError) {
        var options = BroadcastOptions(to: [try BroadcastDestination(url: endpoint, key: key)])
        options.framesPerSecond = framesPerSecond
        options.bitrate = Self.bitrate
        let video = MediaAttributes(
            format: .avc, width: options.largest.width, height: options.largest.height,
            framesPerSecond: framesPerSecond, bitrate: options.bitrate)
        state = Mutex(State())
        onEvent(.wanted(bitrate: Self.bitrate, largest: nil))
        let wanted = options
        Task { await begin(wanted, video, onEvent) }
    }

    /// The time without a connection after which the broadcast is ended.
    public var patience: Duration { .seconds(60) }

    private func begin(
        _ options: BroadcastOptions, _ video: MediaAttributes, _ onEvent: @escaping @Sendable (OutletEvent) -> Void
    ) async {
        do throws(HelioError) {
            let broadcast = try await ServerBroadcast.start(options, video: video, plugin: Requests(onEvent)) { event in
                guard case .state(_, let state, let reason) = event else { return }
                switch state {
                case .live: onEvent(.connected)
                case .refused: onEvent(.over(reason ?? "the server has refused it"))
                case .waiting: if let reason { onEvent(.lost(reason)) }
                case .connecting, .stalled, .ended: break
                }
            }
            let isOver = state.withLock { state in
                if !state.isOver { state.broadcast = broadcast }
                return state.isOver
            }
            if isOver { await broadcast.stop() }
        } catch {
            onEvent(.over(error.message))
        }
    }

    /// Sends a coded picture, or counts it as unsent if the server does not accept it now.
    public func write(_ frame: EncodedFrame, size _: PixelSize) {
        guard (try? state.withLock({ $0.broadcast })?.write(frame)) == true else {
            unsent.add(1, ordering: .relaxed)
            return
        }
    }

    /// Sends samples of the apps' sound. Samples of the microphone are ignored, because a server accepts only one
    /// stream of sound.
    public func write(_ samples: SoundSamples, of input: SoundInput) {
        guard input == .system else { return }
        _ = try? state.withLock { $0.broadcast }?.write(sound: samples)
    }

    /// Ends the broadcast. Blocks until the queued data is sent, but no longer than `limit`.
    public func finish(within limit: Duration) {
        let broadcast = state.withLock { state in
            state.isOver = true
            defer { state.broadcast = nil }
            return state.broadcast
        }
        guard let broadcast else { return }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await broadcast.stop()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1))))
    }

    /// The number of pictures that the server's session did not accept.
    var picturesUnsent: Int { unsent.load(ordering: .relaxed) }
}
