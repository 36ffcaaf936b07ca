import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRemote
import HelioSession
import Testing

/// The intervals of either end's round-trip measurements, on which file transfers depend.
@Suite("Measuring the round trip")
struct RoundTripTests {
    private static let asked = Instant.zero + .seconds(2)
    /// Before a host removes a silent viewer.
    private static let end = Instant.zero + .milliseconds(4900)

    /// The intervals in milliseconds between an engine's measurements, after frequent ones were requested.
    ///
    /// - Parameter tick: returns whether it has measured.
    private static func gaps(deadline: () -> Instant?, tick: (Instant) -> Bool, ask: () -> Void) -> [Int64] {
        var times: [Int64] = []
        var isAsked = false
        while let due = deadline(), due < end {
            if due >= asked, !isAsked {
                isAsked = true
                ask()
                continue
            }
            if tick(due), due >= asked { times.append(due.nanoseconds / 1_000_000) }
        }
        return zip(times, times.dropFirst()).map { $1 - $0 }
    }

    private static func viewersGaps(isHeard: Bool) throws -> [Int64] {
        var random = SeededGenerator(seed: 1)
        let terms = ControlTerms(
            viewer: SSRC(7), hostKey: SealedKey(using: &random), viewerKey: SealedKey(using: &random),
            allowsControl: true)
        let viewer = try ViewerControl(terms, crypto: OpenSSLCrypto(), now: .zero)
        // Silence doesn't count on a connection.
        if isHeard { viewer.handle(.insideConnection(true), now: .zero) }
        return gaps(
            deadline: { viewer.deadline?.at },
            tick: { now in
                viewer.tick(now: now)
                var hasPinged = false
                while let output = viewer.poll() {
                    switch output {
                    case .datagram, .inside: hasPinged = true
                    default: break
                    }
                }
                return hasPinged
            },
            ask: { viewer.handle(.measureOften, now: asked) })
    }

    @Test("a viewer pings every 50 ms for the second that it is asked to, and then each second")
    func viewer() throws {
        let gaps = try Self.viewersGaps(isHeard: true)
        #expect(gaps.prefix(19).allSatisfy { $0 == 50 } && gaps.count { $0 == 50 } <= 20, "\(gaps)")
        #expect(gaps.last == 1000, "\(gaps)")
    }

    @Test("one that hears nothing does not: what it asks then tells whether there is a path at all")
    func doubtful() throws {
        let gaps = try Self.viewersGaps(isHeard: false)
        #expect(gaps.count >= 8 && gaps.allSatisfy { $0 == 250 }, "\(gaps)")
    }

    @Test("a host reports every 50 ms for that second, as each report is answered, and then each second")
    func host() throws {
        let source = try FirstReportTests.playingEnds().source
        let gaps = Self.gaps(
            deadline: { source.deadline?.at },
            tick: { now in
                source.tick(now: now)
                var hasReported = false
                // The first packet's type is not encrypted: 200 is a sender report (RFC 3711 section 3.4).
                while let packet = source.pollDatagram() { hasReported = hasReported || packet.bytes[1] == 200 }
                return hasReported
            },
            ask: { source.measureOften(now: Self.asked) })
        #expect(gaps.prefix(19).allSatisfy { $0 == 50 } && gaps.count { $0 == 50 } <= 20, "\(gaps)")
        #expect(gaps.last == 1000, "\(gaps)")
    }
}
