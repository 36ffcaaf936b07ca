import Foundation
import HelioCore
import Synchronization

/// Renders a continuous tone.
final class ToneRenderer: Sendable {
    let tone: Tone
    private let frame = Mutex(0)

    init(_ tone: Tone) { self.tone = tone }

    /// The number of requested sample frames.
    var frames: Int { frame.withLock { $0 } }

    func render(_ samples: inout MutableSpan<Float>, _ heard: Instant) {
        let count = samples.count / 2
        let first = frame.withLock { frame in
            defer { frame += count }
            return frame
        }
        let made = tone.samples(frames: count, from: first)
        for index in 0..<samples.count { samples[index] = made[index] }
    }
}

/// Renders clicks that are due at multiples of 50 ms of the machine's clock.
final class ClickRenderer: Sendable {
    static let interval: Int64 = 50_000_000

    func render(_ samples: inout MutableSpan<Float>, _ heard: Instant) {
        for frame in 0..<samples.count / 2 {
            let (from, to) = (time(heard, frame), time(heard, frame + 1))
            let isClick = from / Self.interval != to / Self.interval
            samples[frame * 2] = isClick ? 0.9 : 0
            samples[frame * 2 + 1] = isClick ? 0.9 : 0
        }
    }

    private func time(_ heard: Instant, _ frame: Int) -> Int64 {
        heard.nanoseconds + Int64(frame) * 1_000_000_000 / 48000
    }

    /// The lateness of each click in a recording, in milliseconds.
    static func errors(in blocks: [SoundBlock]) -> [Double] {
        blocks.flatMap { block -> [Double] in
            (0..<block.frames).filter { block.samples[$0 * 2] > 0.5 }.map { frame in
                let time = block.captured.nanoseconds + Int64(frame) * 1_000_000_000 / 48000
                let rest = (time + interval / 2) % interval - interval / 2
                return Double(rest) / 1e6
            }
        }
    }
}
