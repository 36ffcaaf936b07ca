/// Learns when an output asks for samples: many ask for several chunks at once, and then for none for a while.
///
/// An output's lateness is the time of a call minus the time that all samples asked for until then last. `spread` is
/// what it was above its least at the last call: as much less time there is at the worst of the calls.
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

    /// Takes a call for so many frames; returns the time since the last one.
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
