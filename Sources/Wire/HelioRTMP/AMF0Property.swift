/// A named value in an AMF0 object.
package struct AMF0Property: Sendable, Hashable {
    package var name: String
    package var value: AMF0Value

    package init(_ name: String, _ value: AMF0Value) {
        self.name = name
        self.value = value
    }
}
