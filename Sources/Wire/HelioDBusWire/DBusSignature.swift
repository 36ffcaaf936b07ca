/// The types that a signature names.
enum DBusSignature {
    /// The deepest nesting of arrays and structures that is read, together.
    static let mostDepth = 32
    /// The most bytes of a signature.
    static let mostBytes = 255

    /// Returns the complete types in a signature, one after the other. Throws `badSignature`.
    static func types(in signature: String) throws(DBusFault) -> [String] {
        let bytes = Array(signature.utf8)
        guard bytes.count <= mostBytes else { throw .badSignature }
        var types: [String] = []
        var at = 0
        while at < bytes.count {
            let end = try endOfType(bytes, at, depth: 0, isElement: false)
            types.append(String(decoding: bytes[at..<end], as: UTF8.self))
            at = end
        }
        return types
    }

    /// Returns the place behind a complete type.
    ///
    /// - Parameter isElement: true for the element of an array, which may be an entry of a dictionary.
    private static func endOfType(
        _ bytes: [UInt8], _ start: Int, depth: Int, isElement: Bool
    ) throws(DBusFault) -> Int {
        guard start < bytes.count, depth <= mostDepth else { throw .badSignature }
        switch bytes[start] {
        case _ where isBasic(bytes[start]), UInt8(ascii: "v"): return start + 1
        case UInt8(ascii: "a"): return try endOfType(bytes, start + 1, depth: depth + 1, isElement: true)
        case UInt8(ascii: "("):
            var at = start + 1
            guard at < bytes.count, bytes[at] != UInt8(ascii: ")") else { throw .badSignature }
            while at < bytes.count, bytes[at] != UInt8(ascii: ")") {
                at = try endOfType(bytes, at, depth: depth + 1, isElement: false)
            }
            guard at < bytes.count else { throw .badSignature }
            return at + 1
        case UInt8(ascii: "{") where isElement:
            guard start + 1 < bytes.count, isBasic(bytes[start + 1]) else { throw .badSignature }
            let at = try endOfType(bytes, start + 2, depth: depth + 1, isElement: false)
            guard at < bytes.count, bytes[at] == UInt8(ascii: "}") else { throw .badSignature }
            return at + 1
        default: throw .badSignature
        }
    }

    private static func isBasic(_ byte: UInt8) -> Bool { "ybnqiuxtdsogh".utf8.contains(byte) }

    /// The alignment of a type, in bytes.
    static func alignment(of type: String) -> Int {
        switch type.utf8.first {
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "s"), UInt8(ascii: "o"),
            UInt8(ascii: "a"), UInt8(ascii: "h"):
            4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 1
        }
    }
}
