/// A header field of an HTTP message: its name, in any case, and its value without surrounding whitespace.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    func isCalled(_ other: String) -> Bool { name.lowercased() == other }
}
