private import HelioBitstream
private import HelioCore

/// A coded picture of VideoToolbox, converted to Annex B form chunk by chunk: its sample has length-prefixed NAL units
/// and separate parameter sets (requirement rows 89, 142 to 144; defect 13).
///
/// ```
///                 piece 1        piece 2              piece 3
/// sample    | length NAL un | it length | NAL unit length N | AL unit |
/// annexB    | 00 00 00 01 NAL unit  00 00 00 01 NAL unit  00 00 00 01 NAL unit |
/// ```
///
/// A chunk may end anywhere, even within a length. No byte outside a chunk is read, and no chunk is retained.
package struct CodedSample: Sendable {
    /// The parameter sets of the sample's format description, without start codes, in their order.
    package private(set) var parameterSets: [[UInt8]] = []
    /// The NAL units, each after a start code of 4 bytes.
    package private(set) var annexB: [UInt8] = []

    private let lengthSize: Int
    /// The number of bytes of the present length that were read so far.
    private var lengthBytes = 0
    private var length = 0
    /// The number of bytes of the present NAL unit that are still missing.
    private var missing = 0
    private var hasFailed: Bool

    /// - Parameters:
    ///   - lengthSize: the size of a length prefix in bytes, 1 to 4; with any other value `isWhole` stays false.
    ///   - byteCount: the total size of all chunks in bytes, if known, to reserve memory once.
    package init(lengthSize: Int, byteCount: Int = 0) {
        self.lengthSize = lengthSize
        hasFailed = !(1...4).contains(lengthSize)
        annexB.reserveCapacity(max(0, byteCount) + 16)
    }

    /// Adds the next parameter set; an empty one makes the sample invalid.
    package mutating func addParameterSet(_ bytes: RawSpan) {
        guard let set = bytes.bytes(at: 0, count: bytes.byteCount), !set.isEmpty else {
            hasFailed = true
            return
        }
        parameterSets.append(set)
    }

    /// Marks the sample as invalid, because a part of it is not available.
    package mutating func fail() { hasFailed = true }

    /// Adds the next chunk of the sample.
    package mutating func add(_ piece: RawSpan) {
        var position = 0
        while !hasFailed, position < piece.byteCount {
            if missing > 0 {
                let end = position + min(missing, piece.byteCount - position)
                annexB.append(piece, position..<end)
                missing -= end - position
                position = end
            } else if let byte = piece.uint8(at: position) {
                addLength(byte)
                position += 1
            }
        }
    }

    /// True if the sample is valid, has NAL units, and the last one is complete.
    package var isWhole: Bool { !hasFailed && missing == 0 && lengthBytes == 0 && !annexB.isEmpty }

    private mutating func addLength(_ byte: UInt8) {
        length = length << 8 | Int(byte)
        lengthBytes += 1
        guard lengthBytes == lengthSize else { return }
        if length == 0 { hasFailed = true }
        missing = length
        length = 0
        lengthBytes = 0
        annexB.append(contentsOf: AnnexB.startCode)
    }
}
