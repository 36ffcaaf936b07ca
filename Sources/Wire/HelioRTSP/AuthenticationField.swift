/// One scheme of a `WWW-Authenticate` or `Authorization` header with its parameters (RFC 9110 section 11.2):
///
///     Digest realm="heliograph", nonce="5ccc069c", qop="auth"
///     ^scheme ^parameter         ^parameter        ^parameter
///
/// A header may list several schemes; commas separate both schemes and parameters.
struct AuthenticationField: Hashable, Sendable {
    /// The maximum size of a header in bytes; a longer header is ignored.
    static let longestHeader = 4096
    static let parameterLimit = 32

    struct Parameter: Hashable, Sendable {
        var name: String
        /// The value without quotes and escapes.
        var value: String
    }

    var scheme: String
    private(set) var parameters: [Parameter] = []

    init(_ scheme: String) { self.scheme = scheme }

    /// The value of a parameter; names are case-insensitive.
    subscript(_ name: String) -> String? {
        parameters.first { Text.equalIgnoringCase($0.name, name) }?.value
    }

    func `is`(_ scheme: String) -> Bool { Text.equalIgnoringCase(self.scheme, scheme) }

    /// All schemes of a header, in its order; empty if it is malformed. A scheme with a single value instead of
    /// parameters (`Basic dXNlcg==`) is listed without that value.
    static func list(_ header: String) -> [AuthenticationField] {
        guard header.utf8.count <= longestHeader, let pieces = pieces(header) else { return [] }
        var list: [AuthenticationField] = []
        for piece in pieces where !piece.isEmpty {
            if let parameter = parameter(piece) {
                guard !list.isEmpty, list[list.count - 1].add(parameter) else { return [] }
                continue
            }
            let (scheme, rest) = Text.cut(piece, at: 0x20)
            guard Text.isToken(scheme) else { return [] }
            var field = AuthenticationField(String(scheme))
            if let rest, let first = parameter(Text.trimmed(rest)) { _ = field.add(first) }
            list.append(field)
        }
        return list
    }

    /// Adds a parameter; returns false if the name exists already, or there are too many.
    private mutating func add(_ parameter: Parameter) -> Bool {
        guard parameters.count < Self.parameterLimit, self[parameter.name] == nil else { return false }
        parameters.append(parameter)
        return true
    }

    /// The parts between commas outside quotes; `nil` if a quote is not closed.
    private static func pieces(_ header: String) -> [Substring]? {
        var pieces: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        let bytes = header.utf8
        var start = bytes.startIndex
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                pieces.append(Text.trimmed(Substring(bytes[start..<index])))
                start = bytes.index(after: index)
            }
        }
        pieces.append(Text.trimmed(Substring(bytes[start...])))
        return isQuoted ? nil : pieces
    }

    /// Reads `name=token` or `name="quoted"`; `nil` if it is neither.
    private static func parameter(_ piece: Substring) -> Parameter? {
        let (left, right) = Text.cut(piece, at: UInt8(ascii: "="))
        let name = Text.trimmed(left)
        guard let value = right.flatMap({ unquoted(Text.trimmed($0)) }), Text.isToken(name) else { return nil }
        return Parameter(name: String(name), value: value)
    }

    private static func unquoted(_ text: Substring) -> String? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return Text.isToken(text) ? String(text) : nil }
        var plain: [UInt8] = []
        var isEscaped = false
        var isOpen = true
        for byte in text.utf8.dropFirst() {
            guard isOpen else { return nil }
            if isEscaped {
                plain.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isOpen = false
            } else {
                plain.append(byte)
            }
        }
        return isOpen ? nil : String(validating: plain, as: UTF8.self)
    }

    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
