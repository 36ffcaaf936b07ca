import Foundation
import HelioTestPrograms

extension NginxServer {
    /// Returns FFmpeg's digests of the pictures or packets in the recording of a stream.
    func recorded(_ name: String, _ stream: String, copy: Bool = false) throws -> [String] {
        let file = recording(of: name)
        return FrameDigests.parse(
            try Tool.run(
                ["ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-i", file, "-map", stream]
                    + (copy ? ["-c", "copy"] : []) + ["-fps_mode", "passthrough", "-f", "framemd5", "-"]))
    }
}
