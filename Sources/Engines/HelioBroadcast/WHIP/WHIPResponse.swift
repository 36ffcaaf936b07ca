/// The complete answer to a ``WHIPRequest``.
package struct WHIPResponse: Sendable, Hashable {
    /// The maximum size of an accepted body in bytes; SDP answers have some thousand bytes.
    package static let maximumBody = 1 << 16
    /// The maximum number of header fields that are read.
    static let maximumFields = 128
    /// The maximum size of a header field's value in bytes; longer fields are ignored.
    static let maximumField = 8192

    package var status: Int
    package var fields: [HTTPField]
    package var body: [UInt8]

    package init(status: Int, fields: [HTTPField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The values of the fields with this name, given in lower case.
    func values(_ name: String) -> [String] {
        fields.prefix(Self.maximumFields).filter { $0.isCalled(name) && $0.value.utf8.count <= Self.maximumField }
            .map(\.value)
    }

    func value(_ name: String) -> String? { values(name).first }

    /// The minimum wait before the next attempt (RFC 9110 section 10.2.3). It is `nil` if there is none, or if it is a
    /// date, as this machine's clock may differ.
    var retryAfter: Duration? {
        guard let text = value("retry-after"), (1...6).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text).map { .seconds($0) }
    }
}
