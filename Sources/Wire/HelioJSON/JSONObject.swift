/// The members of an object in their order, with unique names.
///
/// Names are compared by bytes (RFC 8259 section 8.3), not by Unicode equivalence.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package var value: JSON
    }

    package private(set) var members: [Member] = []

    package init() {}

    /// The value of the member with this name. Setting a value replaces the member's value in place, or appends a
    /// member. Setting `nil` changes nothing.
    package subscript(_ name: String) -> JSON? {
        get { members.first { Self.isSame($0.name, name) }?.value }
        set {
            guard let newValue else { return }
            if let index = members.firstIndex(where: { Self.isSame($0.name, name) }) {
                members[index].value = newValue
            } else {
                members.append(Member(name: name, value: newValue))
            }
        }
    }

    /// Appends a member, for the parser, which has checked that the name is new.
    mutating func append(_ name: String, _ value: JSON) { members.append(Member(name: name, value: value)) }

    private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
