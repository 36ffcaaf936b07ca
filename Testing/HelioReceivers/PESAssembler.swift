import HelioCore
import HelioMPEGTS

/// Reassembles the PES packets of a stream from transport packets, and limits the bytes that it buffers.
struct PESAssembler: Sendable {
    private let limit: Int
    /// The bytes of the current PES packet so far; `nil` if none has started.
    private var bytes: [UInt8]?
    /// The size of the complete PES packet; 0 if it extends to the start of the next PES packet; `nil` until its header
    /// has arrived.
    private var size: Int?

    /// - Parameter limit: the maximum size of a PES packet in bytes, including its header.
    init(limit: Int) { self.limit = limit }

    var bufferedByteCount: Int { bytes?.count ?? 0 }

    /// Appends a payload that continues a PES packet; returns the PES packet if that completes it.
    mutating func goOn(_ payload: ArraySlice<UInt8>, _ faults: inout DropCounter<TransportStreamFault>) -> [UInt8]? {
        guard var unit = bytes else {
            faults.count(.headless)
            return nil
        }
        bytes = nil
        guard unit.count + payload.count <= limit else {
            faults.count(.tooLarge)
            return nil
        }
        unit.append(contentsOf: payload)
        if size == nil, unit.count >= PESHeader.prefixSize {
            guard let told = PESHeader.unitSize(unit.span.bytes) else {
                faults.count(.malformedUnit)
                return nil
            }
            size = told
        }
        guard let size, size > 0, unit.count >= size else {
            bytes = unit
            return nil
        }
        guard unit.count == size else {
            faults.count(.wrongLength)
            return nil
        }
        return unit
    }

    /// Ends the PES packet because another one starts or the stream ends; returns it if its header states no length.
    mutating func end(_ faults: inout DropCounter<TransportStreamFault>) -> [UInt8]? {
        guard let unit = bytes else { return nil }
        bytes = nil
        if size == 0 { return unit }
        faults.count(.wrongLength)
        return nil
    }

    /// Starts a PES packet, whose bytes follow in calls of ``goOn(_:_:)``.
    mutating func begin() {
        bytes = []
        size = nil
    }

    /// Drops the current PES packet because a part of it is missing.
    mutating func reset(_ faults: inout DropCounter<TransportStreamFault>) {
        guard bytes != nil else { return }
        bytes = nil
        faults.count(.damagedUnit)
    }
}
