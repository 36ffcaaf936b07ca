/// A kind of attribute with a meaning: turns the text of its `a=` line into values and back.
package protocol AttributeValue: Hashable, Sendable {
    static var attributeName: String { get }
    /// `nil` where the text is malformed. The text itself is `nil` for a flag.
    init?(attributeValue: String?)
    var attributeValue: String? { get }
}
