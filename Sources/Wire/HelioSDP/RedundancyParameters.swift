package import HelioCore

/// `a=fmtp:63 111/111`: the payload types in redundant packets, the primary type first
/// ([RFC 2198](https://www.rfc-editor.org/rfc/rfc2198) section 5). The encoding is `red/48000/2`, with the rate and
/// channels of the primary encoding.
package struct RedundancyParameters: Sendable, Hashable {
    /// The payload types, 1 to 32.
    package var payloadTypes: [PayloadType]

    package init(_ payloadTypes: [PayloadType]) { self.payloadTypes = payloadTypes }

    package init?(_ parameters: FormatParameters) {
        guard parameters.parameters.count == 1, let list = parameters.parameters.first, list.value == nil else {
            return nil
        }
        let fields = Text.fields(list.name, by: UInt8(ascii: "/"))
        payloadTypes = fields.prefix(32).compactMap { PayloadType(text: $0) }
        guard payloadTypes.count == fields.count else { return nil }
    }

    package var parameters: [FormatParameters.Parameter] {
        [.init(payloadTypes.map { String($0.rawValue) }.joined(separator: "/"))]
    }
}
