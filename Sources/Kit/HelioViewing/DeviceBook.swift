import HelioAdmission
public import HelioCore
private import HelioProtection
private import HelioSession
private import HelioStores

/// Who may come to this machine without asking, and where this machine may go: the pairings in `HeliographHome`.
///
/// A running host follows within two seconds what is changed here: a revoked device that is watching is put out.
public struct DeviceBook: Sendable {
    /// A device that may come here.
    public struct Device: Sendable, Hashable {
        /// Unlike that of any other device.
        public let name: String
        /// Whether it may drive this machine, or only watch.
        public let allowsControl: Bool
        /// Seconds since 1970.
        public let pairedAt: Int
        /// Whether its page can keep the pairing for no longer than it is open; it makes room for the next such one.
        public let isVisitor: Bool
    }

    /// A host that this machine may watch.
    public struct Host: Sendable, Hashable {
        /// What the host calls itself.
        public let name: String
        /// Where it was when it was paired.
        public let address: String
        /// Its TCP port.
        public let port: Int
        /// SHA-256 of its certificate, 64 hexadecimal digits.
        public let fingerprint: String
    }

    private let devices: DeviceStore
    private let hosts: KnownHostStore

    /// The pairings of this installation.
    public init() {
        devices = DeviceStore(in: HeliographHome.path)
        hosts = KnownHostStore(in: HeliographHome.path)
    }

    /// The devices that may come here. Throws `systemFailed` where their file can't be used.
    public func allDevices() throws(HelioError) -> [Device] {
        try devices.load().map {
            Device(
                name: $0.device.name, allowsControl: $0.device.allowsControl, pairedAt: $0.pairedAt,
                isVisitor: $0.device.isVisitor)
        }
    }

    /// The hosts that this machine may watch. Throws `systemFailed` where their file can't be used.
    public func allHosts() throws(HelioError) -> [Host] {
        try hosts.load().map {
            Host(
                name: $0.name, address: $0.link.host, port: Int($0.link.port),
                fingerprint: Hexadecimal.text($0.link.fingerprint ?? []))
        }
    }

    /// Gives a device another name. Throws `invalidArgument` where there is no such device, or the name is taken.
    public func rename(_ name: String, to new: String) throws(HelioError) { try devices.rename(name, to: new) }

    /// Lets a device come no more. Throws `invalidArgument` where there is no such device.
    public func revoke(_ name: String) throws(HelioError) { try devices.revoke(name) }

    /// Sets what a device may do. Throws `invalidArgument` where there is no such device.
    public func allow(_ name: String, control: Bool) throws(HelioError) { try devices.allow(name, control: control) }

    /// Forgets a host, by its address with or without a port. Throws `invalidArgument` where it is not known.
    public func forget(_ host: String) throws(HelioError) {
        let (address, port) = try ShareLink.address(host[...])
        try hosts.forget(address: address, port: port)
    }

    /// A code for `MirrorSource.Options.pairingCode`: 80 bits from the system's generator.
    public static func makeCode() -> String {
        var generator = SystemRandomNumberGenerator()
        return ShareLink.code(of: SecretBytes(count: ShareLink.secretBytes, using: &generator).bytes)
    }
}
