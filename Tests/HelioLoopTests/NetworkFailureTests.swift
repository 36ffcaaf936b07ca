import Foundation
import HelioLoop
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Testing

/// Messages for real network failures contain no type or function names, and no error numbers.
@Suite("Words for network failures", .timeLimit(.minutes(1)), .tags(.quiet))
struct NetworkFailureTests {
    private static func connect(_ host: String, _ port: Int) async -> (any Error)? {
        let group = MultiThreadedEventLoopGroup.singleton
        do {
            try await ClientBootstrap(group: group).connect(host: host, port: port).get().close()
            return nil
        } catch {
            return error
        }
    }

    @Test("a port where nobody listens, a name that nobody has")
    func connecting() async throws {
        let port = Int(try #require(LoopbackPort.find()))
        let attempt = await Self.connect("127.0.0.1", port)
        let refused = try #require(attempt)
        #expect(NetworkFailure.words(refused) == "nothing listens there")
        #expect(!NetworkFailure.isUnknownName(refused))
        let lookup = await Self.connect("nosuchhost.invalid", port)
        let unknown = try #require(lookup)
        #expect(NetworkFailure.words(unknown) == "there is no machine of that name")
        #expect(NetworkFailure.isUnknownName(unknown))
    }

    @Test("a network that this machine does not have is told from a host that does not answer")
    func withoutNetwork() async throws {
        for code in [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL] {
            #expect(NetworkFailure.isWithoutNetwork(IOError(errnoCode: code, reason: "connect")))
        }
        for code in [EHOSTUNREACH, ETIMEDOUT, ECONNREFUSED] {
            #expect(!NetworkFailure.isWithoutNetwork(IOError(errnoCode: code, reason: "connect")))
        }
        for host in ["127.0.0.1", "nosuchhost.invalid"] {
            let attempt = await Self.connect(host, Int(try #require(LoopbackPort.find())))
            #expect(!NetworkFailure.isWithoutNetwork(try #require(attempt)))
        }
    }

    @Test("a port that another has, an address that this machine does not have")
    func listening() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let first = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(first.localAddress?.port)
        await #expect {
            try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: port).get()
        } throws: { error in
            NetworkFailure.isTaken(error) && NetworkFailure.words(error) == "another program has it"
        }
        await #expect {
            try await ServerBootstrap(group: group).bind(host: "192.0.2.1", port: 0).get()
        } throws: { error in
            !NetworkFailure.isTaken(error) && NetworkFailure.words(error) == "this machine does not have that address"
        }
        try await first.close()
    }

    @Test("a file that can't be written, as Foundation tells it")
    func files() {
        #expect {
            try Data().write(to: URL(fileURLWithPath: "/nonexistent/file"))
        } throws: { error in
            let words = NetworkFailure.words(error)
            return !words.contains("Error") && !words.contains("Code=") && words.first?.isLowercase == true
        }
    }
}
