import HelioAdmission
public import HelioCore
private import HelioProtection
private import HelioSession
private import HelioStores

/// The pairings of this machine, in `HeliographHome`: the devices that may come without asking, and the hosts that it
/// may watch.
///
/// A running host follows within two seconds what is changed here: a revoked device that is watching is disconnected.
public struct DeviceBook: Sendable {
    /// A device that may come here.
    public struct Device: Sendable, Hashable {
        /// The device's name, unique among the paired devices.
        public let name: String
        /// True where the device may drive this machine; it may only watch otherwise.
        public let allowsControl: Bool
        /// True where the clipboard is shared with the device while it drives.
        public let sharesClipboard: Bool
        /// Whether files are taken of the device.
        public let files: Files
        /// When the device was paired, in seconds since 1970.
        public let pairedAt: Int
        /// When the device last came, in seconds since 1970; `nil` where it has not come yet.
        public let lastVisit: Int?
        /// True for a browser that can keep the pairing only while its page is open; it makes room for the next such
        /// one.
        public let isVisitor: Bool
    }

    /// Whether files are taken of a device.
    public enum Files: String, Sendable, Hashable, CaseIterable {
        /// The person is asked for each batch.
        case ask
        case always
        case never
    }

    /// A host that this machine may watch.
    public struct Host: Sendable, Hashable {
        /// The host's name, as it gave it.
        public let name: String
        /// The host's address when it was paired.
        public let address: String
        /// The host's TCP port.
        public let port: Int
        /// SHA-256 of its certificate, 64 hexadecimal digits.
        public let fingerprint: String
    }

    private let devices: DeviceStore
    private let hosts: KnownHostStore

    /// The pairings of this installation.
    public init() {
        devices = HeliographHome.places.devices
        hosts = HeliographHome.places.hosts
    }

    /// Reads the devices that may come here. Throws `systemFailed` where their file can't be used.
    public func allDevices() throws(HelioError) -> [Device] {
        try devices.load().map {
            Device(
                name: $0.device.name, allowsControl: $0.device.allowsControl,
                sharesClipboard: $0.device.sharesClipboard, files: Files($0.device.files), pairedAt: $0.pairedAt,
                lastVisit: $0.lastVisit, isVisitor: $0.device.isVisitor)
        }
    }

    /// Reads the hosts that this machine may watch. Throws `systemFailed` where their file can't be used.
    public func allHosts() throws(HelioError) -> [Host] {
        try hosts.load().map {
            Host(
                name: $0.name, address: $0.link.host, port: Int($0.link.port),
                fingerprint: Hexadecimal.text($0.link.fingerprint ?? []))
        }
    }

    /// Gives a device another name. Throws `invalidArgument` where there is no such device, or the name is taken.
    public func rename(_ name: String, to new: String) throws(HelioError) { try devices.rename(name, to: new) }

    /// Revokes a device's pairing. Throws `invalidArgument` where there is no such device.
    public func revoke(_ name: String) throws(HelioError) { try devices.revoke(name) }

    /// Sets whether a device may drive or only watch. Throws `invalidArgument` where there is no such device.
    public func allow(_ name: String, control: Bool) throws(HelioError) { try devices.allow(name, control: control) }

    /// Sets whether the clipboard is shared with a device while it drives. Throws `invalidArgument` where there is no
    /// such device.
    public func allow(_ name: String, clipboard: Bool) throws(HelioError) {
        try devices.allow(name, clipboard: clipboard)
    }

    /// Sets whether files are taken of a device. Throws `invalidArgument` where there is no such device.
    public func allow(_ name: String, files: Files) throws(HelioError) {
        try devices.allow(name, files: files.permission)
    }

    /// Forgets a host, by its name or by its address with or without a port. Throws `invalidArgument` where it is not
    /// known, or several have the name.
    public func forget(_ host: String) throws(HelioError) {
        if try hosts.forget(name: host) { return }
        let (address, port) = try ShareLink.address(host[...])
        try hosts.forget(address: address, port: port)
    }

    /// Makes a code for `MirrorSource.Options.pairingCode`: 80 bits from the system's generator.
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
