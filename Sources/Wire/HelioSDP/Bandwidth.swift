/// A proposed bandwidth (`b=`, RFC 8866 section 5.8).
package struct Bandwidth: Hashable, Sendable {
    /// `AS` and `CT` count kilobits a second, `TIAS` bits a second (RFC 3890).
    package var type: String
    package var value: UInt64

    package init(type: String, value: UInt64) {
        self.type = type
        self.value = value
    }

    init?(_ text: String) {
        let (type, value) = Text.cut(text, at: UInt8(ascii: ":"))
        guard Text.isToken(type), let value, let number = Text.decimal(value) else { return nil }
        self.init(type: String(type), value: number)
    }

    var text: String { "\(type):\(value)" }
}
