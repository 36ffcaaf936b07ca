import Foundation
import HelioCore
import HelioTestPrograms

/// A named pipe to which a player writes raw pictures with 4 bytes a pixel, as fast as they are read.
final class PicturePipe {
    struct NoPicture: Error {}

    /// The milliseconds within which part of a picture must arrive, or the test fails.
    private static let patience: Int32 = 20_000

    let path: String
    private let size: PixelSize
    private let descriptor: Int32

    init(_ path: String, size: PixelSize) throws {
        self.path = path
        self.size = size
        guard mkfifo(path, 0o600) == 0 else { throw NoPicture() }
        descriptor = open(path, O_RDONLY | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Reads the next picture; throws if the player has ended.
    func next() throws -> Screenshot {
        var bytes = [UInt8](repeating: 0, count: size.area * 4)
        var filled = 0
        while filled < bytes.count {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Self.patience) > 0 else { throw NoPicture() }
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            guard count > 0 else { throw NoPicture() }
            filled += count
        }
        return Screenshot(size: size, bgrx: bytes)
    }
}
