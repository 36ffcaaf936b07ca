import HelioCore
import Synchronization
import Testing

@testable import HelioLinuxSink
@testable import HelioViewing

@Suite("A hardware decoder that fails", .timeLimit(.minutes(1)))
struct DecoderLoopTests {
    /// A software decoder that can claim to be hardware, with injected failures.
    private final class FakeDecoder: VideoDecoding {
        let codec: VideoCodec
        /// The number of frames after which it claims to be hardware; `nil` if it never does.
        private let hardwareFrom: Int?
        private let software: FFmpegDecoder
        private let fails: (Int) -> Bool
        private var count = 0

        init(
            _ codec: VideoCodec, hardwareFrom: Int?, _ fails: @escaping (Int) -> Bool = { _ in false }
        ) throws(HelioError) {
            (self.codec, self.hardwareFrom, self.fails) = (codec, hardwareFrom, fails)
            software = try FFmpegDecoder(codec)
        }

        var isHardware: Bool { hardwareFrom.map { count >= $0 } ?? false }
        var summary: String { isHardware ? "fake hardware" : software.summary }
        var refusedSize: PixelSize? { software.refusedSize }

        func decode(_ frame: ReceivedFrame) throws(HelioError) -> DecodedPicture? {
            defer { count += 1 }
            if fails(count) { throw HelioError(.decoderFailed, "The device is gone.") }
            return try software.decode(frame)
        }

        func reset() { software.reset() }
    }

    private struct Result {
        var pictures = 0
        var keyframesAsked = 0
        var notes: [String] = []
        var summary = ""
        var failed = 0
    }

    /// Decodes keyframes with decoders whose calls fail where `fails` returns true.
    private func decode(
        _ count: Int, startFails: Bool = false, hardwareFrom: Int = 0, fails: @escaping @Sendable (Int) -> Bool
    ) -> Result {
        let asked = Atomic(0)
        let notes = NoteBoard(bell: {})
        let loop = DecoderLoop(
            notes: notes,
            bell: {}, needKeyframe: { asked.add(1, ordering: .relaxed) },
            makeDecoder: { codec, isFallback throws(HelioError) in
                if isFallback { return try FakeDecoder(codec, hardwareFrom: nil) }
                if startFails { throw HelioError(.unsupported, "There is no device.") }
                return try FakeDecoder(codec, hardwareFrom: hardwareFrom, fails)
            })
        var result = Result()
        for index in 0..<count {
            loop.decode(
                ReceivedFrame(
                    codec: .h264, annexB: DecoderCatalog.testPicture(.h264), mediaTime: Int64(index),
                    frameIndex: UInt64(index), isKeyframe: true, firstArrival: .zero, completed: .zero))
            result.pictures += loop.takePictures().count
        }
        result.keyframesAsked = asked.load(ordering: .relaxed)
        result.notes = notes.takeAll()
        result.summary = loop.summary
        result.failed = loop.allDrops["undecodable"] ?? 0
        return result
    }

    @Test("that can't be started is replaced by software; that is told once")
    func start() {
        let result = decode(5, startFails: true) { _ in false }
        #expect(result.pictures == 5 && result.summary.contains("software") && result.notes.count == 1)
    }

    @Test("again and again is given up for software in mid-session; that is told once")
    func again() {
        let result = decode(20) { $0 >= 10 }
        #expect(result.pictures == 17 && result.failed == 3 && result.keyframesAsked == 3)
        #expect(result.notes.count == 1 && result.notes[0].contains("fake hardware failed"), "\(result.notes)")
        #expect(result.summary.contains("software"))
    }

    @Test("to which a decoder went over at a keyframe is named, and given up in the same way")
    func overAtAKeyframe() {
        let before = decode(5, hardwareFrom: 10) { _ in false }
        #expect(before.pictures == 5 && before.summary.contains("software"))
        let over = decode(15, hardwareFrom: 10) { _ in false }
        #expect(over.pictures == 15 && over.summary == "fake hardware" && over.notes.isEmpty)
        let failed = decode(20, hardwareFrom: 10) { $0 >= 12 }
        #expect(failed.pictures == 17 && failed.failed == 3 && failed.summary.contains("software"))
        #expect(failed.notes.count == 1 && failed.notes[0].contains("fake hardware failed"), "\(failed.notes)")
    }

    @Test("once in a while is kept: what it got may have been damaged")
    func seldom() {
        let result = decode(1000) { $0 % 400 == 399 }
        #expect(result.pictures == 998 && result.notes.isEmpty && result.summary == "fake hardware")
    }
}
