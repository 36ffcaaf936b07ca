private import HelioBitstream
private import HelioCore

/// One coded picture: a sample of VideoToolbox, with lengths before its NAL units and separate parameter sets,
/// converted to Annex B form piece by piece (rows 89, 142 to 144; defect 13).
///
/// ```
///                 piece 1        piece 2              piece 3
/// sample    | length NAL un | it length | NAL unit length N | AL unit |
/// annexB    | 00 00 00 01 NAL unit  00 00 00 01 NAL unit  00 00 00 01 NAL unit |
/// ```
///
/// Pieces may end anywhere, within a length, too; no byte outside a piece is read, and no piece is kept.
package struct CodedSample: Sendable {
    /// The parameter sets that the sample's format names, without start codes, in their order.
    package private(set) var parameterSets: [[UInt8]] = []
    /// The NAL units, each after a start code of 4 bytes.
    package private(set) var annexB: [UInt8] = []

    private let lengthSize: Int
    /// The bytes of the present length that were read so far.
    private var lengthBytes = 0
    private var length = 0
    /// The bytes of the present NAL unit that are still to come.
    private var missing = 0
    private var hasFailed: Bool

    /// - Parameters:
    ///   - lengthSize: the bytes of a length, 1 to 4; with any other value the sample is never whole.
    ///   - byteCount: the bytes of all pieces, if known, to reserve memory once.
    package init(lengthSize: Int, byteCount: Int = 0) {
        self.lengthSize = lengthSize
        hasFailed = !(1...4).contains(lengthSize)
        annexB.reserveCapacity(max(0, byteCount) + 16)
    }

    /// Adds the next parameter set.
    package mutating func addParameterSet(_ bytes: RawSpan) {
        guard let set = bytes.bytes(at: 0, count: bytes.byteCount), !set.isEmpty else {
            hasFailed = true
            return
        }
        parameterSets.append(set)
    }

    /// Marks the sample as broken: a part of it is not available.
    package mutating func fail() { hasFailed = true }

    /// Adds the next piece.
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

    /// True if the sample has NAL units and the last one is complete.
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
