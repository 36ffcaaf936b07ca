import HelioCore

extension RawSpan {
    func takePoint(_ offset: inout ControlOffset) throws(ControlWireError) -> NormalizedPoint {
        let x = Float(bitPattern: try take32(&offset))
        let y = Float(bitPattern: try take32(&offset))
        guard let point = NormalizedPoint(x: x, y: y) else { throw .badCoordinate }
        return point
    }

    /// Reads UTF-8 of `count` bytes, which has to be within `sizes`.
    func takeText(
        _ count: Int, in sizes: ClosedRange<Int>, _ offset: inout ControlOffset
    ) throws(ControlWireError) -> String {
        guard sizes.contains(count) else { throw .badText }
        guard let text = String(validating: try take(count, &offset), as: UTF8.self) else { throw .badText }
        return text
    }
}

extension [UInt8] {
    mutating func append(_ point: NormalizedPoint) {
        append(littleEndian: point.x.bitPattern)
        append(littleEndian: point.y.bitPattern)
    }

    mutating func append(flag: Bool) { append(flag ? 1 : 0) }
}
