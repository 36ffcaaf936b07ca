import Foundation
import HelioCore
import HelioTestPrograms

/// The pictures in a coded file, decoded by FFmpeg.
struct CodedPictures {
    struct Undecodable: Error, CustomStringConvertible { let description: String }

    let size: PixelSize
    private let bytes: [UInt8]
    private let bytesPerPicture: Int

    /// - Parameter format: FFmpeg's name of the pixel format, for example `yuv420p`, which begins with luma.
    init(_ path: String, size: PixelSize, format: String = "yuv420p") throws {
        let raw = path + ".raw"
        let decoder = try RunningProgram(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "h264", "-i", path, "-vsync", "passthrough", "-pix_fmt", format, "-f",
                "rawvideo",
                raw,
            ], environment: [:])
        let code = decoder.waitUntilExit()
        guard code == 0, decoder.text.isEmpty, let data = FileManager.default.contents(atPath: raw) else {
            throw Undecodable(description: "FFmpeg ended with \(code): \(decoder.text)")
        }
        try FileManager.default.removeItem(atPath: raw)
        self.size = size
        bytes = Array(data)
        bytesPerPicture = size.area * (format == "yuv420p" ? 3 : 8) / 2
        guard bytes.count % bytesPerPicture == 0 else {
            throw Undecodable(description: "\(bytes.count) bytes are no pictures of \(size)")
        }
    }

    var count: Int { bytes.count / bytesPerPicture }

    /// The last picture, in the format `bgr0`.
    var lastScreenshot: Screenshot { Screenshot(size: size, bgrx: Array(bytes.suffix(bytesPerPicture))) }

    private func luma(_ picture: Int, x: Int, y: Int) -> Int {
        Int(bytes[picture * bytesPerPicture + y * size.width + x])
    }

    // MARK: The test picture

    /// The number shown in a picture: 16 cells with a bright and a dark half.
    func number(of picture: Int) -> Int {
        (0..<16).reduce(0) { number, cell in
            func half(_ index: Int) -> Int {
                luma(picture, x: (cell * 4 + index * 2 + 1) * size.width / 64, y: size.height / 16)
            }
            return number * 2 + (half(0) > half(1) ? 1 : 0)
        }
    }

    /// The columns of the bar in the middle row.
    func bar(of picture: Int) -> Range<Int>? {
        let row = (0..<size.width).map { luma(picture, x: $0, y: size.height / 2) > 142 }
        guard let first = row.firstIndex(of: true), let last = row.lastIndex(of: true) else { return nil }
        return first..<last + 1
    }

    func mean(of picture: Int) -> Double {
        Double(bytes[picture * bytesPerPicture..<picture * bytesPerPicture + size.area].reduce(0) { $0 + Int($1) })
            / Double(size.area)
    }
}
