private import Foundation
public import HelioCore

/// A file of consecutive coded pictures in Annex B format, without a container or timestamps, which FFmpeg and players
/// can read.
///
/// The file begins with a keyframe; pictures before the first keyframe are not written. Only its owner may read it,
/// because it may show a screen.
public actor PictureFile {
    private let file: FileHandle
    private let path: String
    /// The number of pictures in the file.
    public private(set) var frames = 0

    /// Creates the file, replacing an existing one. Throws `systemFailed`.
    public init(_ path: String) throws(HelioError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HelioError(
                .systemFailed, "\(path) can't be written (\(String(cString: strerror(errno)))): give another file")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.path = path
    }

    /// Appends a picture. Throws `systemFailed` if the file can't be written.
    public func write(_ frame: EncodedFrame) throws(HelioError) {
        guard frames > 0 || frame.isKeyframe else { return }
        do {
            try file.write(contentsOf: Data(frame.annexB))
        } catch {
            throw HelioError(.systemFailed, "\(path) takes no more: is the disk full?", cause: error)
        }
        frames += 1
    }
}
