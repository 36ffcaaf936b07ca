/// A kind of attribute that says all it has to say by being there.
package protocol FlagAttribute: AttributeValue {
    init()
}

extension FlagAttribute {
    package init?(attributeValue: String?) {
        guard attributeValue == nil else { return nil }
        self.init()
    }
    package var attributeValue: String? { nil }
}
