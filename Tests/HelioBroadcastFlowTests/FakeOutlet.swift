import HelioAppModels
import HelioAppleMedia
import HelioBroadcastFlow
import HelioCore
import Heliograph
import Synchronization

/// A broadcast's destination and coder; both only record their calls.
final class FakeOutlet: BroadcastOutlet, BroadcastCoding {
    let patience = Duration.seconds(10)
    private let log = Mutex<[String]>([])
    private let tellers = Mutex<[@Sendable (OutletEvent) -> Void]>([])
    private let failures = Mutex<[Phrase]>([])

    private func note(_ text: String) { log.withLock { $0.append(text) } }

    /// The calls since the last read.
    var asked: [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }
    var failed: [Phrase] { failures.withLock { $0 } }
    func fail(_ reason: Phrase) { failures.withLock { $0.append(reason) } }

    func open(_ what: String, _ tell: @escaping @Sendable (OutletEvent) -> Void) {
        note("open \(what)")
        tellers.withLock { $0.append(tell) }
    }
    func tell(_ event: OutletEvent) { tellers.withLock { $0.last }?(event) }

    func write(_ frame: EncodedFrame, size: PixelSize) { note("picture \(size)") }
    func write(_ samples: SoundSamples, of input: SoundInput) { note("sound \(input)") }
    func finish(within limit: Duration) { note("finish \(limit)") }

    func requestKeyframe() { note("keyframe") }
    func keep(to bitrate: Int?, largest: PixelSize?) { note("keep \(bitrate ?? 0)") }
    func lessen() { note("lessen") }
}
