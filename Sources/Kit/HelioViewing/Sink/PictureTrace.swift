private import Foundation
import HelioCore
import HelioPlayout

/// A CSV file with a line for each shown picture: its properties, and the time that it spent in each stage.
///
/// Times are in milliseconds, and empty if not known. The file shows in which stage each picture was delayed, which
/// percentiles hide. Used from one thread.
final class PictureTrace {
    /// The number of buffered bytes at which the buffer is written; `flush` writes it earlier.
    private static let mostGathered = 16 * 1024

    private static let columns =
        ["time_s", "frame", "bytes", "keyframe", "changed_share"]
        + FrameStages.Stage.allCases.map { "\($0.rawValue)_ms" }

    private let file: FileHandle
    private var gathered: String

    /// Creates the file, which only its owner may read. Throws `systemFailed` if it can't be created.
    init(_ path: String) throws(HelioError) {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade, let file = FileHandle(forWritingAtPath: path) else {
            throw HelioError(.systemFailed, "The trace can't be written to \(path).")
        }
        self.file = file
        gathered = Self.columns.joined(separator: ",") + "\n"
    }

    deinit { flush() }

    /// - Parameter time: the time since the viewer started.
    func write<Picture>(_ shown: DecodedFrame<Picture>, _ stages: FrameStages, at time: Duration) {
        let share = shown.picture.changedShare
        var cells = [
            time.inSeconds.text(decimals: 4), "\(shown.frame.frameIndex)", "\(shown.byteCount)",
            shown.frame.isKeyframe ? "1" : "0", share.text(decimals: 4),
        ]
        cells += FrameStages.Stage.allCases.map { stage in
            stages[stage].map { $0.milliseconds.text(decimals: 3) } ?? ""
        }
        gathered += cells.joined(separator: ",") + "\n"
        if gathered.utf8.count >= Self.mostGathered { flush() }
    }

    /// Writes the buffered lines. If the disk is full, they are lost, and the session continues.
    func flush() {
        try? file.write(contentsOf: Data(gathered.utf8))
        gathered = ""
    }
}
