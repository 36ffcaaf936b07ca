package import HelioCore

/// A code that lets a receiver restore lost packets: which bytes of a packet are protected, and what a parity packet
/// carries.
package protocol ParityCode: Sendable {
    /// The largest number of packets in a block: short blocks are repaired sooner, long ones need less parity, and a
    /// decoder's work grows with the square.
    var mostInBlock: Int { get }
    /// The bytes of a parity packet's payload on top of the longest source packet's bytes after the fixed header.
    var overhead: Int { get }
    /// True if the last parity packet of a frame is marked.
    var marksLast: Bool { get }

    /// Appends the symbol of a packet that was just made, without contributing sources; stamped elements are still
    /// zero.
    ///
    /// - Parameters:
    ///   - headerLength: the length of everything before the payload.
    ///   - payload: the length of the payload, without padding.
    func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8])

    /// Appends the payload of a parity packet, with its header.
    ///
    /// - Parameters:
    ///   - first: the number of the block's first packet; the others follow directly.
    ///   - symbols: the ranges in `bytes` of the block's symbols.
    /// - Returns: false if the code can't make such a parity packet.
    func append(
        parity index: Int, of parities: Int, first: ExtendedSequence, symbols: [Range<Int>], in bytes: RawSpan,
        to payload: inout [UInt8]
    ) -> Bool
}
