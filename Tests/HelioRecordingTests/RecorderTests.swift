import HelioCore
import HelioGround
import HelioTestLanes
import Synchronization
import Testing

@testable import HelioRecording

/// The recorder with its thread and its queue.
@Suite(.tags(.quiet)) struct RecorderTests {
    private final class Heard: RecordedStream {
        let keyframes = Mutex<[String]>([])
        let news = Mutex<[String]>([])

        func requestKeyframe(_ reason: String) { keyframes.withLock { $0.append(reason) } }
        func repeatPicture() {}
        func take(_ news: RecordingNews) { self.news.withLock { $0.append("\(news)") } }
    }

    private func recorder(_ file: String, _ heard: Heard) throws -> Recorder {
        try Recorder(RecorderOptions(path: file), of: heard)
    }

    @Test("Slices as an encoder gives them become a file; a keyframe is asked for at the start")
    func slices() async throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 45, in: folder)
        let (file, heard) = (folder.file("take.mp4"), Heard())
        let recorder = try recorder(file, heard)
        let began = MonotonicClock.now
        for (index, unit) in coded.units.enumerated() {
            let time = began + .milliseconds(33 * index)
            // Two parts of the access unit, split at an arbitrary byte.
            let half = unit.bytes.count / 2
            for (part, bytes) in [unit.bytes[..<half], unit.bytes[half...]].enumerated() {
                recorder.put(
                    EncodedSlice(
                        frameIndex: UInt64(index), annexB: Array(bytes), isFirst: part == 0, isLast: part == 1,
                        isKeyframe: unit.isKeyframe, timing: FrameTiming(damaged: time, captured: time)))
            }
        }
        await recorder.stop()
        #expect(try CodedMedia.hashes(of: file) == coded.hashes)
        let statistics = recorder.statistics
        #expect(statistics.state == .finished && statistics.pictures == 45 && statistics.drops == [:])
        #expect(heard.keyframes.withLock { $0 }.allSatisfy { $0 == "a recording begins" })
        #expect(heard.news.withLock { $0.count } == 1)
        // Nothing is accepted any more, and stopping again returns at once.
        recorder.put(RecordedPicture(codec: .h264, annexB: [1], captured: began, isKeyframe: true))
        await recorder.stop()
        #expect(recorder.statistics.pictures == 45)
    }

    @Test("A missing frame is counted, and the file goes on with the next keyframe")
    func missing() async throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 45, keyframes: 30, in: folder)
        let (file, heard) = (folder.file("take.mkv"), Heard())
        let recorder = try recorder(file, heard)
        let began = MonotonicClock.now
        for (index, unit) in coded.units.enumerated() where index != 10 {
            let time = began + .milliseconds(33 * index)
            recorder.put(
                EncodedSlice(
                    frameIndex: UInt64(index), annexB: unit.bytes, isFirst: true, isLast: true,
                    isKeyframe: unit.isKeyframe, timing: FrameTiming(damaged: time, captured: time)))
        }
        await recorder.stop()
        #expect(try CodedMedia.hashes(of: file) == Array(coded.hashes[..<10] + coded.hashes[30...]))
        let drops = recorder.statistics.drops
        #expect(drops == ["recording-picture-incomplete": 1, "recording-picture-without-keyframe": 18])
    }
}
