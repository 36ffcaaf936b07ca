import COpenSSL
import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import HelioTestLanes
import Testing

@Suite("What DTLS leaves behind", .tags(.quiet))
struct DTLSMemoryTests {
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
    }

    private static func handshakes(_ count: Int) throws {
        for round in 0..<count {
            let provider = round % 10 == 0 ? DTLSEnd.makeProvider() : DTLSEnd.provider
            let world = DTLSWorld(
                try DTLSEnd(.client, expects: [provider.fingerprint]), try DTLSEnd(.server, provider: provider))
            try world.settle()
            // Some associations end with a goodbye, some in mid-handshake, some with a stranger's certificate.
            if round % 3 == 0 { world.a.transport.close() }
            try world.settle()
            _ = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
        }
    }

    @Test("a transport goes with its last reference")
    func references() throws {
        weak var client: (any DTLSTransport)?
        weak var server: (any DTLSTransport)?
        do {
            let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
            try world.settle()
            #expect(world.isConnected)
            (client, server) = (world.a.transport, world.b.transport)
            #expect(client != nil && server != nil)
        }
        #expect(client == nil && server == nil)
    }

    @Test("no error waits in OpenSSL's queue for the thread's next user")
    func errors() throws {
        for expected in [DTLSEnd.provider, DTLSEnd.otherProvider] {
            for message in [[1], [99, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0], [13, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]]
                as [[UInt8]]
            {
                let world = DTLSWorld(try DTLSEnd(.client, expects: [expected.fingerprint]), try DTLSEnd(.server))
                world.b.transport.handle(DTLSHostileTests.record(22, message), now: .zero)
                #expect(ERR_peek_error() == 0)
                try world.settle()
                world.a.transport.close()
                #expect(ERR_peek_error() == 0)
            }
        }
    }

    @Test("one identity serves many threads")
    func threads() async throws {
        let stood = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var count = 0
                    for seed in 0..<20 as Range<UInt64> {
                        let world = DTLSWorld(
                            try DTLSEnd(.client, hellos: 3), try DTLSEnd(.server, hellos: 3), .lossy5,
                            seed: seed + UInt64(task) * 100)
                        try world.run(for: .seconds(20))
                        if world.isConnected { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stood == 160)
    }

    /// Other tests allocate memory too: among several rounds, one must show no significant growth. A handshake uses
    /// about 70 KiB per end; the smallest possible leak is a certificate of 2 KiB.
    @Test("handshakes leave nothing")
    func growth() throws {
        try Self.handshakes(50)
        var least = Int.max
        for _ in 0..<10 {
            let before = try Self.residentBytes()
            try Self.handshakes(100)
            least = min(least, try Self.residentBytes() - before)
            if least < 64 << 10 { return }
        }
        Issue.record("each round of 100 handshakes leaves \(least) bytes or more")
    }
}
