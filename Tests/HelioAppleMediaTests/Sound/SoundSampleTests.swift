import HelioAppleMedia
import HelioCore
import HelioSoundCodecs
import Testing

@Suite("Samples in the layouts that devices give")
struct SoundSampleTests {
    private let queue = CaptureQueue()

    /// One sample frame, left 0.5 and right -0.25, in each device layout.
    private static let layouts: [(DeviceSampleFormat, [[UInt8]])] = [
        (DeviceSampleFormat(sampleRate: 48000, channels: 2), [[0, 0, 0, 0x3F, 0, 0, 0x80, 0xBE]]),
        (
            DeviceSampleFormat(sampleRate: 48000, channels: 2, isInterleaved: false),
            [[0, 0, 0, 0x3F], [0, 0, 0x80, 0xBE]]
        ),
        (
            DeviceSampleFormat(sampleRate: 48000, channels: 2, kind: .int16, isBigEndian: true),
            [[0x40, 0, 0xE0, 0]]
        ),
        (DeviceSampleFormat(sampleRate: 48000, channels: 2, kind: .int16), [[0, 0x40, 0, 0xE0]]),
        (
            DeviceSampleFormat(sampleRate: 48000, channels: 2, kind: .int32, isInterleaved: false),
            [[0, 0, 0, 0x40], [0, 0, 0, 0xE0]]
        ),
        (
            DeviceSampleFormat(sampleRate: 48000, channels: 3, kind: .int16),
            [[0, 0x40, 0, 0xE0, 0xFF, 0x7F]]
        ),
    ]

    private func take(
        _ planes: [[UInt8]], _ format: DeviceSampleFormat?, into intake: SampleIntake, at: Instant = .zero
    ) {
        let buffers = planes.map { plane in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.count, alignment: 1)
            buffer.copyBytes(from: plane)
            return UnsafeRawBufferPointer(buffer)
        }
        intake.take(buffers, format, captured: at)
        for buffer in buffers { buffer.deallocate() }
    }

    private func block() -> SoundBlock? {
        if case .item(.sound(let block)) = queue.take(until: .zero) { block } else { nil }
    }

    @Test("floats and integers of either byte order, together or apart, are the same stereo", arguments: layouts)
    func readLayout(format: DeviceSampleFormat, planes: [[UInt8]]) {
        let intake = SampleIntake(queue)
        take(planes, format, into: intake)
        #expect(block()?.samples == [0.5, -0.25])
        #expect(DeviceSampleFormat(format.description) == format)
    }

    @Test("one channel is heard on both sides; what is no number is silence")
    func mono() {
        let intake = SampleIntake(queue)
        take([[0, 0, 0, 0x3F, 0, 0, 0xC0, 0x7F]], DeviceSampleFormat(sampleRate: 48000, channels: 1), into: intake)
        #expect(block()?.samples == [0.5, 0.5, 0, 0])
    }

    @Test("what does not fit its description is counted and dropped")
    func malformed() {
        let intake = SampleIntake(queue)
        let apart = DeviceSampleFormat(sampleRate: 48000, channels: 2, isInterleaved: false)
        take([[0, 0, 0, 0]], apart, into: intake)
        take([[0, 0, 0, 0], [0, 0]], apart, into: intake)
        take([], apart, into: intake)
        take([[]], DeviceSampleFormat(sampleRate: 48000, channels: 2), into: intake)
        take([[0, 0, 0, 0]], nil, into: intake)
        take(
            [[UInt8](repeating: 0, count: 70_000 * 4)], DeviceSampleFormat(sampleRate: 48000, channels: 1), into: intake
        )
        #expect(intake.drops.byName == ["malformed-samples": 6])
        #expect(block() == nil)
    }

    @Test(
        "descriptions that are no linear PCM of ours are none",
        arguments: [
            (48000, 0x6161_6320, 9, 8, 2, 32), (.nan, 0x6C70_636D, 9, 8, 2, 32), (48000, 0x6C70_636D, 9, 8, 0, 32),
            (48000, 0x6C70_636D, 9, 16, 2, 32), (48000, 0x6C70_636D, 12, 6, 2, 24), (48000, 0x6C70_636D, 8, 4, 2, 16),
            (1e12, 0x6C70_636D, 9, 8, 2, 32), (48000, 0x6C70_636D, 9, 8, 4_000_000_000, 32),
        ] as [(Double, UInt32, UInt32, UInt32, UInt32, UInt32)])
    func descriptions(rate: Double, id: UInt32, flags: UInt32, bytes: UInt32, channels: UInt32, bits: UInt32) {
        let description = StreamDescription(
            sampleRate: rate, formatID: id, flags: flags, bytesPerFrame: bytes, channels: channels,
            bitsPerChannel: bits)
        #expect(DeviceSampleFormat(description) == nil)
    }

    @Test("a microphone of 44.1 kHz that becomes one of 48 kHz, and back, keeps its pitch and its time")
    func rates() {
        let intake = SampleIntake(queue)
        var (samples, seconds, worst): ([Float], Double, Double) = ([], 0, 0)
        for rate in [44100, 48000, 44100] {
            samples = []
            for _ in 0..<20 {
                let frames = rate / 50
                let tone = Sine.samples(frames, rate: rate, from: Int((seconds * Double(rate)).rounded()))
                let bytes = tone.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
                take(
                    [bytes], DeviceSampleFormat(sampleRate: rate, channels: 1), into: intake,
                    at: Instant(nanoseconds: Int64(seconds * 1e9)))
                seconds += 0.02
                while let block = block() {
                    // Apart from the filter's ends, each sample equals the tone at its instant.
                    if samples.count > 2000 {
                        let time = Double(block.captured.nanoseconds) / 1e9
                        let expected = Sine.samples(1, rate: 1_000_000, from: Int((time * 1_000_000).rounded()))[0]
                        worst = max(worst, Double(abs(block.samples[0] - expected)))
                    }
                    samples += block.samples
                }
            }
            let pitch = Sine.pitch(of: Array(Sine.left(samples).dropFirst(480)), rate: 48000)
            #expect(abs(pitch - Sine.pitch) < 0.5, "from \(rate) Hz it is \(pitch)")
            #expect(abs(samples.count / 2 - 48000 * 2 / 5) < 100)
        }
        #expect(worst < 0.01)
    }

    @Test("a second of sound is kept: what nobody takes is lost from the oldest on, and counted")
    func overrun() {
        let intake = SampleIntake(queue)
        let format = DeviceSampleFormat(sampleRate: 48000, channels: 2)
        for index in 0..<60 {
            take([[UInt8](repeating: 0, count: 960 * 8)], format, into: intake, at: Instant(nanoseconds: Int64(index)))
        }
        #expect(queue.overrunFrames == 10 * 960)
        #expect(block()?.captured == Instant(nanoseconds: 10))
    }

    @Test("the number of items is bounded, too, and news outlives sound")
    func items() {
        queue.put(.device("first"))
        let intake = SampleIntake(queue)
        for _ in 0..<3000 {
            take([[0, 0, 0, 0]], DeviceSampleFormat(sampleRate: 48000, channels: 1), into: intake)
        }
        #expect(queue.overrunFrames == 3000 - 1023)
        guard case .item(.device("first")) = queue.take(until: .zero) else {
            Issue.record("the news is gone")
            return
        }
    }

    @Test("a callback after the end is counted, and a new beginning takes sound again")
    func late() {
        let intake = SampleIntake(queue)
        intake.close()
        let format = DeviceSampleFormat(sampleRate: 48000, channels: 1)
        take([[0, 0, 0, 0]], format, into: intake)
        #expect(block() == nil && intake.drops.byName == ["late-callback": 1])
        intake.reopen()
        take([[0, 0, 0, 0]], format, into: intake)
        #expect(block() != nil)
    }

    @Test("a wait ends with the time, or with a call")
    func waits() {
        guard case .timeout = queue.take(until: Instant(nanoseconds: -1)) else {
            Issue.record("no timeout")
            return
        }
        queue.wake()
        guard case .woken = queue.take(until: nil) else {
            Issue.record("not woken")
            return
        }
    }
}
