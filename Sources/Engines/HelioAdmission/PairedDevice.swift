package import HelioCore
package import HelioProtection

/// A device that may come to this host without asking.
package struct PairedDevice: Sendable, Equatable {
    package static let secretLength = 32
    /// The most devices that one host keeps.
    package static let limit = 64
    /// The most visitors that it keeps, beside them; the oldest goes for a new one.
    package static let visitorLimit = 16

    package var id: DeviceID
    package var name: String
    /// The secret that both ends prove to know (`LinkProof`). Made for this pairing alone.
    package var secret: SecretBytes
    /// True if the device may control the host; else it may only watch.
    package var allowsControl: Bool
    /// True if what is copied may go between the device and the host while it drives.
    package var sharesClipboard = true
    /// Whether files are taken of the device.
    package var files = FilePermission.ask
    /// True for a visitor, which can keep its secret for one visit only: it makes room for the next ones.
    package var isVisitor = false
    /// The earlier pairing of the same device, whose place this one takes.
    package var replaces: DeviceID?

    package init(id: DeviceID, name: String, secret: SecretBytes, allowsControl: Bool) {
        self.id = id
        self.name = name
        self.secret = secret
        self.allowsControl = allowsControl
    }

    package init(name: String, allowsControl: Bool, using generator: inout some RandomNumberGenerator) {
        self.init(
            id: DeviceID(using: &generator), name: name,
            secret: SecretBytes(count: Self.secretLength, using: &generator), allowsControl: allowsControl)
    }

    /// Takes the place of an earlier pairing: with the name that the host's person gave it, and what they allowed beside
    /// control, which they were asked about again.
    mutating func replace(_ earlier: PairedDevice) {
        replaces = earlier.id
        name = earlier.name
        sharesClipboard = earlier.sharesClipboard
        files = earlier.files
    }
}
