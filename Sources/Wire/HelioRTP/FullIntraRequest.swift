package import HelioCore

/// A Full Intra Request, by which a receiver requests a keyframe (RFC 5104 section 4.3.1, PT 206, FMT 4).
package struct FullIntraRequest: Sendable, Hashable {
    /// A stream whose keyframe is requested, and the command's sequence number, which changes with each new request and
    /// stays the same in a repetition.
    package struct Entry: Sendable, Hashable {
        package var ssrc: SSRC
        package var sequence: UInt8

        package init(ssrc: SSRC, sequence: UInt8) {
            self.ssrc = ssrc
            self.sequence = sequence
        }
    }

    /// The maximum number of entries; a longer list is refused.
    package static let maximumEntries = 32

    package var sender: SSRC
    package var entries: [Entry]

    package init(sender: SSRC, entries: [Entry]) {
        self.sender = sender
        self.entries = entries
    }
}
