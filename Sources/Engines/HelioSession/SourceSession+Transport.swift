import HelioAdmission
import HelioCore
import HelioMedia
import HelioRTSP
import HelioRemote

/// A viewer's media inside its signalling connection, if UDP does not work.
extension SourceSession {
    /// Switches the media to another transport; the session and its keys stay as they are (RFC 2326 section 10.4).
    func changeTransport(_ request: RTSPRequest, now: Instant) {
        guard let transports = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return respond(.badRequest, to: request)
        }
        guard let media, let transport = transports.lazy.compactMap(Self.transport).first else {
            return respond(.unsupportedTransport, to: request)
        }
        let isChange = transport != media.transport
        let reason = request.headers[TransportReason.headerName].flatMap(TransportReason.init) ?? .chosen
        var reply = TransportHeader("RTP/SAVPF/\(transport.rawValue.uppercased())")
        if transport == .tcp { reply.interleaved = Self.channels }
        // The response precedes the first frame.
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
        media.carry(by: transport, isDegraded: reason.isDegradation, now: now)
        if transport == .tcp { takesFrames = true }
        guard isChange else { return }
        demand(.event(.transport(id, address: address, device: viewer.name, transport, reason)))
    }

    /// Accepts input inside the connection, if UDP carries media but not input.
    func takeControlInside(_ request: RTSPRequest) {
        let transports = request.headers["Transport"].flatMap(TransportHeader.list) ?? []
        guard
            transports.contains(where: {
                $0.transport.uppercased() == StreamOffer.controlTransportInside && $0.interleaved == Self.channels
            })
        else { return respond(.unsupportedTransport, to: request) }
        takesFrames = true
        var reply = TransportHeader(StreamOffer.controlTransportInside)
        reply.interleaved = Self.channels
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    private static let channels = ConnectionChannel.media.rawValue...ConnectionChannel.control.rawValue

    /// The transport that a header names; `nil` if it is not supported.
    private static func transport(_ header: TransportHeader) -> StreamTransport? {
        switch header.transport.uppercased() {
        case "RTP/SAVPF/TCP": header.interleaved == channels ? .tcp : nil
        case "RTP/SAVPF", "RTP/SAVPF/UDP": header.interleaved == nil ? .udp : nil
        default: nil
        }
    }

    /// Handles an interleaved frame: a datagram of this viewer, with the same format as over UDP, or a message of the
    /// transfer channel. A frame on a channel that was not agreed on is dropped and counted.
    func take(_ bytes: [UInt8], _ channel: UInt8, host: any SessionHost, now: Instant) {
        guard state.isWatching, let channel = ConnectionChannel(rawValue: channel) else {
            return host.count(.interleaved)
        }
        if channel == .transfer {
            guard hasTransfer else { return host.count(.interleaved) }
            return demand(.transfer(.received(bytes)))
        }
        guard takesFrames, bytes.count <= ConnectionChannel.largestDatagram else { return host.count(.interleaved) }
        switch channel {
        case .transfer: break
        case .media: media?.handle(bytes, from: nil, now: now, random: &host.random)
        case .control:
            guard bytes.span.bytes.uint32(at: 0) == viewerSSRC.rawValue else { return host.count(.interleaved) }
            demand(.control(.inside(bytes)))
        }
    }

    /// Sends a datagram of the control channel inside the connection, unless the connection is full.
    package func send(control datagram: [UInt8], host: any SessionHost) {
        guard state.isWatching, takesFrames else { return }
        guard !isFull else { return host.count(.unreadControl) }
        demand(.send(ConnectionChannel.control.frame(datagram)))
    }

    /// Passes on the media that are sent inside the connection.
    package func carryMedia() {
        while let frame = media?.pollFrame() { demand(.send(frame)) }
    }
}
