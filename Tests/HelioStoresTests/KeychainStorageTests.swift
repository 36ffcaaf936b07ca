import Foundation
import HelioAdmission
import HelioCore
import HelioProtection
import HelioStores
import Testing

@Suite("Secrets in a Keychain")
struct KeychainStorageTests {
    private let keychain = FakeKeychain()

    private func device(_ number: UInt8, _ name: String) throws -> PairedDevice {
        PairedDevice(
            id: try #require(DeviceID(Array(repeating: number, count: 16))), name: name,
            secret: SecretBytes(Array(repeating: number, count: 32)), allowsControl: true)
    }

    private func storage(_ account: String = "devices", earlier: (any SecretStorage)? = nil) -> KeychainStorage {
        KeychainStorage(account, in: keychain, earlier: earlier)
    }

    @Test("an installation's places are the Keychain's items, and nothing is in its folder")
    func places() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID())").path
        let places = SecretPlaces(folder: folder, keychain: keychain)
        let identity = try places.identity()
        #expect(try places.identity().fingerprint == identity.fingerprint)
        try places.devices.add(device(1, "Tablet"), pairedAt: 1)
        #expect(try places.devices.load().map(\.device.name) == ["Tablet"])
        #expect(try places.hosts.load().isEmpty)
        #expect(keychain.accounts == ["Heliograph/devices", "Heliograph/identity"])
        #expect(!FileManager.default.fileExists(atPath: folder))

        // Without a Keychain, secrets are stored in files.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = SecretPlaces(folder: folder)
        #expect(try files.identity().fingerprint != identity.fingerprint)
        #expect(try files.devices.load().isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder + "/key.pem"))
    }

    @Test("an app whose signature has no right to the Keychain keeps files; a locked device stays an error")
    func notEntitled() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        keychain.failure = -34018
        let places = SecretPlaces(folder: folder, keychain: keychain)
        let (kept, identity) = try places.forSharing()
        #expect(!kept.isTemporary)
        try kept.devices.add(device(1, "Tablet"), pairedAt: 1)
        let again = SecretPlaces(folder: folder, keychain: keychain)
        #expect(try again.identity().fingerprint == identity.fingerprint)
        #expect(try again.devices.load().map(\.device.name) == ["Tablet"])
        #expect(keychain.items.isEmpty)

        keychain.failure = -25308
        let locked = SecretPlaces(folder: folder, keychain: keychain)
        let error = #expect(throws: HelioError.self) { try locked.identity() }
        #expect(error?.message.contains("unlock") == true)
    }

    @Test("devices are kept under the service's name, and every change shows")
    func devices() throws {
        let store = DeviceStore(in: storage())
        #expect(try store.load().isEmpty && store.fingerprint() == nil)
        try store.add(device(1, "phone"), pairedAt: 1)
        let first = store.fingerprint()
        try store.add(device(2, "phone"), pairedAt: 2)
        #expect(first != nil && store.fingerprint() != first)
        #expect(try DeviceStore(in: storage()).load().map(\.device.name) == ["phone", "phone 2"])
        #expect(keychain.accounts == ["Heliograph/devices"])
    }

    @Test(
        "a locked device, a wrong signature and damage are errors, and never an empty list",
        arguments: [
            (-25308, "unlock"), (-34018, "entitlement"), (-50, "(-50)"),
        ] as [(Int32, String)])
    func failures(status: Int32, word: String) throws {
        let store = DeviceStore(in: storage())
        try store.add(device(1, "phone"), pairedAt: 1)
        keychain.failure = status
        for attempt in 0..<2 {
            let error = #expect(throws: HelioError.self) {
                if attempt == 0 { _ = try store.load() } else { try store.add(device(2, "b"), pairedAt: 2) }
            }
            #expect(error?.code == .systemFailed && error?.message.contains(word) == true)
        }
        keychain.failure = nil
        #expect(try store.load().count == 1)
    }

    @Test("contents that are no list are an error")
    func damage() throws {
        for contents in [[], Array("no list".utf8), [UInt8](repeating: 0, count: 300_000)] as [[UInt8]] {
            keychain.items["Heliograph/devices"] = contents
            #expect(throws: HelioError.self) { try DeviceStore(in: storage()).load() }
        }
    }

    @Test("an item that another adds or takes away at the same moment is written all the same")
    func conflicts() throws {
        let store = DeviceStore(in: storage())
        keychain.onAdd = { $0.items["Heliograph/devices"] = Array("of another".utf8) }
        try store.add(device(1, "phone"), pairedAt: 1)
        #expect(try store.load().count == 1)
        // An item that can be neither updated nor added is reported after two attempts.
        keychain.updatesNothing = true
        let before = keychain.adds
        let error = #expect(throws: HelioError.self) { try store.add(device(2, "tablet"), pairedAt: 2) }
        #expect(error?.message.contains("another program") == true && keychain.adds == before + 2)
    }

    @Test("a list from a file moves in with the first change; the file stays as it was")
    func migration() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try DeviceStore(in: folder).add(device(1, "old"), pairedAt: 1)
        let store = DeviceStore(in: storage(earlier: DeviceStore.file(in: folder)))
        #expect(try store.load().map(\.device.name) == ["old"])
        #expect(keychain.items["Heliograph/devices"] == nil)
        try store.add(device(2, "new"), pairedAt: 2)
        #expect(try DeviceStore(in: storage()).load().map(\.device.name) == ["old", "new"])
        #expect(try DeviceStore(in: folder).load().count == 1)
        // A revoked device stays revoked: the earlier storage is not read any more.
        try store.revoke("old")
        #expect(try store.load().map(\.device.name) == ["new"])
    }

    @Test("an identity is made once, and the same from then on; what is none is an error")
    func identity() throws {
        let first = try Identity.loadOrCreate(in: storage("identity"))
        let second = try Identity.loadOrCreate(in: storage("identity"))
        #expect(first.fingerprint == second.fingerprint && first.fingerprint.count == 32)
        keychain.items["Heliograph/identity"] = Array("nothing".utf8)
        #expect(throws: HelioError.self) { try Identity.loadOrCreate(in: storage("identity")) }
        keychain.failure = -25308
        #expect(throws: HelioError.self) { try Identity.loadOrCreate(in: storage("identity")) }
    }
}

/// An in-memory Keychain with faults on request.
private final class FakeKeychain: KeychainAccess, @unchecked Sendable {
    var items: [String: [UInt8]] = [:]
    /// The error that every call returns.
    var failure: Int32?
    /// Called once, just before an item is added.
    var onAdd: ((FakeKeychain) -> Void)?
    /// True if every update reports a missing item.
    var updatesNothing = false
    private(set) var adds = 0

    var accounts: [String] { items.keys.sorted() }

    func copy(service: String, account: String) -> (status: Int32, data: [UInt8]?) {
        if let failure { return (failure, nil) }
        let data = items[service + "/" + account]
        return (data == nil ? -25300 : 0, data)
    }

    func add(_ data: [UInt8], service: String, account: String) -> Int32 {
        if let failure { return failure }
        adds += 1
        onAdd?(self)
        onAdd = nil
        if items[service + "/" + account] != nil { return -25299 }
        items[service + "/" + account] = data
        return 0
    }

    func update(_ data: [UInt8], service: String, account: String) -> Int32 {
        if let failure { return failure }
        guard !updatesNothing, items[service + "/" + account] != nil else { return -25300 }
        items[service + "/" + account] = data
        return 0
    }
}
