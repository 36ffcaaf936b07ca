import HelioAdmission
import HelioCore
import HelioRendezvousServer
import HelioTLS
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("What a rendezvous server answers by HTTP, and whom it turns away", .timeLimit(.minutes(1)), .tags(.quiet))
struct RequestTests {
    /// A masked WebSocket frame with fewer than 126 bytes.
    private static func frame(_ first: UInt8, _ content: [UInt8], isMasked: Bool = true) -> [UInt8] {
        guard isMasked else { return [first, UInt8(content.count)] + content }
        return [first, 0x80 | UInt8(content.count), 0, 0, 0, 0] + content
    }

    @Test("health and metrics")
    func pages() async throws {
        let service = try await Service()
        let health = try await HTTPClient.ask(HTTPClient.request("/health"), port: service.port)
        #expect(health.status == 200 && health.body == "ok\n")
        let device = try await Device.host(at: service.place())
        let metrics = try await HTTPClient.ask(HTTPClient.request("/metrics"), port: service.port)
        #expect(metrics.status == 200)
        #expect(metrics.head.contains("version=0.0.4"))
        #expect(metrics.body.contains("\nheliograph_rendezvous_websockets 1\n"))
        #expect(metrics.body.contains("# TYPE heliograph_rendezvous_drops_total counter\n"))
        let head = try await HTTPClient.ask(HTTPClient.request("/health", method: "HEAD"), port: service.port)
        #expect(head.status == 200 && head.body.isEmpty)
        await device.stop()
        await service.stop()
    }

    @Test("metrics are not for whom a proxy passes on")
    func metricsByProxy() async throws {
        let service = try await Service()
        let answer = try await HTTPClient.ask(
            HTTPClient.request("/metrics", ["X-Forwarded-For: 192.0.2.1"]), port: service.port)
        #expect(answer.status == 404)
        await service.stop()
    }

    @Test("what is no request for anything here is refused by name")
    func refusals() async throws {
        let service = try await Service { $0.names = ["meet.example.org"] }
        func status(_ text: String) async throws -> Int { try await HTTPClient.ask(text, port: service.port).status }
        #expect(try await status(HTTPClient.request("/")) == 404)
        #expect(try await status(HTTPClient.request("/health", method: "POST")) == 405)
        #expect(try await status(HTTPClient.request("/device")) == 426)
        #expect(try await status("nonsense\r\n\r\n") == 400)
        #expect(try await status(HTTPClient.upgrade(host: "evil.example.org")) == 421)
        let drops = await service.drops()
        for name in ["not-found", "method-not-allowed", "bad-upgrade", "malformed-request", "foreign-host"] {
            #expect(drops[name] == 1, "\(name)")
        }
        await service.stop()
    }

    @Test("a device that sends what is no frame of the protocol is disconnected")
    func badFrames() async throws {
        let service = try await Service { $0.closeTimeout = .milliseconds(100) }
        for bytes in [
            Self.frame(0x81, Array("text".utf8)), Self.frame(0x82, [1], isMasked: false), Self.frame(0xC2, [1]),
            Self.frame(0x83, []), Self.frame(0x82, []), Self.frame(0x82, [0xFF, 1, 2]),
        ] {
            let answer = try await HTTPClient.ask(HTTPClient.upgrade(), then: bytes, port: service.port)
            #expect(answer.status == 101)
        }
        let drops = await service.drops()
        #expect(drops["text-message"] == 1)
        #expect(drops["malformed-frame", default: 0] >= 2)
        try await eventually("all are gone") { await service.service.statistics().connections == 0 }
        await service.stop()
    }

    @Test("a device that answers no ping is disconnected, one that does stays")
    func silent() async throws {
        let service = try await Service { $0.pingInterval = .seconds(1) }
        let device = try await Device.host(at: service.place())
        let answer = try await HTTPClient.ask(HTTPClient.upgrade(), port: service.port)
        #expect(answer.status == 101)
        #expect(await service.drops()["silent"] == 1)
        #expect(await service.service.statistics().devices == 1)
        await device.stop()
        await service.stop()
    }

    @Test("a request that does not come to its end in time ends")
    func slow() async throws {
        let service = try await Service { $0.requestTimeout = .milliseconds(100) }
        let answer = try await HTTPClient.ask("GET /health HTTP/1.1\r\n", port: service.port)
        #expect(answer.status == 0)
        #expect(await service.drops()["slow-request"] == 1)
        await service.stop()
    }

    @Test("connections beyond the limit are closed, and too many WebSockets of one address are told to wait")
    func limits() async throws {
        let full = try await Service { $0.maximumConnections = 1 }
        let device = try await Device.host(at: full.place())
        #expect(try await HTTPClient.ask(HTTPClient.request("/health"), port: full.port).status == 0)
        #expect(await full.drops()["too-many-connections"] == 1)
        await device.stop()
        await full.stop()

        let slow = try await Service {
            $0.strangers = StrangerLimit(arrivals: .init(), begun: .init(burst: 2, refill: 0.001))
            $0.pingInterval = .milliseconds(100)
        }
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await HTTPClient.ask(HTTPClient.upgrade(), port: slow.port).status) }
        #expect(statuses == [101, 101, 429])
        await slow.stop()
    }

    @Test("behind a trusted proxy each device has the address that the proxy reports; others' reports are not believed")
    func proxy() async throws {
        for isTrusted in [true, false] {
            let service = try await Service {
                if isTrusted { $0.proxies = [.v4(0x7F00_0001)] }
                $0.strangers = StrangerLimit(arrivals: .init(), begun: .init(burst: 1, refill: 0.001))
                $0.pingInterval = .milliseconds(100)
            }
            var statuses: [Int] = []
            for number in 1...3 {
                let request = HTTPClient.upgrade(["X-Forwarded-For: 192.0.2.\(number)", "X-Forwarded-Proto: https"])
                statuses.append(try await HTTPClient.ask(request, port: service.port).status)
            }
            #expect(statuses == (isTrusted ? [101, 101, 101] : [101, 429, 429]))
            await service.stop()
        }
    }
}
