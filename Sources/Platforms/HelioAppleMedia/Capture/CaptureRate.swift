package import HelioCore

/// Chooses the frame rate of a capture stream (requirement row 107): lower if many frames are replaced before they are
/// taken, to save useless work; higher again once few are.
///
/// A still screen needs no lower rate, as the stream then delivers nothing.
package struct CaptureRate: Sendable {
    private static let window: Duration = .seconds(1)
    /// The number of consecutive windows with many replaced frames after which the rate falls; `windowsToRise` counts
    /// windows with few.
    private static let windowsToFall = 2
    private static let windowsToRise = 5
    /// The minimum number of frames in a window for lowering the rate.
    private static let leastFrames = 10

    /// The rates in frames per second, highest first: the ceiling, 3/4 and 1/2 of it, but none below 30 except the
    /// ceiling.
    private let steps: [Int]
    private var step = 0
    private var windowEnds: Instant
    private var before: (arrived: Int, replaced: Int) = (0, 0)
    private var crowded = 0
    private var roomy = 0

    package init(ceiling: Int, now: Instant) {
        let ceiling = min(240, max(1, ceiling))
        var steps = [ceiling]
        for lower in [ceiling * 3 / 4, ceiling / 2] where max(30, lower) < steps[steps.count - 1] {
            steps.append(max(30, lower))
        }
        self.steps = steps
        windowEnds = now + Self.window
    }

    package var framesPerSecond: Int { steps[step] }

    /// Evaluates the total numbers of frames so far, once per second. Returns true if the rate has changed.
    package mutating func observe(arrived: Int, replaced: Int, now: Instant) -> Bool {
        guard now >= windowEnds else { return false }
        windowEnds = now + Self.window
        let (came, lost) = (arrived - before.arrived, replaced - before.replaced)
        before = (arrived, replaced)
        let isCrowded = came >= Self.leastFrames && lost * 10 > came * 3
        crowded = isCrowded ? crowded + 1 : 0
        roomy = lost * 20 <= came ? roomy + 1 : 0
        if crowded >= Self.windowsToFall, step + 1 < steps.count { return move(by: 1) }
        if roomy >= Self.windowsToRise, step > 0 { return move(by: -1) }
        return false
    }

    private mutating func move(by steps: Int) -> Bool {
        step += steps
        (crowded, roomy) = (0, 0)
        return true
    }
}
