package import HelioCore
import HelioProtection
package import HelioSCTP

// Data channels (RFC 8831): SCTP over DTLS.

extension PeerEngine {
    /// The upper limit of SCTP's retransmission timeout (RTO.Max).
    private static let longestDataTimeout = Duration.seconds(4)

    /// Opens a channel; `channelOpened` follows once it is open. Without a negotiated data channel section, requests
    /// such a section, and `negotiationNeeded` follows.
    ///
    /// - Parameter number: the stream number of a channel that the app negotiated itself (RFC 8831 section 6.5), for
    ///   which no open message is sent; `nil` otherwise.
    package func openChannel(
        _ description: DataChannelDescription, number: UInt16? = nil, now: Instant
    ) throws(DataChannelError) -> PeerChannelID {
        advance(to: now)
        guard state != .closed, failure == nil, !hasDataEnded, configuration.takesDataChannels else { throw .ended }
        guard description.label.utf8.count <= 65535, description.subprotocol.utf8.count <= 65535 else {
            throw .textTooLong
        }
        let waiting = WaitingChannel(
            name: PeerChannelID(rawValue: nextChannel), description: description, number: number.map(DataChannelID.init)
        )
        if let channels {
            try open(waiting, in: channels)
            if channels.isConnected { emit(.channelOpened(waiting.name, description, isByPeer: false)) }
        } else {
            guard waitingChannels.count < configuration.dataChannels.maximumChannels else { throw .tooManyChannels }
            waitingChannels.append(waiting)
            negotiation.openData()
        }
        nextChannel += 1
        settle()
        return waiting.name
    }

    /// Requests a data channel section without opening a channel: a connection that carries plain datagrams alone has
    /// to negotiate a section, too. `negotiationNeeded` follows unless there is such a section.
    package func openData(now: Instant) throws(DataChannelError) {
        advance(to: now)
        guard state != .closed, failure == nil, !hasDataEnded, configuration.takesDataChannels else { throw .ended }
        negotiation.openData()
        settle()
    }

    /// Sends a message. Throws `bufferFull` if the send buffer lacks space; `bufferedAmountLow` then reports when to
    /// retry.
    package func send(
        _ message: DataChannelMessage, on channel: PeerChannelID, now: Instant
    ) throws(DataChannelError) {
        advance(to: now)
        guard let channels, channels.isConnected, let number = channels.numbers[channel] else { throw .notOpen }
        try channels.engine.send(message, on: number, now: now)
        statistics.messagesSent += 1
    }

    /// Closes a channel in both directions. Queued messages are still sent; messages received from now on are dropped.
    package func closeChannel(_ channel: PeerChannelID, now: Instant) {
        advance(to: now)
        if let index = waitingChannels.firstIndex(where: { $0.name == channel }) {
            waitingChannels.remove(at: index)
            emit(.channelClosed(channel))
        } else if let channels, let number = channels.numbers[channel] {
            channels.engine.close(number, now: now)
        }
    }

    /// Pauses or resumes the delivery of messages, for an app that can't keep up. Undelivered messages fill the receive
    /// window, so that the peer stops sending.
    package func holdMessages(_ holds: Bool, now: Instant) {
        advance(to: now)
        channels?.engine.holdMessages(holds, now: now)
    }

    /// The maximum size of a sent data channel message in bytes, limited by both ends; 0 without data channels.
    package var longestMessage: Int { channels?.engine.longestMessage ?? 0 }

    /// The number of bytes queued on the channel that were not sent in any packet yet.
    package func bufferedAmount(of channel: PeerChannelID) -> Int {
        guard let channels, let number = channels.numbers[channel] else { return 0 }
        return channels.engine.bufferedAmount(of: number)
    }

    package func setBufferedAmountLowThreshold(_ bytes: Int, of channel: PeerChannelID) {
        guard let channels, let number = channels.numbers[channel] else { return }
        channels.engine.setBufferedAmountLowThreshold(bytes, of: number)
    }

    /// The last measured round-trip time of the SCTP association; `nil` before the first measurement.
    package var channelRoundTrip: MeasuredRoundTrip? { channels?.engine.roundTrip }

    // MARK: Association

    /// Makes the SCTP association. The DTLS roles have to be known, as they decide which end assigns even stream
    /// numbers.
    func beginChannels(_ agreement: Agreement) {
        guard let data = agreement.data, let transport = agreement.transport else {
            // The peer refuses data channels.
            if channels == nil { closeWaiting() }
            return
        }
        guard channels == nil, !hasDataEnded else { return }
        var terms = configuration.dataChannels
        terms.association.localPort = data.localPort
        terms.association.remotePort = data.remotePort
        // Leave space for the DTLS record overhead, and round down to a multiple of 4, as SCTP pads chunks.
        terms.association.packetSize = (configuration.largestDatagram - DTLSRecord.mostOverhead) & ~3
        // ICE detects a lost peer, so SCTP never gives up by itself. The maximum timeout is short: a long timeout would
        // delay data after an ICE restart.
        terms.association.maximumRetransmissions = .max
        terms.association.maximumInitiations = .max
        terms.association.maximumTimeout = min(terms.association.maximumTimeout, Self.longestDataTimeout)
        terms.peerMaximumMessageSize = data.maximumSentMessageSize.map { Int(clamping: $0) } ?? 0
        guard
            let engine = try? DataChannels(
                role: transport.role == .client ? .client : .server, terms, crypto: crypto, using: &random, now: now)
        else { return fail(.noProtection) }
        let made = ChannelTransport(engine)
        channels = made
        for waiting in waitingChannels {
            do {
                try open(waiting, in: made)
            } catch {
                emit(.channelClosed(waiting.name))
            }
        }
        waitingChannels = []
        if dtlsSession != nil { connectChannels() }
    }

    private func open(_ waiting: WaitingChannel, in channels: ChannelTransport) throws(DataChannelError) {
        if let number = waiting.number {
            try channels.engine.openNegotiated(number, waiting.description)
            channels.bind(waiting.name, number)
        } else {
            channels.bind(waiting.name, try channels.engine.open(waiting.description, now: now))
        }
    }

    func connectChannels() { channels?.engine.connect(now: now) }

    private func closeWaiting() {
        for waiting in waitingChannels { emit(.channelClosed(waiting.name)) }
        waitingChannels = []
    }

    /// Ends the association, and reports the end of every channel.
    func endChannels() {
        closeWaiting()
        guard let channels else { return }
        // Deliver the messages held back by `holdMessages`, as they were received before the end.
        channels.engine.holdMessages(false, now: now)
        while let output = channels.engine.poll() {
            if case .message(let number, let message) = output { handle(message, on: number, of: channels) }
        }
        for name in channels.numbers.keys.sorted() { emit(.channelClosed(name)) }
        self.channels = nil
        hasDataEnded = true
    }

    // MARK: Packets and events

    func receiveData(_ bytes: [UInt8]) {
        guard let channels else { return drops.count(.dataNotWanted) }
        channels.engine.handle(.datagram(bytes), now: now)
    }

    /// Processes one output of the data channels: sends a packet over DTLS, or reports an event. Returns false if there
    /// is no output.
    func flowChannels() -> Bool {
        guard let channels, dtlsSession != nil || state == .closed, let output = channels.engine.poll() else {
            return false
        }
        switch output {
        case .datagram(let bytes): sendData(bytes)
        case .connected:
            channels.isConnected = true
            for (number, name) in channels.names.sorted(by: { $0.value < $1.value }) {
                if let description = channels.engine.description(of: number) {
                    emit(.channelOpened(name, description, isByPeer: false))
                }
            }
        case .opened(let number, let description):
            let name = PeerChannelID(rawValue: nextChannel)
            nextChannel += 1
            channels.bind(name, number)
            emit(.channelOpened(name, description, isByPeer: true))
        case .message(let number, let message): handle(message, on: number, of: channels)
        case .bufferedAmountLow(let number):
            if let name = channels.names[number] { emit(.bufferedAmountLow(name)) }
        case .closed(let number):
            if let name = channels.unbind(number) { emit(.channelClosed(name)) }
        case .ended: endChannels()
        }
        return true
    }

    private func handle(_ message: DataChannelMessage, on number: DataChannelID, of channels: ChannelTransport) {
        statistics.messagesReceived += 1
        if let name = channels.names[number] { emit(.message(name, message)) }
    }

    private func sendData(_ bytes: [UInt8]) {
        do {
            try dtls?.send(bytes)
        } catch {
            return drops.count(.protectionFailed)
        }
        // Poll after each datagram, so that DTLS never queues more than one.
        pollDTLS()
    }
}
