package import HelioCore
package import HelioProtection

/// A paired device, which may connect to this host without confirmation by the host's user.
package struct PairedDevice: Sendable, Equatable {
    /// The kind of program that a device views with.
    package enum Kind: String, Sendable, CaseIterable {
        /// Heliograph's native viewer.
        case window
        /// A browser on a computer.
        case browser
        /// A browser that claims to be on a phone or tablet.
        case phone
    }

    package static let secretLength = 32
    /// The maximum number of paired devices of a host, not counting visitors.
    package static let limit = 64
    /// The maximum number of visitors (``isVisitor``) of a host; a new visitor evicts the oldest.
    package static let visitorLimit = 16

    package var id: DeviceID
    package var name: String
    /// The secret of this pairing, which both ends prove to know (`LinkProof`).
    package var secret: SecretBytes
    /// True if the device may control the host, false if it may only watch.
    package var allowsControl: Bool
    /// True if clipboard content may be exchanged with the device while it drives.
    package var sharesClipboard = true
    /// The permission for files that the device sends: they are refused, accepted, or left to the user's decision.
    package var files = FilePermission.ask
    /// The hours at which the device may come; `nil` for any time.
    package var hours: AccessHours?
    /// The kind of program that the device views with; `nil` if it was paired by a version that did not store the kind.
    package var kind: Kind?
    /// True for a visitor: a device that keeps its secret only for one visit, and may be evicted by later visitors.
    package var isVisitor = false
    /// The ID of an earlier pairing of the same device, which this pairing replaces.
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

    /// Returns whether the device may come at a time of day; `nil` for an unknown time, at which one with hours may
    /// not.
    package func mayCome(at time: TimeOfDay?) -> Bool {
        guard let hours else { return true }
        return time.map(hours.contains) ?? false
    }

    /// Replaces an earlier pairing of the same device: copies its name, which the host's user may have chosen, and all
    /// permissions except control, which the user has just confirmed anew.
    mutating func replace(_ earlier: PairedDevice) {
        replaces = earlier.id
        name = earlier.name
        sharesClipboard = earlier.sharesClipboard
        files = earlier.files
        hours = earlier.hours
    }
}
