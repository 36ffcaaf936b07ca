internal import DequeModule
package import HelioCore
package import HelioProtection

/// The data channels of one connection (RFC 8831, RFC 8832), with their SCTP association.
///
/// Channels can be opened, and messages queued, before the association is open. A channel is closed once both
/// directions of its stream have been reset; its stream number is then reused.
package struct DataChannels: ~Copyable, Engine {
    /// The DTLS role, which decides the stream numbers that an end may assign (RFC 8832 section 6).
    package enum Role: Hashable, Sendable {
        /// Assigns even stream numbers.
        case client
        /// Assigns odd stream numbers.
        case server
    }

    package enum Input: Sendable {
        case datagram([UInt8])
    }

    package enum Output: Sendable, Hashable {
        case datagram([UInt8])
        /// The association is open.
        case connected
        /// The peer has opened a channel.
        case opened(DataChannelID, DataChannelDescription)
        case message(DataChannelID, DataChannelMessage)
        /// The channel's buffered amount has fallen to its threshold, or there is space again for a message that was
        /// refused with `bufferFull`.
        case bufferedAmountLow(DataChannelID)
        case closed(DataChannelID)
        /// The association has ended; `closed` was reported for every channel before.
        case ended(SCTPEnd)
    }

    /// The payload protocol identifier of the Data Channel Establishment Protocol (RFC 8832).
    private static let establishmentProtocol: UInt32 = 50

    package let role: Role
    package private(set) var drops = DropCounter<DataChannelDrop>()
    private let configuration: DataChannelConfiguration
    private var association: SCTPAssociation
    private var channels: [DataChannelID: DataChannel] = [:]
    /// The stream numbers that can't be reused, as the peer has not performed their reset.
    private var lostNumbers: Set<DataChannelID> = []
    /// The streams of refused OPENs while they are being reset.
    private var refused: Set<DataChannelID> = []
    private var nextNumber: UInt16
    private var outputs = Deque<Output>()

    /// - Parameter generator: a secure generator; tests may pass a seeded one.
    package init(
        role: Role, _ configuration: DataChannelConfiguration, crypto: any CryptoProvider,
        using generator: inout some RandomNumberGenerator, now: Instant
    ) throws(CryptoError) {
        self.role = role
        self.configuration = configuration
        nextNumber = role == .client ? 0 : 1
        association = try SCTPAssociation(configuration.association, crypto: crypto, using: &generator, now: now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .datagram(let bytes): association.handle(.datagram(bytes), now: now)
        }
        handleEvents()
    }

    package mutating func tick(now: Instant) {
        association.tick(now: now)
        handleEvents()
    }

    package mutating func poll() -> Output? {
        if let output = outputs.popFirst() { return output }
        while let output = association.poll() {
            if case .datagram(let bytes) = output { return .datagram(bytes) }
            handle(output)
            if let output = outputs.popFirst() { return output }
        }
        return nil
    }

    package var deadline: Deadline? { association.deadline }

    // MARK: - Owner's interface

    /// Starts the SCTP handshake; either end or both may do so.
    package mutating func connect(now: Instant) { association.connect(now: now) }

    /// Opens a channel with a free stream number, and queues an OPEN message to the peer.
    package mutating func open(
        _ description: DataChannelDescription, now: Instant
    ) throws(DataChannelError)
        -> DataChannelID
    {
        guard association.takesMessages else { throw .ended }
        guard channels.count < configuration.maximumChannels else { throw .tooManyChannels }
        guard description.label.utf8.count <= 65535, description.subprotocol.utf8.count <= 65535 else {
            throw .textTooLong
        }
        guard let id = freeNumber() else { throw .tooManyChannels }
        try send(
            ChannelProtocolMessage.open(description).serialised(), id, protocolID: Self.establishmentProtocol, now: now)
        channels[id] = DataChannel(description: description, isNegotiated: false, isConfirmed: false)
        nextNumber = id.stream &+ 2
        return id
    }

    /// Opens a channel that the apps negotiated themselves; the peer has to open it with the same stream number.
    package mutating func openNegotiated(
        _ id: DataChannelID, _ description: DataChannelDescription
    )
        throws(DataChannelError)
    {
        guard association.takesMessages else { throw .ended }
        guard isFree(id), id.stream < association.outgoingStreams else { throw .badNumber }
        guard channels.count < configuration.maximumChannels else { throw .tooManyChannels }
        channels[id] = DataChannel(description: description, isNegotiated: true, isConfirmed: true)
    }

    /// Queues a message. Throws `bufferFull` if the queue of the channel or the association is full;
    /// `bufferedAmountLow` then reports when to retry.
    package mutating func send(
        _ message: DataChannelMessage, on id: DataChannelID, now: Instant
    )
        throws(DataChannelError)
    {
        guard association.takesMessages else { throw .ended }
        guard let channel = channels[id], !channel.isClosing else { throw .notOpen }
        let limit = configuration.peerMaximumMessageSize
        guard limit == 0 || message.bytes.count <= limit else { throw .messageTooLong }
        let (protocolID, payload) = message.wire
        try send(
            payload, id, protocolID: protocolID,
            isOrdered: channel.description.isOrdered || !channel.isConfirmed,
            reliability: channel.description.reliability, now: now)
    }

    /// Closes a channel in both directions. Queued messages are still sent; messages received from now on are dropped.
    package mutating func close(_ id: DataChannelID, now: Instant) {
        close(id, discarding: false, now)
    }

    /// Ends the association once all queued messages have been acknowledged; before the handshake has completed, at
    /// once, and queued messages are lost.
    package mutating func shutdown(now: Instant) {
        association.shutdown(now: now)
        handleEvents()
    }

    /// Ends the association at once with an ABORT. Unacknowledged messages may be lost.
    package mutating func abort(now: Instant) {
        association.abort(now: now)
        handleEvents()
    }

    /// The number of queued bytes of the channel that were not sent in any packet yet.
    package func bufferedAmount(of id: DataChannelID) -> Int { association.bufferedAmount(of: id.stream) }

    /// The association's last measured round-trip time; `nil` before the first measurement.
    package var roundTrip: MeasuredRoundTrip? { association.roundTrip }

    package mutating func setBufferedAmountLowThreshold(_ bytes: Int, of id: DataChannelID) {
        association.setLowThreshold(bytes, of: id.stream)
    }

    /// Pauses or resumes the delivery of messages, for an owner that can't keep up. Undelivered messages fill the
    /// receive window, so that the peer stops sending. They are delivered before the end of their channel is reported.
    package mutating func holdMessages(_ holds: Bool, now: Instant) {
        association.holdMessages(holds, now: now)
        handleEvents()
    }

    /// The maximum size of a sent message in bytes, limited by the peer and by this end's send buffer.
    package var longestMessage: Int {
        let most = configuration.association.sendLimit - SendQueue.overhead
        let limit = configuration.peerMaximumMessageSize
        return limit == 0 ? most : min(limit, most)
    }

    /// The description of a channel; `nil` if there is no such channel.
    package func description(of id: DataChannelID) -> DataChannelDescription? { channels[id]?.description }

    /// All channels, including those that are being closed.
    package var openChannels: [DataChannelID] { channels.keys.sorted() }
    package var associationState: SCTPAssociation.State { association.state }
    package var associationDrops: DropCounter<SCTPDrop> { association.drops }
    /// True if no data is queued or unacknowledged.
    package var isIdle: Bool { association.isIdle }

    // MARK: - Numbers

    private func isFree(_ id: DataChannelID) -> Bool {
        id.stream != .max && channels[id] == nil && !lostNumbers.contains(id) && !refused.contains(id)
    }

    /// Returns the next free stream number after the last assigned one, wrapping around; `nil` if all are in use.
    private mutating func freeNumber() -> DataChannelID? {
        let parity: UInt16 = role == .client ? 0 : 1
        let limit = association.outgoingStreams
        for _ in 0...lostNumbers.count + channels.count + refused.count + 1 {
            if nextNumber >= limit { nextNumber = parity }
            let id = DataChannelID(nextNumber)
            if isFree(id), id.stream < limit { return id }
            nextNumber = nextNumber &+ 2
        }
        return nil
    }

    // MARK: - Closing

    private mutating func close(_ id: DataChannelID, discarding: Bool, _ now: Instant) {
        guard let channel = channels[id], !channel.isClosing else { return }
        channels[id]?.isClosing = true
        association.reset(id.stream, discarding: discarding, now: now)
    }

    private mutating func finishClosing(_ id: DataChannelID) {
        guard let channel = channels[id], channel.isIncomingReset, channel.isOutgoingReset else { return }
        channels[id] = nil
        outputs.append(.closed(id))
    }

    // MARK: - Events of the association

    private mutating func handleEvents() {
        while let event = association.pollEvent() { handle(event) }
    }

    private mutating func handle(_ event: SCTPAssociation.Output) {
        switch event {
        case .datagram: break
        case .connected: connected()
        case .message(let message): handle(message)
        case .bufferedAmountLow(let stream):
            let id = DataChannelID(stream)
            if channels[id]?.isClosing == false { outputs.append(.bufferedAmountLow(id)) }
        case .incomingReset(let streams): handleIncomingReset(streams)
        case .outgoingReset(let streams, let isPerformed): handleOutgoingReset(streams, isPerformed)
        case .restarted:
            closeAll()
            lostNumbers = []
            refused = []
        case .ended(let why):
            closeAll()
            outputs.append(.ended(why))
        }
    }

    private mutating func connected() {
        outputs.append(.connected)
        // Close the channels beyond the negotiated number of streams, which was unknown when they were opened.
        for id in channels.keys.sorted() where id.stream >= association.outgoingStreams {
            channels[id] = nil
            outputs.append(.closed(id))
        }
    }

    private mutating func closeAll() {
        for id in channels.keys.sorted() { outputs.append(.closed(id)) }
        channels = [:]
    }

    private mutating func handleIncomingReset(_ streams: [UInt16]) {
        let ids = streams.isEmpty ? channels.keys.sorted() : streams.map(DataChannelID.init)
        for id in ids where channels[id] != nil {
            channels[id]?.isIncomingReset = true
            // The peer has closed the channel and would drop further messages, so don't send the queued ones.
            close(id, discarding: true, association.now)
            finishClosing(id)
        }
    }

    private mutating func handleOutgoingReset(_ streams: [UInt16], _ isPerformed: Bool) {
        for id in streams.map(DataChannelID.init) {
            refused.remove(id)
            if !isPerformed {
                lostNumbers.insert(id)
                channels[id]?.isIncomingReset = true
            }
            channels[id]?.isOutgoingReset = true
            finishClosing(id)
        }
    }

    private mutating func handle(_ message: IncomingMessage) {
        let id = DataChannelID(message.stream)
        if message.protocolID == Self.establishmentProtocol {
            return handleEstablishment(message.payload, id)
        }
        guard let channel = channels[id], !channel.isIncomingReset, !channel.isClosing else {
            return drops.count(.noChannel)
        }
        guard let content = DataChannelMessage(protocolID: message.protocolID, payload: message.payload) else {
            return drops.count(.unknownProtocol)
        }
        channels[id]?.isConfirmed = true
        outputs.append(.message(id, content))
    }

    private mutating func handleEstablishment(_ payload: [UInt8], _ id: DataChannelID) {
        switch ChannelProtocolMessage.parse(payload.span.bytes) {
        case .acknowledgement:
            guard channels[id]?.isConfirmed == false else { return drops.count(.badEstablishment) }
            channels[id]?.isConfirmed = true
        case .open(let description): handleOpen(description, id)
        case nil: drops.count(.badEstablishment)
        }
    }

    private mutating func handleOpen(_ description: DataChannelDescription, _ id: DataChannelID) {
        let isTheirs = id.stream & 1 == (role == .client ? 1 : 0)
        if isTheirs, let old = channels[id], old.isClosing, old.isIncomingReset, association.confirmReset(id.stream) {
            handleOutgoingReset([id.stream], true)
        }
        guard isTheirs, isFree(id) else {
            drops.count(.takenNumber)
            // `refuse` resets the stream if its number is free. A channel that uses the number is not affected.
            return refuse(id)
        }
        guard channels.count < configuration.maximumChannels, id.stream < association.outgoingStreams,
            description.label.utf8.count <= configuration.maximumTextSize,
            description.subprotocol.utf8.count <= configuration.maximumTextSize
        else {
            drops.count(.refused)
            return refuse(id)
        }
        channels[id] = DataChannel(description: description, isNegotiated: false, isConfirmed: true)
        outputs.append(.opened(id, description))
        // The acknowledgement is omitted if the send buffer is full: our first message on the channel acknowledges it
        // too.
        try? send(
            ChannelProtocolMessage.acknowledgement.serialised(), id, protocolID: Self.establishmentProtocol,
            now: association.now)
    }

    /// Resets the outgoing stream, so that the peer closes the channel that it has opened.
    private mutating func refuse(_ id: DataChannelID) {
        guard isFree(id), id.stream < association.outgoingStreams else { return }
        refused.insert(id)
        association.reset(id.stream, now: association.now)
    }

    private mutating func send(
        _ payload: [UInt8], _ id: DataChannelID, protocolID: UInt32, isOrdered: Bool = true,
        reliability: Reliability = .reliable, now: Instant
    ) throws(DataChannelError) {
        do throws(SCTPSendError) {
            try association.send(
                payload, stream: id.stream, protocolID: protocolID, isOrdered: isOrdered, reliability: reliability,
                streamLimit: configuration.channelSendLimit, now: now)
        } catch {
            switch error {
            case .bufferFull: throw .bufferFull
            case .ended: throw .ended
            case .streamClosed: throw .notOpen
            case .emptyMessage, .messageTooLong: throw .messageTooLong
            }
        }
    }
}
