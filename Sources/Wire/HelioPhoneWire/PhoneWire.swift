/// The protocol between the host and Heliograph's own server on an Android phone (requirement row 1).
///
/// The host opens connections to an abstract socket of the phone, one for each `PhoneChannel`, and begins each with a
/// greeting. All numbers are big-endian.
///
/// ```
/// greeting, from the host:     | 'HGPH' 4 | version 1 | channel 1 | token 16 |
/// greeting, from the phone:    | 'HGPH' 4 | version 1 | channel 1 |
/// messages, in both directions: | kind 1 | length of the body 4 | body |
/// ```
///
/// The token proves that the host is the one that started the server: any program of the phone may connect to an
/// abstract socket. The phone gets the token by the server's standard input, so that it is in no list of arguments.
package enum PhoneWire {
    /// The version that both ends have to have: the host brings its server along, so there is no older one to talk to.
    package static let version: UInt8 = 1
    package static let magic = Array("HGPH".utf8)
    package static let tokenSize = 16
    /// The size of the phone's greeting, in bytes.
    package static let answerSize = 6
    /// The size of a message's header, in bytes.
    package static let headerSize = 5

    /// The host's greeting. The caller ensures that the token has `tokenSize` bytes.
    package static func greeting(_ channel: PhoneChannel, token: [UInt8]) -> [UInt8] {
        magic + [version, channel.rawValue] + token
    }

    /// The phone's answer to a greeting.
    package static func answer(_ channel: PhoneChannel) -> [UInt8] { magic + [version, channel.rawValue] }
}

/// A connection to the server on the phone, by the media that it carries: a large picture delays neither sound nor
/// input.
package enum PhoneChannel: UInt8, Sendable, Hashable, CaseIterable {
    /// Orders of the host, and all reports but pictures and sound.
    case control = 0
    case video = 1
    case sound = 2
}

/// The reason why bytes of a phone make no sense. Any such error ends the connection.
package enum PhoneWireError: String, Error, Sendable, Hashable, CaseIterable {
    /// The greeting is not of Heliograph's server.
    case wrongMagic = "phone-wrong-magic"
    /// The server is of another version.
    case wrongVersion = "phone-wrong-version"
    /// A length is above the limit of the kind.
    case tooLong = "phone-too-long"
    /// The kind is unknown.
    case unknownKind = "phone-unknown-kind"
    /// A message is shorter than its fields.
    case truncated = "phone-truncated"
    /// A message is longer than its fields.
    case trailingBytes = "phone-trailing-bytes"
    /// A field has an invalid value.
    case badValue = "phone-bad-value"
}

/// The longest bodies, in bytes. Longer ones are refused before they are buffered.
package enum PhoneLimits {
    /// A coded picture: 16 times the average size of one at 60 a second and 200 Mbit/s.
    package static let picture = 8 << 20
    /// Parameter sets.
    package static let configuration = 64 << 10
    package static let sound = 64 << 10
    /// Text of the clipboard, in UTF-8.
    package static let clipboard = 1 << 20
    /// Typed text, in UTF-8.
    package static let text = 4096
    /// A text within a message, such as an encoder's name, in UTF-8.
    package static let name = 1024
    /// All other messages.
    package static let other = 16 << 10
    package static let encoders = 64
    package static let fingers = 10
    /// Entries of an encoder's settings.
    package static let settings = 32
}
