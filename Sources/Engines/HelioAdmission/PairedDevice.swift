package import HelioCore
package import HelioProtection

/// A device that may come to this host without asking.
package struct PairedDevice: Sendable, Equatable {
    package static let secretLength = 32
    /// The most that one host knows.
    package static let limit = 64
    /// The most that it knows for a visit, beside them; the oldest goes for a new one.
    package static let visitorLimit = 16

    package var id: DeviceID
    package var name: String
    /// What both ends prove to know (`LinkProof`). Made for this pairing alone.
    package var secret: SecretBytes
    /// Whether the device may drive the host, or only watch.
    package var allowsControl: Bool
    /// Whether it can keep its secret for no more than a visit: it makes room for the next ones.
    package var isVisitor = false

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
}
