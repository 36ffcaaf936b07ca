package import HelioAdmission
package import HelioCore
private import HelioProtection

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The paired hosts, which this machine may watch without confirmation: `hosts.json` in the installation's folder.
package struct KnownHostStore: Sendable {
    /// The maximum number of hosts that one machine knows.
    package static let limit = 256

    package struct Entry: Sendable, Equatable {
        /// The name that the host gave itself.
        package var name: String
        /// The host's address and fingerprint, and the secret of the pairing.
        package var link: ShareLink
        /// The addresses by which the host is woken while it sleeps; `nil` if none are known.
        package var wake: WakeAddresses?
    }

    private struct Record: Codable {
        var name: String
        var address: String
        var port: Int
        var fingerprint: Data
        var device: Data
        var secret: Data
        /// The place where the host is reached from any network (`HostRendezvous.text`); missing if there is none, and
        /// in files of earlier versions.
        var rendezvous: String?
        /// The addresses by which the host is woken (`WakeAddresses.text`); missing if none are known, and in files of
        /// earlier versions.
        var wake: String?
    }

    private static let advice =
        "Mend the file, or remove it and pair again."

    private let file: SecretList<Record>

    /// - Parameter folder: the installation's folder; it need not exist yet.
    package init(in folder: String) {
        self.init(in: Self.file(in: folder))
    }

    /// Returns the file that stores the list in an installation's folder.
    package static func file(in folder: String) -> any SecretStorage {
        SecretFile(folder: folder, name: "hosts.json", advice: advice)
    }

    /// - Parameter storage: the storage of the whole list.
    package init(in storage: any SecretStorage) {
        file = SecretList(storage: storage, limit: Self.limit, advice: Self.advice)
    }

    /// Reads all hosts; none if there is no file. Throws `systemFailed` if the file can't be used.
    package func load() throws(HelioError) -> [Entry] { try file.decode(try file.load(), entry) }

    /// Stores a host. Removes an earlier host at the same address, and earlier pairings with the same host, which only
    /// accepts the latest pairing.
    ///
    /// - Parameter wasReachedThere: false if the host was reached by a rendezvous server. On its own network it may
    ///   have the same address as another host has on this one, which then stays.
    package func add(
        _ grant: PairingGrant, address: String, port: UInt16, fingerprint: [UInt8], wasReachedThere: Bool = true
    ) throws(HelioError) {
        try file.change { records throws(HelioError) in
            _ = try file.decode(records, entry)
            records.removeAll {
                let isThere = $0.address == address && $0.port == Int(port)
                return isThere && wasReachedThere || $0.fingerprint == Data(fingerprint)
            }
            guard records.count < Self.limit else {
                throw HelioError(
                    .systemFailed, "This machine knows \(records.count) hosts: forget one before you pair another.")
            }
            records.append(
                Record(
                    name: grant.hostName, address: address, port: Int(port), fingerprint: Data(fingerprint),
                    device: Data(grant.device.bytes), secret: Data(grant.secret.bytes),
                    rendezvous: grant.rendezvous?.text, wake: grant.wake?.text))
        }
    }

    /// Stores the place where a paired host is reached from any network; does nothing if the host is not known or the
    /// place is stored already.
    package func set(_ rendezvous: HostRendezvous, ofHostWith fingerprint: [UInt8]) throws(HelioError) {
        try set(\.rendezvous, rendezvous.text, ofHostWith: fingerprint)
    }

    /// Stores the addresses by which a paired host is woken; does nothing if the host is not known or they are stored
    /// already.
    package func set(_ wake: WakeAddresses, ofHostWith fingerprint: [UInt8]) throws(HelioError) {
        try set(\.wake, wake.text, ofHostWith: fingerprint)
    }

    private func set(
        _ field: WritableKeyPath<Record, String?>, _ text: String, ofHostWith fingerprint: [UInt8]
    ) throws(HelioError) {
        func isOutdated(_ record: Record) -> Bool {
            record.fingerprint == Data(fingerprint) && record[keyPath: field] != text
        }
        guard try file.load().contains(where: isOutdated) else { return }
        try file.change { records throws(HelioError) in
            for index in records.indices where isOutdated(records[index]) { records[index][keyPath: field] = text }
        }
    }

    /// Removes the host at an address. Throws `invalidArgument` if there is none.
    package func forget(address: String, port: UInt16) throws(HelioError) {
        try file.change { records throws(HelioError) in
            let before = records.count
            records.removeAll { $0.address == address && $0.port == Int(port) }
            if records.count == before {
                let place = Authority.text(address, port: port)
                throw HelioError(
                    .invalidArgument, "This machine is not paired with \(place).", remedy: .listDevices)
            }
        }
    }

    /// Removes the host with exactly this name, or else with this name in other case. Throws `invalidArgument` if
    /// several hosts have the name.
    ///
    /// - Returns: false if no host has the name.
    package func forget(name: String) throws(HelioError) -> Bool {
        var isFound = false
        try file.change { records throws(HelioError) in
            let exact = records.filter { $0.name == name }
            let named = exact.isEmpty ? records.filter { $0.name.lowercased() == name.lowercased() } : exact
            guard let first = named.first else { return }
            if named.count > 1 {
                let places = named.map { Authority.text($0.address, port: $0.port) }.joined(separator: ", ")
                throw HelioError(
                    .invalidArgument,
                    "Several hosts are called '\(DeviceName.clean(name))': give the address of the one to forget. \(places)"
                )
            }
            records.removeAll { $0.name == first.name && $0.address == first.address && $0.port == first.port }
            isFound = true
        }
        return isFound
    }

    /// Converts a record to an entry; `nil` if a field is invalid.
    private func entry(_ record: Record) -> Entry? {
        guard let port = UInt16(exactly: record.port), port > 0, !record.address.isEmpty,
            record.fingerprint.count == 32, let device = DeviceID(Array(record.device)),
            record.secret.count == PairedDevice.secretLength, DeviceName.clean(record.name, fallback: "") == record.name
        else { return nil }
        var link = ShareLink(
            host: record.address, port: port, fingerprint: Array(record.fingerprint), secret: Array(record.secret))
        link.device = device
        // A place in the form of a later version is none.
        link.rendezvous = record.rendezvous.flatMap { HostRendezvous($0) }
        return Entry(name: record.name, link: link, wake: record.wake.flatMap { WakeAddresses($0) })
    }
}
