package import HelioCore

/// The body of a SET_PARAMETER request with the origins, among those set up, whose sound a viewer wants. Sound of other
/// origins is not sent to the viewer, and not even captured if no other viewer wants it.
///
///     on=system,microphone
package enum SoundMessage {
    package static let contentType = "application/x-heliograph-sound"
    /// The size limit of a message in bytes; valid ones are much shorter.
    private static let longest = 256

    package static func encode(_ on: Set<SoundOrigin>) -> [UInt8] {
        Array(("on=" + SoundOrigin.allCases.filter(on.contains).map(\.rawValue).joined(separator: ",")).utf8)
    }

    /// Parses a message's body; `nil` if it is malformed. Unknown names and fields are ignored, so that newer
    /// viewers may send more.
    package static func decode(_ body: [UInt8]) -> Set<SoundOrigin>? {
        guard body.count <= longest else { return nil }
        for field in String(decoding: body, as: UTF8.self).split(separator: ";") where field.hasPrefix("on=") {
            return Set(field.dropFirst(3).split(separator: ",").compactMap { SoundOrigin(rawValue: String($0)) })
        }
        return nil
    }
}
