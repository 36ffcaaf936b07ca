/// The complete answer to a ``WHIPRequest``.
package struct WHIPResponse: Sendable, Hashable {
    /// The most bytes of a body that is accepted; descriptions have some thousands.
    package static let maximumBody = 1 << 16
    /// The most header fields that are read, and the most bytes of one.
    static let maximumFields = 128
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

    /// The wait before the next try (RFC 9110 section 10.2.3); `nil` if there is none, or it is a date, as this
    /// machine's clock may differ.
    var retryAfter: Duration? {
        guard let text = value("retry-after"), (1...6).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text).map { .seconds($0) }
    }
}
