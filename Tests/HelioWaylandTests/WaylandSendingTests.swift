import Glibc
import HelioCore
import HelioTestLanes
import HelioWayland
import HelioWaylandWire
import Testing

@Suite("Requests to a compositor that reads late", .timeLimit(.minutes(1)), .tags(.quiet)) struct WaylandSendingTests {
    private static let keyboard: UInt32 = 4711

    /// Sends requests, each with a descriptor of memory whose size is in the request.
    private static func send(_ count: Int, by connection: WaylandConnection) throws {
        for length in 1...count {
            let memory = try #require(SharedText(String(repeating: "x", count: length)))
            connection.send(
                .keymap(format: 1, descriptor: memory.descriptor, size: UInt32(memory.size)), to: keyboard)
        }
    }

    @Test("no request arrives before its descriptor, however many wait") func descriptors() throws {
        let compositor = try SilentCompositor()
        let connection = compositor.connection
        compositor.fill()
        #expect(!connection.isBehind)
        try Self.send(60, by: connection)
        #expect(connection.isBehind)
        compositor.empty()
        try connection.flush()
        #expect(!connection.isBehind)
        let requests = compositor.receive { $0.object == Self.keyboard }
        #expect(requests.count == 60)
        for (message, descriptor) in requests {
            let memory = try #require(descriptor, "the request came before its descriptor")
            defer { close(memory) }
            var status = stat()
            #expect(fstat(memory, &status) == 0)
            // The arguments are the format and the size.
            let size = message.body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            #expect(status.st_size == Int(size))
        }
    }

    @Test("a compositor that answers too late is an error of that call alone") func late() throws {
        let compositor = try SilentCompositor()
        let connection = compositor.connection
        let error = #expect(throws: HelioError.self) {
            try connection.roundTrip(within: .milliseconds(1)) { _ throws(HelioError) in }
        }
        #expect(error?.message.contains("has not answered") == true)
        #expect(!connection.hasFailed)
        let asked = compositor.callbacks()
        let late = try #require(asked.first)
        #expect(asked.count == 1)
        compositor.answer(late)
        // The answer to this call, whose callback has the next number.
        compositor.answer(late + 1)
        var told: [UInt32] = []
        try connection.roundTrip { notice throws(HelioError) in told.append(notice.object) }
        #expect(told == [late, late + 1])
    }

    @Test("too many waiting descriptors end the connection, with the reason") func flood() throws {
        let compositor = try SilentCompositor()
        let connection = compositor.connection
        compositor.fill()
        try Self.send(257, by: connection)
        let error = #expect(throws: HelioError.self) { try connection.flush() }
        #expect(error?.message == "The Wayland compositor at silent does not read this program's requests.")
    }
}
