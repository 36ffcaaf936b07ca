internal import Heliograph
private import Synchronization

/// Counts decoded pictures, and prints a `frames` line for the first picture, then at most every half second.
final class FrameMeter: Sendable {
    private struct State {
        var count = 0
        var told: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(500)

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func take(_ image: DecodedImage) {
        let count = state.withLock { state -> Int? in
            state.count += 1
            let now = ContinuousClock.now
            if let told = state.told, now - told < Self.interval { return nil }
            state.told = now
            return state.count
        }
        guard let count else { return }
        PeerLines.say(
            "frames",
            [
                "count": count, "width": image.width, "height": image.height,
                "luma": (image.meanLuma * 100).rounded() / 100,
            ])
    }
}
