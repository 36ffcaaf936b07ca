import HelioCore

extension JSON {
    /// Parses a whole text, in time proportional to its length. The parser is strict: it refuses everything that
    /// RFC 8259 does not allow, and also a duplicate name in an object, a number beyond the range of `Double`, and a
    /// lone surrogate.
    package init(parsing bytes: RawSpan, limits: JSONLimits) throws(JSONError) {
        guard bytes.byteCount <= limits.bytes else { throw JSONError(.tooLong, at: max(0, limits.bytes)) }
        guard let text = bytes.bytes(at: 0, count: bytes.byteCount) else { throw JSONError(.truncated, at: 0) }
        var parser = JSONParser(text, limits: limits)
        self = try parser.text()
    }

    package init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
        try self.init(parsing: bytes.span.bytes, limits: limits)
    }
}
