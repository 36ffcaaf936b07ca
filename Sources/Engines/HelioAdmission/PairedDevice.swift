package import HelioCore
package import HelioProtection

/// A paired device, which may connect to this host without a question to the host's user.
package struct PairedDevice: Sendable, Equatable {
    /// The program by which a device watches.
    package enum Kind: String, Sendable, CaseIterable {
        /// Heliograph's own viewer.
        case window
        /// A browser on a computer.
        case browser
        /// A browser on a phone or tablet, by its own account.
        case phone
    }

    package static let secretLength = 32
    /// The most devices that one host keeps.
    package static let limit = 64
    /// The most visitors (``isVisitor``) that one host keeps besides; a new visitor evicts the oldest.
    package static let visitorLimit = 16

    package var id: DeviceID
    package var name: String
    /// The secret that both ends prove to know (`LinkProof`), made for this pairing alone.
    package var secret: SecretBytes
    /// True if the device may control the host; else it may only watch.
    package var allowsControl: Bool
    /// True if clipboard content may be exchanged with the device while it drives.
    package var sharesClipboard = true
    /// The permission for files from the device.
    package var files = FilePermission.ask
    /// The program by which the device watches; `nil` if it was paired by a version that did not store it.
    package var kind: Kind?
    /// True for a visitor, which can keep its secret for one visit only and may be evicted by later visitors.
    package var isVisitor = false
    /// The earlier pairing of the same device, which this one replaces.
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

    /// Takes over, from an earlier pairing of the same device, the name that the host's user gave it, and all
    /// permissions except control, about which the user has just been asked again.
    mutating func replace(_ earlier: PairedDevice) {
        replaces = earlier.id
        name = earlier.name
        sharesClipboard = earlier.sharesClipboard
        files = earlier.files
    }
}
