import HelioCore

/// Puts the PES packets of a stream together from transport packets, with a bound on the bytes that wait.
struct PESAssembler: Sendable {
    private let limit: Int
    /// What there is of the unit; `nil` where none has begun.
    private var bytes: [UInt8]?
    /// The unit's whole size: 0, it goes on to the next one; `nil` while that is not there.
    private var size: Int?

    /// - Parameter limit: the most bytes of a unit, its header included.
    init(limit: Int) { self.limit = limit }

    var bufferedByteCount: Int { bytes?.count ?? 0 }

    /// Takes a payload in which no unit starts; returns the unit where it is whole.
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

    /// Ends the unit, as another starts or none follows: returns one that goes on so far.
    mutating func end(_ faults: inout DropCounter<TransportStreamFault>) -> [UInt8]? {
        guard let unit = bytes else { return nil }
        bytes = nil
        if size == 0 { return unit }
        faults.count(.wrongLength)
        return nil
    }

    /// Begins a unit, of which ``goOn(_:_:)`` takes the bytes.
    mutating func begin() {
        bytes = []
        size = nil
    }

    /// Forgets the unit, as a part of it is missing.
    mutating func reset(_ faults: inout DropCounter<TransportStreamFault>) {
        guard bytes != nil else { return }
        bytes = nil
        faults.count(.damagedUnit)
    }
}
