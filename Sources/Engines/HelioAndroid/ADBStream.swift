internal import HelioADBWire
internal import HelioCore

/// The identifier of a connection to adb's server.
package struct ADBStreamID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// A connection to adb's server on its way through its requests.
struct ADBStream: Sendable {
    enum Purpose: Sendable, Hashable {
        case version
        case tracker
        case probe
        case push
        case server
        case channel(UInt8)
    }

    let id: ADBStreamID
    let purpose: Purpose
    /// Requests whose acceptance is outstanding. The first of them has been sent once the connection is open.
    var requests: [ADBRequest]
    var reader = ADBReader()

    /// True once all requests are accepted.
    var isOpen: Bool { requests.isEmpty }
}
