package import HelioAdmission
package import HelioCore
private import HelioProtection

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The paired devices, which may connect to this machine without confirmation: `devices.json` in the installation's
/// folder.
package struct DeviceStore: Sendable {
    /// A paired device, with the time of its pairing, and the time and address of its last visit.
    package struct Entry: Sendable, Equatable {
        package var device: PairedDevice
        /// The time of the pairing, in seconds since 1970.
        package var pairedAt: Int
        /// The time of the last visit, in seconds since 1970; `nil` before the first.
        package var lastVisit: Int?
        /// The address from which the device made its last visit; `nil` before the first.
        package var lastAddress: String?

        package init(device: PairedDevice, pairedAt: Int) {
            self.device = device
            self.pairedAt = pairedAt
        }
    }

    private struct Record: Codable {
        var id: Data
        var name: String
        var secret: Data
        var permission: String
        /// False if the clipboard is not shared with the device; missing if it is.
        var clipboard: Bool?
        /// The permission to send files, `never` or `always`; missing if the user is asked.
        var files: String?
        /// `AccessHours.text`; missing if the device may come at any time.
        var hours: String?
        var pairedAt: Int
        /// Missing before the first visit.
        var lastVisit: Int?
        /// Missing before the first visit, and in files of earlier versions.
        var lastAddress: String?
        /// True for a visitor, whose pairing is temporary; missing for other devices.
        var visit: Bool?
        /// `PairedDevice.Kind`; missing in files of earlier versions.
        var kind: String?
    }

    private static let advice =
        "Nobody is let in by a pairing until then. Mend the file, or remove it and pair again."

    private let file: SecretList<Record>

    /// - Parameter folder: the installation's folder; it need not exist yet.
    package init(in folder: String) {
        self.init(in: Self.file(in: folder))
    }

    /// Returns the file that stores the list in an installation's folder.
    package static func file(in folder: String) -> any SecretStorage {
        SecretFile(folder: folder, name: "devices.json", advice: advice)
    }

    /// - Parameter storage: the storage of the whole list.
    package init(in storage: any SecretStorage) {
        file = SecretList(storage: storage, limit: PairedDevice.limit + PairedDevice.visitorLimit, advice: Self.advice)
    }

    /// Reads all devices; none if there is no file.
    ///
    /// Throws `systemFailed` if the file is damaged, open to others or can't be read; a caller must then admit no
    /// paired device.
    package func load() throws(HelioError) -> [Entry] { try file.decode(try file.load(), entry) }

    /// Adds a device under a unique name, and removes the earlier pairing that it replaces. A visitor evicts the oldest
    /// visitor if there are too many visitors.
    package func add(_ device: PairedDevice, pairedAt: Int) throws(HelioError) {
        try change { entries throws(HelioError) in
            if let earlier = device.replaces { entries.removeAll { $0.device.id == earlier } }
            let others = entries.count { $0.device.isVisitor == device.isVisitor }
            if device.isVisitor {
                if others >= PairedDevice.visitorLimit, let oldest = entries.firstIndex(where: \.device.isVisitor) {
                    entries.remove(at: oldest)
                }
            } else if others >= PairedDevice.limit {
                throw HelioError(
                    .systemFailed, "This machine knows \(others) devices: revoke one before you pair another.")
            }
            var device = device
            device.replaces = nil
            device.name = Self.freeName(device.name, among: entries)
            entries.append(Entry(device: device, pairedAt: pairedAt))
        }
    }

    /// Removes all visitors, whose pairings are valid for one run of the host only.
    package func forgetVisitors() throws(HelioError) {
        guard try load().contains(where: \.device.isVisitor) else { return }
        try change { entries throws(HelioError) in entries.removeAll { $0.device.isVisitor } }
    }

    /// Stores the time of a device's visit, in seconds since 1970, and its address; does nothing if the device is not
    /// paired.
    package func note(visitOf device: DeviceID, at time: Int, from address: String) throws(HelioError) {
        try change { entries throws(HelioError) in
            guard let index = entries.firstIndex(where: { $0.device.id == device }) else { return }
            entries[index].lastVisit = time
            entries[index].lastAddress = address
        }
    }

    package func rename(_ name: String, to new: String) throws(HelioError) {
        guard DeviceName.clean(new, fallback: "") == new, !new.isEmpty else {
            throw HelioError(
                .invalidArgument,
                "'\(DeviceName.clean(new))' can't be a name: it needs 1 to \(DeviceName.longest) plain characters.")
        }
        try change { entries throws(HelioError) in
            let index = try Self.find(name, in: entries)
            if entries.contains(where: { $0.device.name == new }), name != new {
                throw HelioError(.invalidArgument, "Another device is called '\(new)': give each its own name.")
            }
            entries[index].device.name = new
        }
    }

    package func revoke(_ name: String) throws(HelioError) {
        try change { entries throws(HelioError) in entries.remove(at: try Self.find(name, in: entries)) }
    }

    package func allow(_ name: String, control: Bool) throws(HelioError) {
        try change { entries throws(HelioError) in
            entries[try Self.find(name, in: entries)].device.allowsControl = control
        }
    }

    package func allow(_ name: String, clipboard: Bool) throws(HelioError) {
        try change { entries throws(HelioError) in
            entries[try Self.find(name, in: entries)].device.sharesClipboard = clipboard
        }
    }

    package func allow(_ name: String, files: FilePermission) throws(HelioError) {
        try change { entries throws(HelioError) in entries[try Self.find(name, in: entries)].device.files = files }
    }

    /// Sets the hours at which a device may come; `nil` for any time.
    package func allow(_ name: String, hours: AccessHours?) throws(HelioError) {
        try change { entries throws(HelioError) in entries[try Self.find(name, in: entries)].device.hours = hours }
    }

    /// The file's fingerprint, which changes with each change of the file.
    package func fingerprint() -> FileFingerprint? { file.fingerprint() }

    private func change(_ body: (inout [Entry]) throws(HelioError) -> Void) throws(HelioError) {
        try file.change { records throws(HelioError) in
            var entries = try file.decode(records, entry)
            try body(&entries)
            records = entries.map {
                Record(
                    id: Data($0.device.id.bytes), name: $0.device.name, secret: Data($0.device.secret.bytes),
                    permission: $0.device.allowsControl ? "control" : "watch",
                    clipboard: $0.device.sharesClipboard ? nil : false,
                    files: $0.device.files == .ask ? nil : $0.device.files.rawValue, hours: $0.device.hours?.text,
                    pairedAt: $0.pairedAt, lastVisit: $0.lastVisit, lastAddress: $0.lastAddress,
                    visit: $0.device.isVisitor ? true : nil, kind: $0.device.kind?.rawValue)
            }
        }
    }

    /// Converts a record to an entry; `nil` if a field is invalid.
    private func entry(_ record: Record) -> Entry? {
        guard let id = DeviceID(Array(record.id)), record.secret.count == PairedDevice.secretLength,
            ["watch", "control"].contains(record.permission), !record.name.isEmpty,
            DeviceName.clean(record.name, fallback: "") == record.name
        else { return nil }
        let hours = record.hours.map { AccessHours($0) }
        // Hours that can't be read damage the entry: to pass over them would let the device in at any time.
        if case .some(nil) = hours { return nil }
        var device = PairedDevice(
            id: id, name: record.name, secret: SecretBytes(Array(record.secret)),
            allowsControl: record.permission == "control")
        device.sharesClipboard = record.clipboard ?? true
        // An unknown value, from a later version, permits nothing.
        device.files = record.files.map { FilePermission(rawValue: $0) ?? .never } ?? .ask
        device.hours = hours ?? nil
        device.isVisitor = record.visit ?? false
        device.kind = record.kind.flatMap { PairedDevice.Kind(rawValue: $0) }
        var entry = Entry(device: device, pairedAt: record.pairedAt)
        entry.lastVisit = record.lastVisit
        entry.lastAddress = record.lastAddress
        return entry
    }

    private static func find(_ name: String, in entries: [Entry]) throws(HelioError) -> Int {
        guard let index = entries.firstIndex(where: { $0.device.name == name }) else {
            throw HelioError(
                .invalidArgument, "No device is called '\(DeviceName.clean(name))'.", remedy: .listDevices)
        }
        return index
    }

    /// Returns the name, with a number appended if another device has it.
    private static func freeName(_ name: String, among entries: [Entry]) -> String {
        let taken = Set(entries.map(\.device.name))
        guard taken.contains(name) else { return name }
        for number in 2...(PairedDevice.limit + PairedDevice.visitorLimit + 2) {
            let suffix = " \(number)"
            var start = name
            while start.utf8.count + suffix.utf8.count > DeviceName.longest { start.removeLast() }
            if !taken.contains(start + suffix) { return start + suffix }
        }
        return name
    }
}
