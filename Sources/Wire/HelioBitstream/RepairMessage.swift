package import HelioCore

/// Heliograph's SEI message in a repair picture: the range of earlier pictures from which the picture can be decoded.
///
/// The message is sent to browsers whose page decodes the video itself. It has the type `user_data_unregistered`
/// (`UserDataMessage`); all numbers are big-endian:
/// ```
/// | UUID (16 bytes: "Heliograph repai" in ASCII) | back (2) |
/// ```
/// A decoder can decode the repair picture if the decoder's last complete picture is at most `back` steps of
/// `frame_num` older, with no IDR picture between the two. So one repair picture serves viewers that have lost
/// different numbers of pictures.
package struct RepairMessage: Sendable, Hashable {
    /// The number of steps of `frame_num` from the oldest sufficient picture to the repair picture, at least 1.
    package var back: UInt16

    package init(back: UInt16) { self.back = back }

    private static let identifier = Array("Heliograph repai".utf8)
    private static let size = 2

    /// Appends the message to `annexB` as a separate NAL unit, after a start code of 4 bytes.
    package func write(into annexB: inout [UInt8], codec: VideoCodec) {
        var writer = UserDataMessage.begin(Self.identifier, size: Self.size)
        writer.bits(UInt32(back), 16)
        UserDataMessage.end(writer, into: &annexB, codec: codec)
    }

    /// Finds the message in an access unit; `nil` if there is no complete, well-formed message before the first slice.
    package static func find(inAnnexB bytes: RawSpan, codec: VideoCodec) -> Self? {
        guard let found = UserDataMessage.find(identifier, inAnnexB: bytes, codec: codec), found.size == size else {
            return nil
        }
        var fields = found.fields
        guard let back = try? fields.bits(16), back > 0 else { return nil }
        return Self(back: UInt16(back))
    }
}
