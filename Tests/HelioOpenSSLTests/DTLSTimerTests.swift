import HelioCore
import HelioProtection
import HelioTestLanes
import Testing

@testable import HelioOpenSSL

@Suite("A DTLS timer that is OpenSSL's own", .tags(.quiet))
struct DTLSTimerTests {
    /// Uses the timer of OpenSSL 3.2 and newer, which can't run on virtual time: the test waits in real time.
    @Test("what is lost is sent again", .timeLimit(.minutes(1)))
    func followed() async throws {
        func make(_ role: DTLSRole) throws -> OpenSSLDTLSTransport {
            var configuration = DTLSConfiguration(role: role, expected: [DTLSEnd.provider.fingerprint])
            configuration.retransmission.first = .milliseconds(40)
            return try OpenSSLDTLSTransport(DTLSEnd.provider, configuration, timer: .followed, now: .zero)
        }
        let (client, server) = (try make(.client), try make(.server))
        let clock = ContinuousClock()
        let start = clock.now
        var now: Instant { .zero + (clock.now - start) }
        var connected = 0
        var lost = 0
        func carry(_ from: OpenSSLDTLSTransport, _ to: OpenSSLDTLSTransport) {
            var sent = 0
            while let output = from.poll() {
                switch output {
                case .datagram(let bytes):
                    sent += 1
                    // Loses the first flight of each end.
                    if lost < 1 || (lost == 1 && from === server) { lost += 1 } else { to.handle(bytes, now: now) }
                case .connected: connected += 1
                default: Issue.record("\(output)")
                }
            }
        }
        while connected < 2 {
            try #require(now < .zero + .seconds(20), "both ends still shake hands, and \(lost) flights were lost")
            carry(client, server)
            carry(server, client)
            carry(client, server)
            guard connected < 2, let next = Deadline.earliest(client.deadline, server.deadline) else { continue }
            try await Task.sleep(for: next.at - now)
            client.tick(now: now)
            server.tick(now: now)
        }
        #expect(lost == 2 && now >= .zero + .milliseconds(60))
    }

    @Test("has the schedule's intervals")
    func intervals() {
        let schedule = DTLSRetransmission.Schedule()
        var last: UInt32 = 0
        var all: [UInt32] = []
        for _ in 0..<7 {
            last = OpenSSLTimer.followed.interval(after: last, schedule)
            all.append(last / 1000)
        }
        #expect(all == [200, 400, 800, 1600, 3200, 4000, 4000])
    }
}
