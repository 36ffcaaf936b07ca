package import HelioCore

/// The format of the following pictures, until the next format message. The colour is in the parameter sets.
///
/// ```
/// | 2 | codec 1 | frames a second 1 | width 2 | height 2 | quarter turns 1 |
/// ```
package struct RelayFormat: Sendable, Hashable {
    package var codec: VideoCodec
    /// The coded size, width and height 1...16384 each.
    package var size: PixelSize
    /// The maximum number of frames per second, 1...255.
    package var framesPerSecond: UInt8
    /// The clockwise quarter turns that bring the picture upright: 0...3.
    package var quarterTurns: UInt8

    package init(codec: VideoCodec, size: PixelSize, framesPerSecond: UInt8 = 60, quarterTurns: UInt8 = 0) {
        self.codec = codec
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.quarterTurns = quarterTurns
    }

    /// True if the format can be written and parsed.
    package var isValid: Bool {
        (1...16384).contains(size.width) && (1...16384).contains(size.height) && framesPerSecond > 0
            && quarterTurns < 4
    }

    init?(_ payload: RawSpan) {
        guard let code = payload.uint8(at: 1), let rate = payload.uint8(at: 2), let width = payload.uint16(at: 3),
            let height = payload.uint16(at: 5), let turns = payload.uint8(at: 7), code == 1 || code == 2
        else { return nil }
        self.init(
            codec: code == 1 ? .h264 : .h265, size: PixelSize(width: Int(width), height: Int(height)),
            framesPerSecond: rate, quarterTurns: turns)
        guard isValid else { return nil }
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(codec == .h264 ? 1 : 2)
        bytes.append(framesPerSecond)
        bytes.append(bigEndian: UInt16(clamping: size.width))
        bytes.append(bigEndian: UInt16(clamping: size.height))
        bytes.append(quarterTurns)
    }
}
