import HelioAdmission
import HelioCore
import HelioHost
import HelioProtection
import HelioRemote
import HelioSession
import HelioTransferWire

/// Fuzzes a host and a viewer with a man in the middle who sends arbitrary bytes.
///
/// The first byte, modulo 4, selects the use of the rest: 0 for signalling to the host from a new connection, 1 for
/// signalling to the viewer, 2 for datagrams and interleaved frames to the host during a session, 3 for the same to the
/// viewer. The rest is a sequence of chunks, each with a length byte.
package enum SessionFuzz {
    private static let stranger = ConnectionID(2)
    private static let viewer = ConnectionID(1)
    private static let clipboard = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 1000)

    /// Runs the ends with any bytes. Traps if junk is admitted, injected, answered or shown, or ends a running session.
    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        var settings = SourceHost.Settings(
            format: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)), allowsControl: true)
        settings.clipboard = clipboard
        let host = SourceHost(
            settings, fingerprint: Array(repeating: 1, count: 32), crypto: ToyCrypto(),
            random: SeededGenerator(seed: 1),
            now: .zero)
        host.setPorts(media: 1, control: 2)
        switch mode % 4 {
        case 0: signalToHost(host, rest)
        case 1: signalToViewer(host, rest)
        case 2: junkToHost(host, rest)
        default: junkToViewer(host, rest)
        }
    }

    private static func signalToHost(_ host: SourceHost, _ bytes: [UInt8]) {
        host.handle(.connected(stranger, address: "stranger"), now: .zero)
        for piece in pieces(bytes) { host.handle(.received(stranger, piece), now: .zero) }
        while let output = host.poll() {
            if case .event(.joined) = output { preconditionFailure("a stranger joined") }
        }
        host.tick(now: .zero + .seconds(30))
        precondition(!host.knows(stranger), "a stranger stayed")
    }

    private static func signalToViewer(_ host: SourceHost, _ bytes: [UInt8]) {
        let sink = makeSink(host)
        sink.handle(.connected, now: .zero)
        for piece in pieces(bytes) { sink.handle(.received(piece), now: .zero) }
        while let output = sink.poll() {
            if case .event(.playing) = output { preconditionFailure("the viewer believed a stranger") }
        }
    }

    private static func junkToHost(_ host: SourceHost, _ bytes: [UInt8]) {
        guard let terms = join(host, makeSink(host, .tcp)) else { preconditionFailure("the session must begin") }
        let control = HostControl(screen: PixelSize(width: 64, height: 64), crypto: ToyCrypto())
        let place = PathID(.v4(0x0A00_0002), port: 9)
        control.handle(.open(terms, from: place.ip), now: .zero)
        for piece in pieces(bytes) {
            host.handle(.media(piece, from: place), now: .zero)
            control.handle(.datagram(piece, from: place), now: .zero)
            host.handle(.received(viewer, frame(piece)), now: .zero)
        }
        while let output = host.poll() {
            if case .control(let input) = output { control.handle(input, now: .zero) }
            if case .event(.left) = output { preconditionFailure("junk ended a session") }
        }
        while let output = control.poll() {
            if case .inject = output { preconditionFailure("junk was injected") }
        }
    }

    private static func junkToViewer(_ host: SourceHost, _ bytes: [UInt8]) {
        let sink = makeSink(host, .tcp)
        guard let terms = join(host, sink), let control = try? ViewerControl(terms, crypto: ToyCrypto(), now: .zero)
        else { preconditionFailure("the session must begin") }
        for piece in pieces(bytes) {
            sink.handle(.media(piece), now: .zero)
            control.handle(.datagram(piece), now: .zero)
            sink.handle(.received(frame(piece)), now: .zero)
        }
        while let output = control.poll() {
            if case .datagram = output { preconditionFailure("junk was answered") }
        }
        while let output = sink.poll() {
            switch output {
            case .event(.ended): preconditionFailure("junk ended a session")
            case .event(.frame): preconditionFailure("junk was shown")
            default: break
            }
        }
    }

    /// Returns an interleaved frame, on the channel that the first byte selects, 0 to 2.
    private static func frame(_ piece: [UInt8]) -> [UInt8] {
        let channel = (piece.first ?? 0) % 3
        return [UInt8(ascii: "$"), channel, UInt8(piece.count >> 8), UInt8(piece.count & 0xFF)] + piece
    }

    private static func makeSink(_ host: SourceHost, _ transport: TransportPolicy = .automatic) -> SinkSession {
        var settings = SinkSession.Settings(transport: transport)
        settings.clipboard = clipboard
        return SinkSession(
            settings,
            link: ShareLink(host: "h", port: 1, fingerprint: nil, secret: host.linkSecret.bytes),
            certificateFingerprint: Array(repeating: 1, count: 32), crypto: ToyCrypto(),
            random: SeededGenerator(seed: 2), now: .zero)
    }

    /// Runs both ends until the viewer plays; returns the agreed control terms.
    private static func join(_ host: SourceHost, _ sink: SinkSession) -> ControlTerms? {
        host.handle(.connected(viewer, address: "viewer"), now: .zero)
        sink.handle(.connected, now: .zero)
        var agreed: ControlTerms?
        var isBusy = true
        while isBusy {
            isBusy = false
            while let output = sink.poll() {
                isBusy = true
                switch output {
                case .send(let bytes): host.handle(.received(viewer, bytes), now: .zero)
                case .openPath: sink.handle(.pathOpen, now: .zero)
                case .event(.playing(_, let terms, _)): agreed = terms
                default: break
                }
            }
            while let output = host.poll() {
                isBusy = true
                if case .send(_, let bytes) = output { sink.handle(.received(bytes), now: .zero) }
            }
        }
        return agreed
    }

    /// Splits bytes into chunks, each preceded by a byte with a quarter of its length.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + Int(bytes[start]) * 4)
            pieces.append(Array(bytes[start + 1..<end]))
            start = end
        }
        return pieces
    }
}
