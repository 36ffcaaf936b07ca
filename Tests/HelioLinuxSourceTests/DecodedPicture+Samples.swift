import HelioCore
import Testing

@testable import HelioLinuxSink

extension DecodedPicture {
    /// The samples, plane after plane without padding.
    func samples() throws -> [UInt8] {
        let isHalf = description.chroma == .yuv420
        var bytes: [UInt8] = []
        for index in 0..<3 {
            let plane = try #require(self.plane(index))
            let divisor = index > 0 && isHalf ? 2 : 1
            for y in 0..<size.height / divisor {
                bytes += UnsafeBufferPointer(start: plane + y * stride(index), count: size.width / divisor)
            }
        }
        return bytes
    }
}
