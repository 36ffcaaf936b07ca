import HelioCore

extension JSON {
    /// Parses a whole text and nothing else, in time that grows as its length. Strict: what RFC 8259 does not have is
    /// refused, and so are a name twice in an object, a number beyond `Double`, and half a surrogate pair.
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
