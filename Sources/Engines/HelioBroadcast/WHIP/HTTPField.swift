/// A header field of an HTTP message: the name, which is case-insensitive, and the value without surrounding white
/// space.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    func isCalled(_ other: String) -> Bool { name.lowercased() == other }
}
