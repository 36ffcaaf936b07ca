import HelioCore
import Testing

@testable import HelioRecording

@Suite struct SoundTimelineTests {
    @Test(
        "A device whose clock is off is followed without a gap, and without leaving its time",
        arguments: [-200.0, 0, 200])
    func drift(partsPerMillion: Double) {
        var timeline = SoundTimeline()
        var generator = SeededGenerator(seed: 7)
        var end: Int64?
        for index in 0..<180_000 {
            // A quarter of an hour of 5 ms packets, with times that are off by up to 2 ms.
            let exact = Double(index * 240) * (1 + partsPerMillion / 1e6)
            let heard = Int64(exact + (generator.unit() - 0.5) * 192)
            guard case .after(let silence, let at) = timeline.place(heard: heard, length: 240) else {
                Issue.record("late")
                return
            }
            #expect(silence == 0)
            if let end { #expect(abs(at - end) <= 2) }
            end = at + 240
            #expect(abs(Double(at) - exact) < 480)
        }
    }

    @Test("A gap becomes silence of its length, in whole packets")
    func gap() {
        var timeline = SoundTimeline()
        #expect(timeline.place(heard: 500, length: 240) == .after(silence: 480, at: 480))
        #expect(timeline.place(heard: 720 + 48_000, length: 240) == .after(silence: 48_000, at: 48_720))
        #expect(timeline.place(heard: 30_000, length: 240) == .late)
        #expect(timeline.end == 48_960)
    }

    @Test("While nothing is heard silence goes on, and what is then late is left out")
    func fill() {
        var timeline = SoundTimeline()
        #expect(timeline.fill(to: 900) == nil)
        let filled = timeline.fill(to: 48_500)
        #expect(filled?.at == 0)
        #expect(filled?.length == 48_000)
        #expect(timeline.place(heard: 40_000, length: 960) == .late)
        #expect(timeline.place(heard: 48_000, length: 960) == .after(silence: 0, at: 48_000))
    }
}
