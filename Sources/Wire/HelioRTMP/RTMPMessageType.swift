/// The type of a message (sections 5.4, 6.2 and 7.1 of RTMP).
package struct RTMPMessageType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let setChunkSize = Self(rawValue: 1)
    package static let abort = Self(rawValue: 2)
    package static let acknowledgement = Self(rawValue: 3)
    package static let userControl = Self(rawValue: 4)
    package static let windowSize = Self(rawValue: 5)
    package static let peerBandwidth = Self(rawValue: 6)
    package static let sound = Self(rawValue: 8)
    package static let video = Self(rawValue: 9)
    /// An AMF3 command, which begins with an additional byte and may continue in AMF0.
    package static let commandAMF3 = Self(rawValue: 17)
    package static let data = Self(rawValue: 18)
    package static let command = Self(rawValue: 20)
}
