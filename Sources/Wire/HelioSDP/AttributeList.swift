package import HelioCore

/// The attributes of a session or of a media section, in the order of their lines.
package struct AttributeList: Hashable, Sendable {
    package var all: [Attribute]

    package init(_ all: [Attribute] = []) { self.all = all }

    package mutating func append(_ value: some AttributeValue) {
        all.append(Attribute(type(of: value).attributeName, value.attributeValue))
    }

    /// Returns all well-formed attributes of this kind; malformed ones are ignored, as RFC 8866 requires.
    package func values<Value: AttributeValue>(of kind: Value.Type) -> [Value] {
        all.compactMap { $0.name == Value.attributeName ? Value(attributeValue: $0.value) : nil }
    }

    package func first<Value: AttributeValue>(_ kind: Value.Type) -> Value? { values(of: kind).first }

    package func rtpMap(for type: PayloadType) -> RTPMap? {
        values(of: RTPMap.self).first { $0.payloadType == type }
    }

    package func formatParameters(for type: PayloadType) -> FormatParameters? {
        values(of: FormatParameters.self).first { $0.payloadType == type }
    }

    /// The direction from the first direction attribute; `nil` if there is none.
    package var direction: MediaDirection? {
        for attribute in all where attribute.value == nil {
            if let direction = MediaDirection(rawValue: attribute.name) { return direction }
        }
        return nil
    }

    package mutating func append(_ direction: MediaDirection) {
        all.append(Attribute(direction.rawValue))
    }

    package func has<Flag: FlagAttribute>(_ kind: Flag.Type) -> Bool { first(kind) != nil }

    /// True if RTP and RTCP share one port (RFC 5761).
    package var hasRTCPMux: Bool { has(RTCPMux.self) }
}
