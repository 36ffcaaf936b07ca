import HelioCore
import HelioTestPrograms
import Testing

/// Reads the blocks and events of a capture.
struct Recording {
    struct Ended: Error {}

    private let capture: any SoundCapturing
    private let patience: Patience

    init(_ capture: any SoundCapturing, within limit: Duration = .seconds(20)) {
        self.capture = capture
        patience = Patience(limit)
    }

    /// Returns the next event other than a time-out.
    func next() throws -> SoundCaptureEvent {
        while true {
            try #require(!patience.isOver, "the capture gives nothing more")
            let event = try capture.next(until: .now + .milliseconds(100))
            if case .timeout = event { continue }
            return event
        }
    }

    /// Returns blocks of this total duration, from the first non-silent one on.
    func sound(_ duration: Duration) throws -> [SoundBlock] {
        var blocks: [SoundBlock] = []
        var length = Duration.zero
        while length < duration {
            guard case .sound(let block) = try next() else { continue }
            if blocks.isEmpty, block.samples.allSatisfy({ abs($0) < 0.001 }) { continue }
            blocks.append(block)
            length += block.duration
        }
        return blocks
    }

    /// Reads until a matching event; returns the sound blocks before it.
    @discardableResult
    func wait(for isWanted: (SoundCaptureEvent) -> Bool) throws -> [SoundBlock] {
        var blocks: [SoundBlock] = []
        while true {
            let event = try next()
            if isWanted(event) { return blocks }
            if case .sound(let block) = event { blocks.append(block) }
        }
    }

    /// Reads until a tone of this pitch and level is detected.
    func wait(for tone: Tone) throws {
        while true {
            let samples = try sound(.milliseconds(100)).flatMap(\.samples)
            let found = tone.find(in: samples)
            if abs(found.cents) < 5, abs(found.level) < 1, found.noise > 20 { return }
        }
    }
}
