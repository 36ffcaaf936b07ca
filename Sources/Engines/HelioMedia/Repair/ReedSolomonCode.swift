package import HelioCore
internal import HelioRTP

/// The parity code between native peers: `ReedSolomon`, by which any k of a block's k + m packets restore the block.
package struct ReedSolomonCode: ParityCode {
    package init() {}

    package var mostInBlock: Int { ParityEncoder.mostInBlock }
    package var overhead: Int { ParityHeader.size + SourceSymbol.headSize }
    package var marksLast: Bool { true }

    package func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8]) {
        SourceSymbol.append(packet, headerLength: headerLength, payload: payload, to: &symbols)
    }

    package func append(
        parity index: Int, of parities: Int, first: ExtendedSequence, symbols: [Range<Int>], in bytes: RawSpan,
        to payload: inout [UInt8]
    ) -> Bool {
        guard
            let header = ParityHeader(first: first.wire, sources: symbols.count, parities: parities, index: index)
        else { return false }
        header.write(into: &payload)
        let start = payload.count
        payload.append(contentsOf: repeatElement(0, count: symbols.map(\.count).max() ?? 0))
        for (place, symbol) in symbols.enumerated() {
            GaloisField.add(
                bytes.extracting(symbol), times: ReedSolomon.coefficient(parity: index, source: place), to: &payload,
                at: start)
        }
        return true
    }
}
