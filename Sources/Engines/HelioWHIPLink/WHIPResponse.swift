/// The answer to a ``WHIPRequest``, whole.
package struct WHIPResponse: Sendable, Hashable {
    /// The most bytes of a body that are taken: descriptions have some thousands.
    package static let maximumBody = 1 << 16
    /// The most fields that are looked at, and the most bytes of one.
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

    /// The values of the fields of this name, which is in lower case.
    func values(_ name: String) -> [String] {
        fields.prefix(Self.maximumFields).filter { $0.isCalled(name) && $0.value.utf8.count <= Self.maximumField }
            .map(\.value)
    }

    func value(_ name: String) -> String? { values(name).first }

    /// How long to wait before the next try (RFC 9110 section 10.2.3); `nil` where it does not say, or names a date: this
    /// machine's clock may be another one.
    var retryAfter: Duration? {
        guard let text = value("retry-after"), (1...6).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text).map { .seconds($0) }
    }
}
