import Foundation
import HelioAdmission
import HelioCore
import HelioProtection
import HelioSession
import Testing

@testable import HelioStores

@Suite("Where key and pairings are kept")
final class SecretPlacesTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-places-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("in the folder, where it can be written")
    func kept() throws {
        let places = SecretPlaces(folder: folder + "/home")
        let first = try places.forSharing()
        let second = try places.forSharing()
        #expect(!first.places.isTemporary && !second.places.isTemporary)
        #expect(first.identity.fingerprint == second.identity.fingerprint)
    }

    @Test("in memory, where it can't: sharing and pairing work until the program ends")
    func unwritable() throws {
        // No user, with any rights, can create a folder inside a file.
        let file = folder + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let places = SecretPlaces(folder: file + "/home")
        let (temporary, identity) = try places.forSharing()
        #expect(temporary.isTemporary)
        #expect(try temporary.devices.load().isEmpty)
        let device = PairedDevice(
            id: try #require(DeviceID(Array(repeating: 1, count: 16))), name: "laptop",
            secret: SecretBytes(Array(repeating: 2, count: 32)), allowsControl: true)
        try temporary.devices.add(device, pairedAt: 1000)
        #expect(try temporary.devices.load().map(\.device) == [device])
        try temporary.devices.revoke("laptop")
        #expect(try temporary.devices.load().isEmpty)
        #expect(try places.forSharing().identity.fingerprint != identity.fingerprint)
    }

    @Test("nowhere, where others could change the folder")
    func exposed() throws {
        let open = folder + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        let error = #expect(throws: HelioError.self) { try SecretPlaces(folder: open).forSharing() }
        #expect(error?.code == .systemFailed)
    }
}
