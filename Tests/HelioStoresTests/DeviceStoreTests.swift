import Foundation
import HelioAdmission
import HelioCore
import HelioProtection
import HelioSession
import HelioStores
import Testing

@Suite("Stores of paired devices and known hosts")
final class DeviceStoreTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { folder + "/devices.json" }

    private func device(_ number: UInt8, _ name: String = "laptop") throws -> PairedDevice {
        PairedDevice(
            id: try #require(DeviceID(Array(repeating: number, count: 16))), name: name,
            secret: SecretBytes(Array(repeating: number, count: 32)), allowsControl: number % 2 == 0)
    }

    /// A host's grant of watching.
    ///
    /// - Parameters:
    ///   - secret: the byte that all of the secret's are, in hexadecimal.
    ///   - name: the host's name, in hexadecimal.
    private static func grant(_ secret: String = "0b", _ name: String = "746f776572") throws -> PairingGrant {
        try #require(
            PairingGrant(
                "Heliograph-Pairing device=\"\(String(repeating: "0a", count: 16))\", "
                    + "secret=\"\(String(repeating: secret, count: 32))\", name=\"\(name)\", permission=\"watch\""))
    }

    /// A file with one entry, valid except for the test's changes.
    private static func record(
        id: String = "AAAAAAAAAAAAAAAAAAAAAA==", name: String = "a",
        secret: String = String(repeating: "A", count: 43) + "=", permission: String = "control"
    ) -> String {
        "{\"version\":1,\"entries\":[{\"id\":\"\(id)\",\"name\":\"\(name)\",\"secret\":\"\(secret)\","
            + "\"permission\":\"\(permission)\",\"pairedAt\":1}]}"
    }

    @Test("a file of the right form is read: what the damaged ones below lack is nothing else")
    func wellFormed() throws {
        try write(Self.record())
        #expect(try DeviceStore(in: folder).load().map(\.device.name) == ["a"])
    }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("what is added is there, for its owner alone, and every change shows")
    func keeps() throws {
        let store = DeviceStore(in: folder)
        #expect(try store.load().isEmpty)
        #expect(store.fingerprint() == nil)
        try store.add(device(2), pairedAt: 1000)
        let first = store.fingerprint()
        try store.add(device(3), pairedAt: 2000)
        #expect(first != nil && store.fingerprint() != first)
        let entries = try store.load()
        #expect(entries.map(\.device.name) == ["laptop", "laptop 2"])
        #expect(entries.map(\.pairedAt) == [1000, 2000])
        #expect(entries[0].device == (try device(2)))
        #expect(entries.map(\.device.allowsControl) == [true, false])
        for (path, mode) in [(path, 0o600), (folder, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))

        try store.rename("laptop 2", to: "tablet")
        try store.allow("tablet", control: true)
        try store.revoke("laptop")
        let left = try store.load()
        #expect(left.count == 1 && left[0].device.name == "tablet" && left[0].device.allowsControl)
        #expect(left[0].device.secret == (try device(3)).secret)
    }

    @Test("a new pairing of a device takes its earlier one's place, under its name")
    func replaced() throws {
        let store = DeviceStore(in: folder)
        try store.add(device(2), pairedAt: 1000)
        try store.add(device(3, "tablet"), pairedAt: 1500)
        var again = try device(4)
        again.replaces = try device(2).id
        try store.add(again, pairedAt: 2000)
        let entries = try store.load()
        #expect(entries.map(\.device.name) == ["tablet", "laptop"])
        #expect(entries.map(\.device.id) == [try device(3).id, try device(4).id])
        #expect(entries.map(\.device.replaces) == [nil, nil])
    }

    @Test("what a device watches with is kept, and missing where an earlier version wrote the file")
    func kinds() throws {
        let store = DeviceStore(in: folder)
        for (index, kind) in (PairedDevice.Kind.allCases + [nil]).enumerated() {
            var device = try device(UInt8(index + 2))
            device.kind = kind
            try store.add(device, pairedAt: index)
        }
        #expect(try store.load().map(\.device.kind) == [.window, .browser, .phone, nil])
    }

    @Test("hours are kept through other changes, and taken off again; hours that can't be read let nobody in")
    func hours() throws {
        let store = DeviceStore(in: folder)
        try store.add(device(2), pairedAt: 1000)
        let hours = try #require(AccessHours("22:00-06:00"))
        try store.allow("laptop", hours: hours)
        try store.note(visitOf: device(2).id, at: 3000, from: "192.0.2.7")
        #expect(try store.load().map(\.device.hours) == [hours])
        try store.allow("laptop", hours: nil)
        #expect(try store.load().map(\.device.hours) == [nil])
        try write(Self.record().replacingOccurrences(of: "\"pairedAt\"", with: "\"hours\":\"8-18\",\"pairedAt\""))
        #expect(throws: HelioError.self) { try store.load() }
    }

    @Test("a visit is noted, and that of nobody is nothing")
    func visits() throws {
        let store = DeviceStore(in: folder)
        try store.add(device(2), pairedAt: 1000)
        #expect(try store.load().map(\.lastVisit) == [nil])
        try store.note(visitOf: device(2).id, at: 3000, from: "192.0.2.7")
        try store.note(visitOf: device(3).id, at: 4000, from: "192.0.2.8")
        #expect(try store.load().map(\.lastVisit) == [3000])
        #expect(try store.load().map(\.lastAddress) == ["192.0.2.7"])
        try store.rename("laptop", to: "Ann's")
        #expect(try store.load().map(\.lastVisit) == [3000])
    }

    @Test("mistakes are named")
    func mistakes() throws {
        let store = DeviceStore(in: folder)
        try store.add(device(1, "a"), pairedAt: 0)
        try store.add(device(2, "b"), pairedAt: 0)
        for change in [
            { try store.revoke("c") }, { try store.rename("c", to: "d") }, { try store.allow("c", control: true) },
            { try store.rename("a", to: "b") }, { try store.rename("a", to: "") },
            { try store.rename("a", to: "x\u{1B}[2J") },
            { try store.rename("a", to: String(repeating: "x", count: 49)) },
        ] {
            let error = #expect(throws: HelioError.self) { try change() }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("\u{1B}") == false)
        }
        #expect(try store.load().map(\.device.name) == ["a", "b"])
    }

    @Test("64 devices are kept, and the 65th is refused")
    func bounded() throws {
        let store = DeviceStore(in: folder)
        for number in UInt8(0)..<64 { try store.add(device(number), pairedAt: 0) }
        #expect(try store.load().count == 64)
        #expect(Set(try store.load().map(\.device.name)).count == 64)
        #expect(throws: HelioError.self) { try store.add(device(99), pairedAt: 0) }
        #expect(try store.load().count == 64)
        // A visitor makes room for the next visitor, and for nobody else.
        for number in UInt8(100)..<120 {
            var visitor = try device(number)
            visitor.isVisitor = true
            try store.add(visitor, pairedAt: 0)
        }
        let visitors = try store.load().map(\.device).filter(\.isVisitor)
        let newest = try (UInt8(104)..<120).map { try device($0).id }
        #expect(visitors.map(\.id) == newest)
        #expect(try store.load().count == 80)
        // The visits have ended.
        try store.forgetVisitors()
        #expect(try store.load().count == 64)
        #expect(try store.load().allSatisfy { !$0.device.isVisitor })
        let fingerprint = store.fingerprint()
        try store.forgetVisitors()
        #expect(store.fingerprint() == fingerprint, "nothing is written where there are none")
    }

    @Test(
        "a damaged file is an error, never an empty list, and no change is written over it",
        arguments: [
            "", "{", "[]", "null", "{\"version\":1}", "{\"version\":2,\"entries\":[]}",
            "{\"version\":1,\"entries\":[{}]}",
            record(id: "AAAA"), record(secret: "AAAA"), record(name: ""), record(name: "a\\u001b[2J"),
            record(permission: "everything"),
            String(repeating: " ", count: 300_000),
        ])
    func damaged(text: String) throws {
        try write(text)
        let store = DeviceStore(in: folder)
        let error = #expect(throws: HelioError.self) { try store.load() }
        #expect(error?.message.contains("devices.json") == true)
        #expect(throws: HelioError.self) { try store.add(device(1), pairedAt: 0) }
        #expect(throws: HelioError.self) { try store.revoke("a") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("a file that others can read, and one that is no file, are refused")
    func notPrivate() throws {
        let store = DeviceStore(in: folder)
        try store.add(device(1), pairedAt: 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let error = #expect(throws: HelioError.self) { try store.load() }
        #expect(error?.message.contains("chmod 600") == true)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        #expect(throws: HelioError.self) { try store.load() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(throws: HelioError.self) { try store.load() }
    }

    @Test("changes from many sides at once are all kept")
    func concurrent() async throws {
        let store = DeviceStore(in: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<24 {
                let device = try device(number)
                group.addTask { try store.add(device, pairedAt: 0) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try store.load().map(\.device.id)).count == 24)
    }

    @Test("known hosts: one for each address, replaced by a new pairing, and forgotten")
    func hosts() throws {
        let store = KnownHostStore(in: folder)
        let grant = try Self.grant()
        #expect(try store.load().isEmpty)
        try store.add(grant, address: "10.0.0.1", port: 7236, fingerprint: Array(repeating: 1, count: 32))
        try store.add(grant, address: "10.0.0.1", port: 7300, fingerprint: Array(repeating: 2, count: 32))
        try store.add(grant, address: "10.0.0.1", port: 7236, fingerprint: Array(repeating: 3, count: 32))
        #expect(try store.load().count == 2)
        let entry = try #require(try store.load().first { $0.link.port == 7236 })
        #expect(entry.name == "tower")
        #expect(entry.link.fingerprint == Array(repeating: 3, count: 32))
        #expect(entry.link.secret == Array(repeating: 11, count: 32))
        #expect(entry.link.device == grant.device)
        #expect(!"\(entry)".contains("11, 11") && !String(reflecting: entry).contains("11, 11"), "no secret is printed")
        try store.forget(address: "10.0.0.1", port: 7236)
        #expect(throws: HelioError.self) { try store.forget(address: "10.0.0.1", port: 7236) }
        #expect(try store.load().map(\.link.port) == [7300])
    }

    @Test("known hosts: a rendezvous server comes with the pairing or later, and files without one are read")
    func rendezvous() throws {
        let store = KnownHostStore(in: folder)
        var grant = try Self.grant()
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        try store.add(grant, address: "10.0.0.1", port: 7236, fingerprint: first)
        let file = URL(fileURLWithPath: folder + "/hosts.json")
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("rendezvous"), "as earlier versions wrote it")
        #expect(try store.load().map(\.link.rendezvous) == [nil])
        let device = "0123456789abcdefghjkmnpqr0"
        grant.rendezvous = HostRendezvous("\(device)@https://rendezvous.example.org")
        try store.add(grant, address: "10.0.0.2", port: 7236, fingerprint: second)
        #expect(try store.load().map(\.link.rendezvous) == [nil, grant.rendezvous])
        let moved = try #require(HostRendezvous("\(device)@https://other.example.org:8443"))
        try store.set(moved, ofHostWith: first)
        try store.set(moved, ofHostWith: Array(repeating: 3, count: 32))
        #expect(try store.load().map(\.link.rendezvous) == [moved, grant.rendezvous])
        #expect(try store.load().map(\.link.host) == ["10.0.0.1", "10.0.0.2"])
        // Another home's host has the same address there.
        try store.add(
            grant, address: "10.0.0.1", port: 7236, fingerprint: Array(repeating: 4, count: 32), wasReachedThere: false)
        #expect(try store.load().map(\.link.host) == ["10.0.0.1", "10.0.0.2", "10.0.0.1"])
    }

    @Test("known hosts: the addresses that wake a host come with the pairing or later, and files without them are read")
    func wake() throws {
        let store = KnownHostStore(in: folder)
        var grant = try Self.grant()
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        try store.add(grant, address: "10.0.0.1", port: 7236, fingerprint: first)
        let file = URL(fileURLWithPath: folder + "/hosts.json")
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("wake"), "as earlier versions wrote it")
        grant.wake = WakeAddresses("02:00:00:00:00:01, 02:00:00:00:00:02")
        try store.add(grant, address: "10.0.0.2", port: 7236, fingerprint: second)
        #expect(try store.load().map(\.wake) == [nil, grant.wake])
        let other = try #require(WakeAddresses("02:00:00:00:00:03"))
        try store.set(other, ofHostWith: first)
        try store.set(other, ofHostWith: Array(repeating: 3, count: 32))
        #expect(try store.load().map(\.wake) == [other, grant.wake])
        // The text of a later version is read as none.
        let stored = try String(contentsOf: file, encoding: .utf8)
        try stored.replacingOccurrences(of: "02:00:00:00:00:03", with: "later").write(
            to: file, atomically: false, encoding: .utf8)
        #expect(try store.load().map(\.wake) == [nil, grant.wake])
    }

    @Test(
        "a host that is paired with again, at another address, is known once, by the new pairing; and is forgotten by name"
    )
    func again() throws {
        let store = KnownHostStore(in: folder)
        let (tower, print) = ("546f776572", [UInt8](repeating: 1, count: 32))
        try store.add(try Self.grant("0b", tower), address: "10.0.0.1", port: 7236, fingerprint: print)
        try store.add(try Self.grant("0c", tower), address: "10.0.0.9", port: 7300, fingerprint: print)
        let known = try store.load()
        #expect(known.map(\.link.host) == ["10.0.0.9"])
        #expect(known.first?.link.secret == Array(repeating: 12, count: 32))
        #expect(try !store.forget(name: "nobody"))
        try store.add(
            try Self.grant("0d", tower), address: "10.0.0.2", port: 7236, fingerprint: Array(repeating: 2, count: 32))
        let error = #expect(throws: HelioError.self) { try store.forget(name: "tower") }
        #expect(error?.message.contains("10.0.0.9:7300, 10.0.0.2:7236") == true)
        try store.forget(address: "10.0.0.2", port: 7236)
        #expect(try store.forget(name: "tower"))
        #expect(try store.load().isEmpty)
    }
}
