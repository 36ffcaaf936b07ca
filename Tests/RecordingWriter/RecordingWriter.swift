private import Foundation
private import HelioCore
import HelioGround
private import HelioRecording

/// Records coded pictures in real time as from a screen, 30 a second, and prints when each was passed on.
///
/// Its arguments are the file to record to, and a file with the pictures: each is preceded by a byte, 1 for a keyframe,
/// and its length in four bytes, big-endian. The program exits after the last one.
@main
enum RecordingWriter {
    private struct Pictures: RecordedStream {
        func requestKeyframe(_ reason: String) { say("keyframe: \(reason)") }
        func repeatPicture() {}

        func take(_ news: RecordingNews) {
            switch news {
            case .began(let path): say("began: \(path)")
            case .continued(let path): say("continued: \(path)")
            case .failed(let error): say("failed: \(error.message)")
            }
        }
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        let pictures = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
        var options = RecorderOptions(path: arguments[1])
        options.sound = [.system]
        let recorder: Recorder
        do {
            recorder = try Recorder(options, of: Pictures())
        } catch {
            return say("refused: \(error)")
        }
        let began = MonotonicClock.now
        var (place, number) = (0, 0)
        while place + 5 <= pictures.count {
            let length = pictures[place + 1..<place + 5].reduce(0) { $0 << 8 | Int($1) }
            let time = began + .nanoseconds(Int64(number) * 33_333_333)
            let left = time - MonotonicClock.now
            if left > .zero { try await Task.sleep(for: left) }
            recorder.put(
                RecordedPicture(
                    codec: .h264, annexB: [UInt8](pictures[place + 5..<place + 5 + length]), captured: time,
                    isKeyframe: pictures[place] == 1))
            say("picture \(number)")
            place += 5 + length
            number += 1
        }
        await recorder.stop()
        let statistics = recorder.statistics
        say("ended: \(statistics.state.rawValue), \(statistics.pictures) pictures, \(statistics.bytes) bytes")
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
