import Foundation
import HelioCore
import HelioSignaling
import HelioStores
import HelioTLS
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("What strangers may begin and be sent at the page's port", .timeLimit(.minutes(1)), .tags(.quiet))
struct StrangerLimitTests {
    @Test(
        "more TLS handshakes than an address may begin are closed before they cost anything", arguments: [true, false])
    func handshakes(servesHTTP: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try Identity.loadOrCreate(in: folder)
        let host = try await EchoHost {
            $0.identity = identity
            $0.servesHTTP = servesHTTP
        }
        let context = try TLSClientContext()
        var served = 0
        for _ in 0..<60 {
            guard let client = try? await RawClient(port: host.port, tls: context) else { continue }
            if (try? await client.ask("GET", "/main.js")) != nil { served += 1 }
        }
        // A burst of 32, and 8 a second for the duration of the loop.
        #expect((32..<60).contains(served))
        #expect(await host.drops()["too-fast", default: 0] == 60 - served)
        await host.service.stop()
    }

    @Test("2,000 connections of one address: few handshakes are done for them, and another address is served meanwhile")
    func manyConnections() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try Identity.loadOrCreate(in: folder)
        let host = try await EchoHost {
            $0.identity = identity
            $0.servesHTTP = true
        }
        let context = try TLSClientContext()
        let begun = ContinuousClock.now
        let flood = Task {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var served = 0
                        for _ in 0..<500 {
                            guard let client = try? await RawClient(port: host.port, tls: context) else { continue }
                            if (try? await client.ask("GET", "/main.js")) != nil { served += 1 }
                            await client.close()
                        }
                        return served
                    }
                }
                return await group.reduce(0, +)
            }
        }
        try await eventually("connections are closed as they come") {
            await host.drops()["too-often", default: 0] > 0
        }
        // The other address connects as a browser does: several connections for the page and its parts, and a
        // WebSocket.
        for _ in 0..<3 {
            let client = try await RawClient(port: host.port, from: "127.0.0.2", tls: context)
            for path in ["/", "/main.js"] { #expect(try await client.ask("GET", path).status == 200) }
        }
        let talker = try await RawClient(port: host.port, from: "127.0.0.2")
        try await talker.upgrade()
        try await talker.send(Frame.text("here"))
        #expect(try await talker.frame().string == "here")
        let served = await flood.value
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let drops = await host.drops()
        // A burst of 32, and 8 a second; each of the others was closed and counted.
        #expect(Double(served) <= 33 + 8 * seconds)
        #expect(drops["too-often", default: 0] + drops["too-fast", default: 0] == 2000 - served, "\(drops)")
        await host.service.stop()
    }

    @Test("a proxy that is trusted may connect as often as it has clients")
    func proxy() async throws {
        let host = try await EchoHost { $0.proxies = [.v4(0x7F00_0001)] }
        for _ in 0..<150 {
            let client = try await host.client()
            #expect(try await client.ask("GET", "/main.js").status == 200)
            await client.close()
        }
        #expect(await host.drops().isEmpty)
        await host.service.stop()
    }

    @Test("more WebSockets than an address may begin are refused, and say so")
    func webSockets() async throws {
        let host = try await EchoHost()
        var opened = 0
        var refused: [HTTPAnswer] = []
        for _ in 0..<60 {
            let client = try await host.client()
            try await client.send(RawClient.upgrade())
            let answer = try await client.answer()
            if answer.status == 101 { opened += 1 } else { refused.append(answer) }
        }
        #expect((32..<60).contains(opened))
        #expect(refused.allSatisfy { $0.status == 429 && $0.headers["retry-after"] == "5" })
        #expect(await host.drops() == ["too-fast": refused.count])
        await host.service.stop()
    }

    @Test("pages are sent up to a bound, and a stranger who asks on gets a few bytes")
    func pages() async throws {
        let host = try await EchoHost()
        var bytes = 0
        var statuses: [Int] = []
        while statuses.last != 429 {
            let client = try await host.client()
            for _ in 0..<8 where statuses.last != 429 {
                let answer = try await client.ask("GET", "/parts/large.bin")
                statuses.append(answer.status)
                bytes += answer.content.count
            }
            try #require(statuses.count < 2000)
        }
        // 16 MiB, one more response, and 1 MiB for each second that the test takes.
        #expect((16 << 20...40 << 20).contains(bytes))
        #expect(await host.drops() == ["too-much-asked": 1])
        await host.service.stop()
    }
}
