internal import HelioADB
internal import HelioAndroid
public import HelioCore
internal import HelioGround
private import Synchronization

/// Measurements of a phone's encoder, for a report: what its encoders state, and how fast the chosen one reacts.
public enum AndroidDiagnosis {
    /// The time that each reaction gets, in seconds.
    private static let patience = 5
    /// The time over which bytes are counted, in seconds.
    private static let countingTime = 3

    /// Connects to the phone, measures, and disconnects. Something should move on the phone's screen meanwhile.
    ///
    /// Throws the errors of `AndroidScreen.start`.
    ///
    /// - Parameters:
    ///   - phone: which phone, and how it is reached.
    ///   - tell: called with each line of the report as it is known.
    public static func run(_ phone: AndroidOptions, tell: @escaping @Sendable (String) -> Void) async throws(HelioError)
    {
        let server = try AndroidServerFile(phone.serverFile)
        var settings = AndroidSettings(serial: phone.serial, server: server.bytes, serverDigest: server.digest)
        settings.codecs = [.h264, .h265]
        settings.hasSound = false
        let watch = Watch(tell: tell)
        let port = AndroidPort(
            settings, adb: ADBPlace(port: phone.adbPort, program: phone.adbProgram), onEvent: { watch.take($0) })
        let trouble = await measure(port, watch, settings.bitrate, tell)
        let drops = port.statistics.drops.byName
        await port.close()
        if let trouble { throw trouble.error }
        for (name, count) in drops.sorted(by: { $0.key < $1.key }) { tell("dropped: \(count) \(name)") }
    }

    private static func measure(
        _ port: AndroidPort, _ watch: Watch, _ bitrate: Int, _ tell: @Sendable (String) -> Void
    ) async -> AndroidTrouble? {
        guard await watch.wait(seconds: 90, for: { $0.isReady || $0.trouble != nil }), watch.now.trouble == nil else {
            return watch.now.trouble ?? .silent
        }
        let started = MonotonicClock.now
        port.submit(.watched(true))
        report("first picture", await watch.wait(seconds: patience) { $0.keyframes > 0 }, started, tell)
        if let trouble = watch.now.trouble { return trouble }
        for attempt in 1...3 {
            let (before, asked) = (watch.now.keyframes, MonotonicClock.now)
            port.submit(.keyframe)
            let came = await watch.wait(seconds: patience) { $0.keyframes > before }
            report("keyframe \(attempt)", came, asked, tell)
        }
        let whole = await count(watch)
        port.submit(.bitrate(bitrate / 8))
        let eighth = await count(watch)
        tell("bytes in \(countingTime) s at \(bitrate / 1_000_000) Mbit/s: \(whole); at an eighth: \(eighth)")
        let statistics = port.statistics
        tell(
            "steps to keyframes: \(statistics.keyframesAsked) requests, \(statistics.resurfaced) redraws, "
                + "\(statistics.restarted) new encoders")
        if let roundTrip = statistics.roundTrip { tell("round trip: \(roundTrip.milliseconds) ms") }
        return watch.now.trouble
    }

    private static func report(_ name: String, _ came: Bool, _ since: Instant, _ tell: (String) -> Void) {
        let took = Int((MonotonicClock.now - since).milliseconds)
        tell(came ? "\(name): after \(took) ms" : "\(name): none in \(patience) s")
    }

    private static func count(_ watch: Watch) async -> Int {
        let before = watch.now.bytes
        try? await Task.sleep(for: .seconds(countingTime))
        return watch.now.bytes - before
    }

    /// Collects the phone's events.
    private final class Watch: Sendable {
        struct Seen: Sendable {
            var isReady = false
            var keyframes = 0
            var bytes = 0
            var trouble: AndroidTrouble?
        }

        private struct State {
            var seen = Seen()
            var wanted: (@Sendable (Seen) -> Bool)?
            var waiting: CheckedContinuation<Bool, Never>?
        }

        private let state = Mutex(State())
        private let tell: @Sendable (String) -> Void

        init(tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

        var now: Seen { state.withLock { $0.seen } }

        func take(_ event: AndroidEvent) {
            switch event {
            case .ready(let serial, let model, let screen, let encoders):
                tell("phone: \(model) (\(serial)), screen \(screen)")
                for encoder in encoders { tell("encoder: \(encoder)") }
                change { $0.isReady = true }
            case .format(let codec, let size, _): tell("encoding: \(codec.encodingName), \(size)")
            case .picture(let picture):
                change { seen in
                    seen.keyframes += picture.isKeyframe ? 1 : 0
                    seen.bytes += picture.annexB.count
                }
            case .waiting(let trouble): tell(trouble.error.message)
            case .note(let text): tell(text)
            case .failed(let trouble): change { $0.trouble = trouble }
            case .sound, .clipboard: break
            }
        }

        /// Waits until the condition holds. Returns false if it does not in time. One wait at a time.
        func wait(seconds: Int, for wanted: @escaping @Sendable (Seen) -> Bool) async -> Bool {
            let limit = Task {
                try await Task.sleep(for: .seconds(seconds))
                finish(false)
            }
            defer { limit.cancel() }
            return await withCheckedContinuation { waiting in
                let holds = state.withLock { state in
                    if wanted(state.seen) { return true }
                    (state.wanted, state.waiting) = (wanted, waiting)
                    return false
                }
                if holds { waiting.resume(returning: true) }
            }
        }

        private func change(_ body: (inout Seen) -> Void) {
            let holds = state.withLock { state in
                body(&state.seen)
                return state.wanted?(state.seen) ?? false
            }
            if holds { finish(true) }
        }

        private func finish(_ came: Bool) {
            let waiting = state.withLock { state in
                defer { (state.wanted, state.waiting) = (nil, nil) }
                return state.waiting
            }
            waiting?.resume(returning: came)
        }
    }
}
