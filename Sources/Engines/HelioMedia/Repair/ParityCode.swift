package import HelioCore

/// A code by which a receiver restores lost packets: what of a packet is protected, and what a parity packet carries.
package protocol ParityCode: Sendable {
    /// The most packets of a block: a loss within it is repaired at once where it is short, for less parity where it is
    /// long, and a decoder's work grows with its square.
    var mostInBlock: Int { get }
    /// The bytes of a parity packet's payload beside the longest of what follows its sources' fixed headers.
    var overhead: Int { get }
    /// True where the last parity packet of a frame is marked.
    var marksLast: Bool { get }

    /// Appends the symbol of a packet that was just made, without contributing sources; what is stamped is zero yet.
    ///
    /// - Parameters:
    ///   - headerLength: the length of all that stands before the payload.
    ///   - payload: the length of the payload, without padding.
    func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8])

    /// Appends the payload of a parity packet, with its header.
    ///
    /// - Parameters:
    ///   - first: the number of the block's first packet; the others follow on it.
    ///   - symbols: where in `bytes` the symbols of the block are.
    /// - Returns: false where there is no such parity.
    func append(
        parity index: Int, of parities: Int, first: ExtendedSequence, symbols: [Range<Int>], in bytes: RawSpan,
        to payload: inout [UInt8]
    ) -> Bool
}
