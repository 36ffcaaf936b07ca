/// `a=framerate` (RFC 8866 section 6.13), whole frames a second.
package struct FrameRate: AttributeValue {
    package static let attributeName = "framerate"
    package var framesPerSecond: Int

    package init(framesPerSecond: Int) { self.framesPerSecond = framesPerSecond }

    package init?(attributeValue: String?) {
        guard let value = attributeValue.flatMap({ Double($0) }), value >= 1, value <= 1000 else { return nil }
        framesPerSecond = Int(value)
    }

    package var attributeValue: String? { "\(framesPerSecond)" }
}
