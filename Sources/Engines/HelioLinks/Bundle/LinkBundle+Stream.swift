internal import DequeModule
import HelioCore
import HelioSCTP

// The stream: messages of at most one packet on one ordered SCTP stream, in sealed frames on the link of media.

extension LinkBundle {
    private static var stream: UInt16 { 0 }
    /// The payload protocol identifier, which has no meaning here.
    private static var protocolID: UInt32 { 0 }
    /// The offset of the first chunk's type in a packet: 0 for DATA, 3 for SACK (RFC 9260 section 3.2).
    private static var chunkOffset: Int { 12 }

    static func streamConfiguration(_ settings: Settings) -> SCTPConfiguration {
        var configuration = SCTPConfiguration()
        configuration.packetSize = settings.streamPacket
        configuration.maximumMessageSize = 64 * 1024
        // Twice the room, for the cost of messages beside their bytes.
        configuration.sendLimit = 2 * settings.streamRoom
        configuration.outstandingLimit = 2 << 20
        configuration.streams = 1
        configuration.initialTimeout = .milliseconds(500)
        configuration.acknowledgementDelay = .milliseconds(50)
        configuration.minimumTimeout = .milliseconds(200)
        configuration.maximumTimeout = .seconds(2)
        // The bundle's probes tell whether the peer is there.
        configuration.heartbeatInterval = .zero
        configuration.maximumRetransmissions = 1000
        configuration.maximumInitiations = 1000
        return configuration
    }

    /// The maximum size of a message, in bytes: one DATA chunk of 16 bytes with the header of 12 in a packet.
    private var pieceSize: Int { (settings.streamPacket - 28) & ~3 }

    // MARK: Sending

    mutating func give(_ bytes: [UInt8]) {
        guard case .open = phase else { return counted.count(.streamEnded) }
        roomTold = max(0, roomTold - bytes.count)
        rest += bytes
        guard rest.count >= pieceSize else { return }
        let all = rest
        var offset = 0
        while all.count - offset >= pieceSize, isRunning {
            queue(Array(all[offset..<offset + pieceSize]))
            offset += pieceSize
        }
        rest = Array(all[offset...])
    }

    /// Queues what is shorter than a packet.
    mutating func flushRest() {
        guard !rest.isEmpty else { return }
        let piece = rest
        rest = []
        queue(piece)
    }

    private mutating func queue(_ piece: [UInt8]) {
        do {
            try association.send(piece, stream: Self.stream, protocolID: Self.protocolID, now: now)
        } catch {
            counted.count(.streamEnded)
            // The peer has begun to end the stream, and reads no more of it.
            if error != .ended { beginTelling(.streamFailed) }
        }
    }

    /// The next packet or event of the stream.
    mutating func pollStream() -> Output? {
        guard let path = streamPath, let index = upIndex(of: path.link) else { return nil }
        if links[index].pacer?.allowsStream() == false { return nil }
        // Short pieces are gathered while others wait, so that the cost of messages is small beside their bytes.
        if association.bufferedAmount(of: Self.stream) == 0 { flushRest() }
        while let output = association.poll() {
            guard case .datagram(let packet) = output else {
                handle(output)
                if let output = outputs.popFirst() { return output }
                guard isRunning else { return nil }
                continue
            }
            guard let frame = sealer.seal(.stream, packet, lane: path.link) else {
                counted.count(.sealFailed)
                continue
            }
            links[index].pacer?.spendOnStream(frame.count)
            links[index].sent += 1
            return .transmit(frame, on: path.link)
        }
        return nil
    }

    /// Tells the driver of room in the stream, in steps, so that not each packet causes an output.
    mutating func pollRoom() -> Output? {
        guard case .open = phase else { return nil }
        let room = max(0, settings.streamRoom - association.bufferedAmount(of: Self.stream) - rest.count)
        guard room - roomTold >= settings.streamRoom / 8 else { return nil }
        roomTold = room
        return .streamRoom(room)
    }

    // MARK: Receiving

    mutating func receiveStream(_ packet: [UInt8]) {
        // A packet of anything but data and acknowledgements may end the stream, which then takes nothing more.
        if packet.count > Self.chunkOffset, packet[Self.chunkOffset] != 0, packet[Self.chunkOffset] != 3 { flushRest() }
        association.handle(.datagram(packet), now: now)
        handleStreamEvents()
    }

    mutating func handleStreamEvents() {
        while isRunning, let output = association.pollEvent() { handle(output) }
    }

    private mutating func handle(_ output: SCTPAssociation.Output) {
        switch output {
        case .message(let message): outputs.append(.stream(message.payload))
        case .connected: emit(.streamConnected)
        case .ended(let why): streamEnded(properly: why == .shutdown)
        case .restarted: streamEnded(properly: false)
        case .datagram, .bufferedAmountLow, .incomingReset, .outgoingReset: break
        }
    }

    // MARK: Path

    /// Moves the stream to the active link, if it has changed or was interrupted. Without one, the stream stands still.
    mutating func followStream() {
        let path = upIndex(of: active.media).map { StreamPath(link: links[$0].id, timesUp: links[$0].timesUp) }
        guard path != streamPath else { return }
        let former = streamPath
        streamPath = path
        guard let path, let index = upIndex(of: path.link) else { return }
        if association.state == .closed {
            if role == .viewer { association.connect(now: now) }
            return
        }
        let old = former.flatMap { upIndex(of: $0.link) }
        let isWorking = old.map { !isLate($0) && former?.link != path.link } ?? false
        association.changePath(isLossy: !isWorking, roundTrip: links[index].roundTrip.smoothed, now: now)
    }
}
