import Foundation
import HelioCore
import HelioOpenSSL
import Testing

@testable import HelioStores

@Suite("The key that a rendezvous server knows this device by")
struct DeviceKeyStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path

    @Test("is made once, for its owner alone, and loaded from then on")
    func stays() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try DeviceKeyStore(in: DeviceKeyStore.file(in: folder)).loadOrCreate()
        let again = try SecretPlaces(folder: folder).deviceKey()
        #expect(key.publicKey == again.publicKey)
        let path = folder + "/rendezvous-key.pem"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("is refused if others can read it, or if it is damaged, and is not replaced then")
    func refused() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = DeviceKeyStore(in: DeviceKeyStore.file(in: folder))
        _ = try store.loadOrCreate()
        let path = folder + "/rendezvous-key.pem"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: HelioError.self) { try store.loadOrCreate() }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: HelioError.self) { try store.loadOrCreate() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("no key".utf8))
    }

    @Test("is kept in memory while the installation's folder is")
    func memory() throws {
        let store = DeviceKeyStore(in: MemoryStorage())
        #expect(try store.loadOrCreate().publicKey == store.loadOrCreate().publicKey)
    }
}
