import DequeModule
import HelioCore
import HelioSession
import HelioSimulation

/// The receiving end of a flow, which shows each picture as soon as it is complete.
final class LabViewer: SimulatedPeer {
    /// The interval of the control channel's pings, which measure the round trip in a real viewer.
    private static let pingInterval = Duration.seconds(1)

    /// The round trip that a ping would measure now.
    var roundTrip: Duration
    private let media: SinkMedia
    private let meter: LabMeter
    private var outbox = Deque<[UInt8]>()
    private var hasBegun = false
    private var nextPing: Instant

    init(_ media: SinkMedia, roundTrip: Duration, meter: LabMeter) {
        self.media = media
        self.roundTrip = roundTrip
        self.meter = meter
        nextPing = meter.start
    }

    func receive(_ datagram: [UInt8], now: Instant) {
        meter.arrived(datagram, now: now)
        media.handle(datagram, now: now)
        drain(now)
    }

    func tick(now: Instant) {
        guard now >= meter.start else { return }
        if now >= nextPing {
            nextPing = now + Self.pingInterval
            media.setRoundTrip(roundTrip)
        }
        if !hasBegun {
            hasBegun = true
            // The first report shows the source the viewer's address.
            media.report(now: now)
        }
        media.tick(now: now)
        drain(now)
    }

    func pollDatagram(now: Instant) -> [UInt8]? { outbox.popFirst() }

    var deadline: Deadline? {
        let ping = Deadline(at: nextPing, why: "ping")
        return hasBegun ? .earliest(media.deadline, ping) : ping
    }

    private func drain(_ now: Instant) {
        while let output = media.poll() {
            switch output {
            case .datagram(let bytes): outbox.append(bytes)
            case .frame(let frame): meter.shown(frame, now: now)
            case .part, .sound, .soundClock, .goodbye, .probe, .askTransport, .checkConnection: break
            }
        }
    }
}
