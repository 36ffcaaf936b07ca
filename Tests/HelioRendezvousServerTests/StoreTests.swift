import Foundation
import HelioCore
import HelioRendezvousWire
import HelioTestLanes
import Testing

@testable import HelioRendezvousServer

@Suite("The facts that a rendezvous server keeps", .timeLimit(.minutes(1)), .tags(.quiet))
struct StoreTests {
    private static func id(_ number: UInt8) -> RendezvousID { RendezvousID([UInt8](repeating: number, count: 16))! }
    private static func tag(_ number: UInt8) -> RingTag { RingTag([UInt8](repeating: number, count: 16))! }
    private static let key = [UInt8](repeating: 7, count: 32)

    private func withStores(_ body: (any RendezvousStoring) throws -> Void) throws {
        try body(MemoryStore())
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(SQLiteStore(path: folder.appending(path: "rendezvous.sqlite").path))
    }

    @Test("a device is known once it was seen, with the time of the last time")
    func seen() throws {
        try withStores { store in
            #expect(try store.device(Self.id(1), now: 100) == nil)
            try store.apply([.seen(Self.id(1), publicKey: Self.key, at: 100)])
            #expect(try store.device(Self.id(1), now: 100) == StoredDevice(id: Self.id(1), lastSeen: 100, permits: []))
            try store.apply([.seen(Self.id(1), publicKey: Self.key, at: 160)])
            #expect(try store.device(Self.id(1), now: 200)?.lastSeen == 160)
            #expect(try store.device(Self.id(2), now: 200) == nil)
        }
    }

    @Test("a list of permits replaces the one before, and expired ones are not told")
    func permits() throws {
        try withStores { store in
            try store.apply([
                .seen(Self.id(1), publicKey: Self.key, at: 100),
                .permits(Self.id(1), [StoredPermit(tag: Self.tag(1), expiry: nil)]),
                .permits(
                    Self.id(1),
                    [StoredPermit(tag: Self.tag(2), expiry: 150), StoredPermit(tag: Self.tag(3), expiry: nil)]),
            ])
            let all = try store.device(Self.id(1), now: 149)?.permits ?? []
            #expect(
                Set(all) == [StoredPermit(tag: Self.tag(2), expiry: 150), StoredPermit(tag: Self.tag(3), expiry: nil)])
            #expect(try store.device(Self.id(1), now: 150)?.permits == [StoredPermit(tag: Self.tag(3), expiry: nil)])
            try store.apply([.permits(Self.id(1), [])])
            #expect(try store.device(Self.id(1), now: 149)?.permits == [])
        }
    }

    @Test("what has expired is removed, and a device without permits that was not seen for long")
    func clean() throws {
        try withStores { store in
            try store.apply([
                .seen(Self.id(1), publicKey: Self.key, at: 100), .seen(Self.id(2), publicKey: Self.key, at: 100),
                .seen(Self.id(3), publicKey: Self.key, at: 900),
                .permits(Self.id(1), [StoredPermit(tag: Self.tag(1), expiry: 500)]),
                .permits(Self.id(2), [StoredPermit(tag: Self.tag(1), expiry: nil)]),
            ])
            try store.clean(now: 1000, forget: 500)
            #expect(try store.device(Self.id(1), now: 100) == nil)
            #expect(try store.device(Self.id(2), now: 100)?.permits.count == 1)
            #expect(try store.device(Self.id(3), now: 100)?.lastSeen == 900)
        }
    }

    @Test("a memory's devices are bounded, too")
    func boundedMemory() throws {
        let store = MemoryStore(mostDevices: 3)
        for number in UInt8(1)...5 {
            try store.apply([
                .seen(Self.id(number), publicKey: Self.key, at: 100 + Int64(number)),
                .permits(Self.id(number), [StoredPermit(tag: Self.tag(number), expiry: nil)]),
            ])
        }
        try store.clean(now: 200, forget: 0)
        for number in UInt8(1)...5 {
            #expect(try store.device(Self.id(number), now: 200)?.permits.count == (number > 2 ? 1 : nil))
        }
    }

    @Test("a file's devices are bounded: those seen the longest ago go first, with their permits")
    func bounded() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try SQLiteStore(path: folder.appending(path: "rendezvous.sqlite").path, mostDevices: 3)
        for number in UInt8(1)...5 {
            try store.apply([
                .seen(Self.id(number), publicKey: Self.key, at: 100 + Int64(number)),
                .permits(Self.id(number), [StoredPermit(tag: Self.tag(number), expiry: nil)]),
            ])
        }
        try store.clean(now: 200, forget: 0)
        for number in UInt8(1)...5 {
            #expect(try store.device(Self.id(number), now: 200)?.permits.count == (number > 2 ? 1 : nil))
        }
        // A name that comes back has none of its former permits.
        try store.apply([.seen(Self.id(1), publicKey: Self.key, at: 300)])
        #expect(try store.device(Self.id(1), now: 300)?.permits == [])
    }

    @Test("a file keeps everything; a file without a folder is an error")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "rendezvous.sqlite").path
        #expect(throws: HelioError.self) { try SQLiteStore(path: path) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try SQLiteStore(path: path).apply([
            .seen(Self.id(1), publicKey: Self.key, at: 100),
            .permits(Self.id(1), [StoredPermit(tag: Self.tag(1), expiry: 500)]),
        ])
        let again = try SQLiteStore(path: path)
        #expect(try again.device(Self.id(1), now: 200)?.permits == [StoredPermit(tag: Self.tag(1), expiry: 500)])
        #expect(try again.blocked() == [])
    }
}
