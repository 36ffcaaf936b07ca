import Foundation
import HelioCore
import HelioDBusWire
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import Synchronization
import Testing

@testable import HelioDesktop

/// A connection to a real bus, and to one of the test's own that breaks the rules.
@Suite("A connection to the session's bus", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct BusTests {
    private static let name = "org.example.Service", path = "/org/example", interface = "org.example.Thing"

    /// A service that answers `Echo` with its arguments, fails at `Fail`, and never answers `Never`.
    private static func service(_ bus: SessionBusProgram) throws -> BusConnection {
        let service = try BusConnection(addresses: bus.address) { message in
            switch message.member {
            case "Echo": message.answer((try? message.arguments()) ?? [])
            case "Fail": message.failure("org.example.Error.No", "no,\nnever.")
            default: nil
            }
        }
        #expect(service.own(name))
        return service
    }

    private static func call(_ member: String, _ arguments: [DBusValue] = []) -> DBusMessage {
        .call(name, path, interface, member, arguments)
    }

    @Test("calls are answered, fail with a name, or are missing") func calls() throws {
        let bus = try SessionBusProgram()
        let service = try Self.service(bus)
        let client = try BusConnection(addresses: bus.address)
        let values: [DBusValue] = [.string("a"), .options(["x": .array("u", [.uint32(1)])]), .double(2)]
        #expect(try client.call(Self.call("Echo", values)).arguments == values)
        let failure = #expect(throws: BusFailure.self) { try client.call(Self.call("Fail")) }
        #expect(failure == BusFailure("org.example.Error.No", "no, never."))
        #expect(failure?.error(.captureFailed, "It fails").message == "It fails: no, never.")
        let missing = #expect(throws: BusFailure.self) { try client.call(Self.call("Other")) }
        #expect(missing?.isMissing == true)
        let nobody = #expect(throws: BusFailure.self) {
            try client.call(.call("org.example.Nobody", Self.path, Self.interface, "Echo"))
        }
        #expect(nobody?.isMissing == true)
        #expect(client.offers(Self.name) && !client.offers("org.example.Nobody") && !client.own(Self.name))
        withExtendedLifetime(service) {}
    }

    @Test("signals come to those who listen, until they stop, and the end is told") func signals() throws {
        let bus = try SessionBusProgram()
        let service = try Self.service(bus)
        let client = try BusConnection(addresses: bus.address)
        let seen = ThreadMailbox<[String]>([])
        do {
            let listening = try client.listen(
                to: Self.interface, path: Self.path, ended: { seen.put { $0.append("end") } },
                { message in seen.put { $0.append(message.member ?? "") } })
            service.post(.signal("/elsewhere", Self.interface, "Elsewhere"))
            service.post(.signal(Self.path, Self.interface, "First"))
            #expect(seen.take(until: MonotonicClock.now + .seconds(20)) { $0.isEmpty ? nil : $0 } == ["First"])
            withExtendedLifetime(listening) {}
        }
        let other = try client.listen(
            to: Self.interface, path: Self.path, ended: { seen.put { $0.append("lost") } }, { _ in })
        bus.kill()
        let last = seen.take(until: MonotonicClock.now + .seconds(20)) { $0.last == "lost" ? $0 : nil }
        #expect(last == ["First", "lost"])
        let failure = #expect(throws: BusFailure.self) { try client.call(Self.call("Echo")) }
        #expect(failure?.name == BusFailure.disconnected)
        client.post(Self.call("Echo"))
        withExtendedLifetime(other) {}
    }

    @Test("a flood of signals that nobody asked for hinders no call") func flood() throws {
        let bus = try SessionBusProgram()
        let service = try Self.service(bus)
        let client = try BusConnection(addresses: bus.address)
        let listening = try client.listen(to: Self.interface, path: nil) { _ in }
        for number in 0..<2000 {
            service.post(.signal(Self.path, Self.interface, "Flood", [.uint32(UInt32(number))]))
        }
        #expect(try client.call(Self.call("Echo", [.byte(1)])).arguments == [.byte(1)])
        withExtendedLifetime(listening) {}
    }

    @Test("without a bus there is an error that says so") func nobody() {
        let error = #expect(throws: HelioError.self) { try BusConnection(addresses: "unix:path=/nonexistent/bus") }
        #expect(error?.message == "Nobody answers at the session's D-Bus (/nonexistent/bus).")
        let tcp = #expect(throws: HelioError.self) { try BusConnection(addresses: "tcp:host=localhost") }
        #expect(tcp?.message == "The session's D-Bus has no socket that is a file: tcp:host=localhost.")
        let none = #expect(throws: HelioError.self) { try SessionBus.connect { _ in nil } }
        #expect(none?.code == .captureFailed)
    }

    /// A bus that lets a client in, and then sends these bytes.
    private static func broken(_ bytes: [UInt8]) throws -> (address: String, thread: Thread) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "heliograph-broken-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path + "/bus"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        try #require(bound == 0 && listen(listener, 1) == 0)
        let thread = Thread {
            let client = accept(listener, nil, nil)
            defer {
                close(client)
                close(listener)
            }
            func line() {
                var byte: UInt8 = 0
                while read(client, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
            }
            for answer in ["OK 0123456789abcdef0123456789abcdef\r\n", "AGREE_UNIX_FD\r\n"] {
                line()
                _ = answer.withCString { write(client, $0, answer.utf8.count) }
            }
            line()
            _ = write(client, bytes, bytes.count)
            // Until the client closes.
            var rest = [UInt8](repeating: 0, count: 4096)
            while read(client, &rest, rest.count) > 0 {}
        }
        thread.start()
        return ("unix:path=" + path, thread)
    }

    @Test(
        "a bus that sends no messages is left at once",
        arguments: [
            [UInt8](repeating: 0xFF, count: 64), [0x6C, 2, 0, 1, 0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0, 0, 0, 0, 0],
            // A reply that says it has a descriptor.
            [0x6C, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 5, 1, 0x75, 0, 1, 0, 0, 0, 9, 1, 0x75, 0, 1, 0, 0, 0],
        ])
    func lies(bytes: [UInt8]) throws {
        let bus = try Self.broken(bytes)
        let start = MonotonicClock.now
        let error = #expect(throws: HelioError.self) { try BusConnection(addresses: bus.address) }
        #expect(error?.message.contains("has ended") == true)
        #expect(MonotonicClock.now - start < .seconds(9))
    }
}
