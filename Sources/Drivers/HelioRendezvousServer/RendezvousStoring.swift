package import HelioCore
package import HelioRendezvousWire

/// A permit to ring a device, as it is stored.
package struct StoredPermit: Sendable, Hashable {
    package var tag: RingTag
    /// The time at which it expires, in seconds since 1970; `nil` if it does not expire.
    package var expiry: Int64?

    package init(tag: RingTag, expiry: Int64?) {
        self.tag = tag
        self.expiry = expiry
    }
}

/// A device that the store knows.
package struct StoredDevice: Sendable, Hashable {
    package var id: RendezvousID
    /// When the device was last connected, in seconds since 1970.
    package var lastSeen: Int64
    package var permits: [StoredPermit]

    package init(id: RendezvousID, lastSeen: Int64, permits: [StoredPermit]) {
        self.id = id
        self.lastSeen = lastSeen
        self.permits = permits
    }
}

/// A change of what is stored.
package enum StoredChange: Sendable, Hashable {
    /// A device was connected at a time, in seconds since 1970.
    case seen(RendezvousID, publicKey: [UInt8], at: Int64)
    /// A device was connected until a time, in seconds since 1970.
    case left(RendezvousID, at: Int64)
    /// A device's permits, which replace the earlier ones.
    case permits(RendezvousID, [StoredPermit])
}

/// The durable facts of a rendezvous server: which devices it knows, whom these permit to ring, and who is blocked.
///
/// The functions may block, and are not called at the same time.
package protocol RendezvousStoring: Sendable {
    /// True if the facts outlive the program.
    var isDurable: Bool { get }
    /// Returns the device with its permits that have not expired; `nil` if it is unknown.
    func device(_ id: RendezvousID, now: Int64) throws(HelioError) -> StoredDevice?
    /// Returns the blocked devices.
    func blocked() throws(HelioError) -> [RendezvousID]
    /// Makes the changes in their order: all, or none if it throws.
    func apply(_ changes: [StoredChange]) throws(HelioError)
    /// Removes expired permits, and devices without permits that were last seen before a time.
    func clean(now: Int64, forget: Int64) throws(HelioError)
}
