/// Measures how unevenly an output requests samples, as many outputs request several chunks at once, and then none for
/// a while.
///
/// A call's lateness is its time minus the duration of all samples requested so far. `spread` is the last call's
/// lateness minus the minimum of recent calls, in seconds.
struct OutputSchedule: Sendable {
    private static let window = 0.5
    private static let pause = 0.25

    private let rate: Double
    private var frames = 0.0
    private var began = 0.0
    private var lastCall: Double?
    private var before: Double?
    private var least = 0.0
    private(set) var spread = 0.0

    init(rate: Int) {
        self.rate = Double(rate)
    }

    /// Records a call for `count` frames. Returns the seconds since the last call.
    mutating func asked(_ count: Int, now: Double) -> Double {
        let elapsed = lastCall.map { max(0, now - $0) } ?? 0
        let isNew = lastCall == nil || elapsed > Self.pause
        lastCall = now
        frames += Double(count)
        let lateness = now - frames / rate
        if isNew {
            before = nil
            least = lateness
            began = now
        } else if now - began >= Self.window {
            before = least
            least = lateness
            began = now
        }
        least = min(least, lateness)
        spread = max(0, lateness - min(least, before ?? least))
        return elapsed
    }
}
