import HelioAdmission
public import HelioCore
private import HelioProtection
private import HelioSession
private import HelioStores

/// The pairings of this machine, stored in `HeliographHome`: the devices that may connect without confirmation, and the
/// hosts that this machine may watch.
///
/// A running host adopts a change made here within two seconds: a revoked device that is watching is disconnected.
public struct DeviceBook: Sendable {
    /// A device that is paired with this machine and may watch it.
    public struct Device: Sendable, Hashable {
        /// The device's name, unique among the paired devices.
        public let name: String
        /// True if the device may drive this machine; otherwise it may only watch.
        public let allowsControl: Bool
        /// True if the clipboard is shared with the device while it drives.
        public let sharesClipboard: Bool
        /// The permission for files that the device sends.
        public let files: Files
        /// The hours at which the device may come, in this machine's time zone; `nil` for any time.
        public let hours: AccessHours?
        /// The time of pairing, in seconds since 1970.
        public let pairedAt: Int
        /// The time of the device's last visit, in seconds since 1970; `nil` before the first.
        public let lastVisit: Int?
        /// The address that the device's last visit came from; `nil` before the first.
        public let lastAddress: String?
        /// The kind of program by which the device watches; `nil` if the device was paired by a version that did not
        /// store the kind.
        public let kind: Kind?
        /// True for a browser that can keep the pairing only while its page is open. When there are too many such
        /// pairings, a new pairing replaces the oldest of them.
        public let isVisitor: Bool
    }

    /// The program by which a paired device watches.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Heliograph's own viewer.
        case window
        /// A browser on a computer.
        case browser
        /// A browser that reports itself to be on a phone or tablet.
        case phone
    }

    /// The permission for files that a device sends.
    public enum Files: String, Sendable, Hashable, CaseIterable {
        /// The user is asked about each batch.
        case ask
        case always
        case never
    }

    /// A host that this machine may watch.
    public struct Host: Sendable, Hashable {
        /// The name that the host gave itself at the time of pairing.
        public let name: String
        /// The host's address when it was paired.
        public let address: String
        /// The host's TCP port.
        public let port: Int
        /// The SHA-256 of the host's certificate, 64 hexadecimal digits.
        public let fingerprint: String
        /// The URL of the rendezvous server by which the host is reached from any network; `nil` if none is known.
        public let rendezvous: String?
    }

    private let devices: DeviceStore
    private let hosts: KnownHostStore

    /// Makes a view of this installation's pairings; each call reads them from their files.
    public init() {
        devices = HeliographHome.places.devices
        hosts = HeliographHome.places.hosts
    }

    /// Reads the paired devices. Throws `systemFailed` if their file can't be used.
    public func allDevices() throws(HelioError) -> [Device] {
        try devices.load().map {
            Device(
                name: $0.device.name, allowsControl: $0.device.allowsControl,
                sharesClipboard: $0.device.sharesClipboard, files: Files($0.device.files),
                hours: $0.device.hours, pairedAt: $0.pairedAt, lastVisit: $0.lastVisit, lastAddress: $0.lastAddress,
                kind: $0.device.kind.flatMap { Kind(rawValue: $0.rawValue) }, isVisitor: $0.device.isVisitor)
        }
    }

    /// Reads the hosts that this machine may watch. Throws `systemFailed` if their file can't be used.
    public func allHosts() throws(HelioError) -> [Host] {
        try hosts.load().map {
            Host(
                name: $0.name, address: $0.link.host, port: Int($0.link.port),
                fingerprint: Hexadecimal.text($0.link.fingerprint ?? []), rendezvous: $0.link.rendezvous?.server)
        }
    }

    /// Renames a device. Throws `invalidArgument` if there is no such device, or the name is taken.
    public func rename(_ name: String, to new: String) throws(HelioError) { try devices.rename(name, to: new) }

    /// Revokes a device's pairing. Throws `invalidArgument` if there is no such device.
    public func revoke(_ name: String) throws(HelioError) { try devices.revoke(name) }

    /// Sets whether a device may drive or only watch. Throws `invalidArgument` if there is no such device.
    public func allow(_ name: String, control: Bool) throws(HelioError) { try devices.allow(name, control: control) }

    /// Sets whether the clipboard is shared with a device while it drives. Throws `invalidArgument` if there is no such
    /// device.
    public func allow(_ name: String, clipboard: Bool) throws(HelioError) {
        try devices.allow(name, clipboard: clipboard)
    }

    /// Sets the permission for files that a device sends. Throws `invalidArgument` if there is no such device.
    public func allow(_ name: String, files: Files) throws(HelioError) {
        try devices.allow(name, files: files.permission)
    }

    /// Sets the hours at which a device may come, in this machine's time zone; `nil` for any time. A device that is
    /// watching is disconnected when its hours end. Throws `invalidArgument` if there is no such device.
    public func allow(_ name: String, hours: AccessHours?) throws(HelioError) {
        try devices.allow(name, hours: hours)
    }

    /// Removes a host, identified by its name or by its address with or without a port. Throws `invalidArgument` if it
    /// is not known, or if several hosts have that name.
    public func forget(_ host: String) throws(HelioError) {
        if try hosts.forget(name: host) { return }
        let (address, port) = try ShareLink.address(host[...])
        try hosts.forget(address: address, port: port)
    }

    /// Makes a random code for `MirrorSource.Options.pairingCode`, of 80 bits from the system's generator.
    public static func makeCode() -> String {
        var generator = SystemRandomNumberGenerator()
        return ShareLink.code(of: SecretBytes(count: ShareLink.secretBytes, using: &generator).bytes)
    }
}

extension DeviceBook.Files {
    fileprivate init(_ permission: FilePermission) {
        self =
            switch permission {
            case .ask: .ask
            case .always: .always
            case .never: .never
            }
    }

    fileprivate var permission: FilePermission {
        switch self {
        case .ask: .ask
        case .always: .always
        case .never: .never
        }
    }
}
