import HelioCore
import HelioSDP

/// Any bytes as a session description. What parses must come back the same after being written.
package enum SDPFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard let first = try? SessionDescription(parsing: bytes) else { return }
        let written = first.serialised()
        _ = first.description
        for list in [first.attributes] + first.media.map(\.attributes) {
            roundTrip(list, RTPMap.self)
            roundTrip(list, FormatParameters.self)
            roundTrip(list, RTCPFeedback.self)
            roundTrip(list, ExtensionMap.self)
            roundTrip(list, ControlURL.self)
            roundTrip(list, SetupRole.self)
            roundTrip(list, CryptoAttribute.self)
        }
        // Ends of line may have grown from one byte to two.
        guard written.count <= SessionDescription.maximumSize else { return }
        guard let second = try? SessionDescription(parsing: written) else { fatalError("own output is refused") }
        precondition(first == second && second.serialised() == written, "description changed on its way")
    }

    private static func roundTrip<Value: AttributeValue>(_ list: AttributeList, _ kind: Value.Type) {
        for value in list.values(of: kind) {
            precondition(Value(attributeValue: value.attributeValue) == value, "attribute changed on its way")
        }
    }
}
