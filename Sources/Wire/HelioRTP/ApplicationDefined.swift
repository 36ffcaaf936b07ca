package import HelioCore

/// An APP packet of RTCP, whose content an application defines (RFC 3550 section 6.7).
///
/// ```
/// |V=2|P| subtype (5) | 204 (8) | length (16) | SSRC (32) | name, 4 letters (32) | data, whole words |
/// ```
package struct ApplicationDefined: Sendable, Hashable {
    package var sender: SSRC
    /// The subtype, 0...31, whose meaning depends on the name.
    package var subtype: UInt8
    /// The name: four ASCII letters as a big-endian number.
    package var name: UInt32
    /// The data, a multiple of 4 bytes.
    package var data: [UInt8]

    package init(sender: SSRC, subtype: UInt8, name: UInt32, data: [UInt8]) {
        self.sender = sender
        self.subtype = subtype & 0x1F
        self.name = name
        self.data = data
    }
}
