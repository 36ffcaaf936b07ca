private import DequeModule
private import HelioBitstream
package import HelioCore
package import HelioRelayWire

/// The app's end of the relay (requirement rows 134 to 138, 142, 145 and 154). Broadcast extensions connect to it, and
/// the media of the active extension is output as complete pictures and packets of sound.
///
/// A single extension is active at a time. A hello from a new extension replaces the active extension, which is
/// notified and does not reconnect: as the system runs only one broadcast of an app, the older extension hangs or is
/// about to end. A message that is invalid, or not allowed in the present state, ends its session; the reasons are
/// counted.
///
/// The engine does not buffer for a slow consumer of its events. The driver then has to read less from the socket, so
/// that the extension drops pictures.
package struct AppRelay: Engine, ~Copyable {
    package enum Input: Sendable {
        /// A connection has been opened. The driver has verified that it belongs to the same user.
        case connected(ConnectionID)
        case received(ConnectionID, [UInt8])
        /// The connection was closed, or has failed.
        case closed(ConnectionID)
        /// The consumer of the pictures needs a keyframe.
        case requestKeyframe
        /// Sets the limits that the encoder has to obey. They are also sent to extensions that connect later.
        case wish(RelayWish)
        /// Ends the relay: notifies the extensions, and closes their connections.
        case end
    }

    package enum Output: Sendable, Hashable {
        /// Sends bytes on a connection.
        case send(ConnectionID, [UInt8])
        /// Closes a connection once all bytes queued on it have been sent. No more of its events may be reported.
        case close(ConnectionID)
        case event(AppRelayEvent)
    }

    package private(set) var statistics = AppRelayStatistics()

    private let settings: AppRelaySettings
    private var sessions: [AppRelaySession] = []
    /// The connection of the active extension; `nil` if there is none.
    private var present: ConnectionID?
    private var outputs = Deque<Output>()
    private var nextHeartbeat: Instant
    private var frameIndex: UInt64 = 0
    private var wish = RelayWish()
    private var hasEnded = false

    package init(settings: AppRelaySettings = AppRelaySettings(), now: Instant) {
        self.settings = settings
        nextHeartbeat = now
    }

    package var hasExtension: Bool { present != nil }

    /// Returns true if the connection is open.
    package func knows(_ id: ConnectionID) -> Bool { sessions.contains { $0.id == id } }

    /// The number of bytes buffered for incomplete messages and pictures.
    package var bufferedByteCount: Int {
        sessions.reduce(0) { $0 + $1.reader.bufferedByteCount + ($1.picture?.annexB.count ?? 0) }
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id): connected(id, now)
        case .received(let id, let bytes): received(id, bytes, now)
        case .closed(let id): closed(id)
        case .requestKeyframe: if let present { send(present, .keyframeRequest) }
        case .wish(let wish): set(wish)
        case .end: end()
        }
    }

    package mutating func tick(now: Instant) {
        for session in sessions where now >= session.lastHeard + settings.receiveTimeout { close(session.id, .silent) }
        guard now >= nextHeartbeat, present != nil else { return }
        nextHeartbeat = now + settings.heartbeat
        // Send the heartbeat before queued outputs, which may be delayed if the app processes pictures slowly.
        if let present { outputs.prepend(.send(present, RelayMessage.heartbeat.serialised())) }
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        guard let oldest = sessions.map(\.lastHeard).min() else { return nil }
        let silence = Deadline(at: oldest + settings.receiveTimeout, why: "silence")
        return .earliest(silence, present == nil ? nil : Deadline(at: nextHeartbeat, why: "heartbeat"))
    }

    // MARK: Connections

    private mutating func connected(_ id: ConnectionID, _ now: Instant) {
        guard !hasEnded, !knows(id) else { return }
        guard sessions.count < settings.connections else {
            statistics.drops.count(.tooMany)
            outputs.append(.close(id))
            return
        }
        sessions.append(AppRelaySession(id: id, limits: settings.limits, now: now))
    }

    private mutating func closed(_ id: ConnectionID) {
        guard let index = index(of: id) else { return }
        sessions.remove(at: index)
        if present == id {
            present = nil
            outputs.append(.event(.vanished))
        }
    }

    /// Ends a session.
    ///
    /// - Parameters:
    ///   - drop: the reason to count; `nil` for a regular end.
    ///   - farewell: the reason to send to the extension; `nil` to send none.
    private mutating func close(_ id: ConnectionID, _ drop: AppRelayDrop?, farewell: RelayEndReason? = nil) {
        guard let index = index(of: id) else { return }
        sessions.remove(at: index)
        if let drop { statistics.drops.count(drop) }
        if let farewell { send(id, .end(farewell)) }
        outputs.append(.close(id))
        if present == id {
            present = nil
            outputs.append(.event(.left(drop)))
        }
    }

    private mutating func end() {
        hasEnded = true
        for session in sessions { close(session.id, nil, farewell: .finished) }
    }

    private mutating func set(_ wish: RelayWish) {
        guard wish.isValid, wish != self.wish else { return }
        self.wish = wish
        if let present { tellWish(present) }
    }

    /// Sends the encoder limits to an extension if its protocol version supports them.
    private mutating func tellWish(_ id: ConnectionID) {
        guard let index = index(of: id), sessions[index].version >= 2 else { return }
        send(id, .wish(wish))
    }

    private mutating func send(_ id: ConnectionID, _ message: RelayMessage) {
        outputs.append(.send(id, message.serialised()))
    }

    private func index(of id: ConnectionID) -> Int? { sessions.firstIndex { $0.id == id } }

    // MARK: Messages

    private mutating func received(_ id: ConnectionID, _ bytes: [UInt8], _ now: Instant) {
        guard let index = index(of: id) else { return }
        statistics.bytes += bytes.count
        sessions[index].lastHeard = now
        sessions[index].reader.append(bytes)
        do throws(RelayWireError) {
            // Look up the index for each message, as a message may end this session or another one.
            while let index = self.index(of: id), let message = try sessions[index].reader.next() {
                take(message, index, now)
            }
        } catch {
            close(id, AppRelayDrop(error))
        }
    }

    private mutating func take(_ message: RelayMessage, _ index: Int, _ now: Instant) {
        let id = sessions[index].id
        guard sessions[index].saidHello else {
            guard case .hello(let version) = message else { return close(id, .outOfOrder) }
            return welcome(index, version, now)
        }
        switch message {
        case .hello, .welcome, .keyframeRequest, .wish: close(id, .outOfOrder)
        case .heartbeat: break
        case .end: close(id, nil)
        case .format(let format):
            if sessions[index].picture != nil { giveUpPicture(index) }
            sessions[index].format = format
            sessions[index].needsKeyframe = true
            outputs.append(.event(.format(format)))
        case .pictureBegins(let captured, _):
            guard sessions[index].format != nil else { return close(id, .outOfOrder) }
            if sessions[index].picture != nil { giveUpPicture(index) }
            sessions[index].picture = RelayAssembly(captured: clamped(captured, now))
        case .nalUnit(let unit): add(unit, index)
        case .pictureEnds: finishPicture(index)
        case .sound(var sound):
            sound.captured = clamped(sound.captured, now)
            statistics.sounds += 1
            outputs.append(.event(.sound(sound)))
        }
    }

    private mutating func welcome(_ index: Int, _ version: UInt8, _ now: Instant) {
        let id = sessions[index].id
        // Accept newer protocol versions, which are compatible; their additions are not used.
        guard version >= RelayMessage.oldestVersion else { return close(id, .version, farewell: .version) }
        sessions[index].saidHello = true
        sessions[index].version = min(version, RelayMessage.version)
        if let present { close(present, .replaced, farewell: .replaced) }
        present = id
        statistics.extensions += 1
        send(id, .welcome(version: min(version, RelayMessage.version)))
        if wish != RelayWish() { tellWish(id) }
        nextHeartbeat = now + settings.heartbeat
        outputs.append(.event(.joined))
    }

    private mutating func add(_ unit: [UInt8], _ index: Int) {
        let id = sessions[index].id
        // Do not copy the assembly here: each append would then copy its bytes.
        guard let present = sessions[index].picture.map({ (bytes: $0.annexB.count, units: $0.count) }),
            let codec = sessions[index].format?.codec
        else { return close(id, .outOfOrder) }
        guard unit.count >= 4 + NALHeader.size(codec) else { return close(id, .malformed) }
        guard present.bytes + unit.count <= settings.pictureBytes, present.units < settings.nalUnits else {
            return close(id, .pictureTooLarge)
        }
        sessions[index].picture?.append(unit, codec: codec)
    }

    private mutating func giveUpPicture(_ index: Int) {
        sessions[index].picture = nil
        sessions[index].needsKeyframe = true
        statistics.drops.count(.pictureIncomplete)
    }

    private mutating func finishPicture(_ index: Int) {
        guard let picture = sessions[index].picture, let format = sessions[index].format else {
            return close(sessions[index].id, .outOfOrder)
        }
        sessions[index].picture = nil
        guard picture.hasPicture, picture.isKeyframe ? picture.hasParameterSets : !sessions[index].needsKeyframe else {
            statistics.drops.count(.pictureBroken)
            sessions[index].needsKeyframe = true
            send(sessions[index].id, .keyframeRequest)
            return
        }
        sessions[index].needsKeyframe = false
        statistics.pictures += 1
        outputs.append(
            .event(
                .picture(
                    RelayedPicture(
                        codec: format.codec, annexB: picture.annexB, captured: picture.captured,
                        isKeyframe: picture.isKeyframe, frameIndex: frameIndex))))
        frameIndex += 1
    }

    /// Clamps an extension's capture time to a plausible range: not in the future, and no older than `settings.oldest`.
    private func clamped(_ captured: Instant, _ now: Instant) -> Instant {
        min(now, max(captured, now - settings.oldest))
    }
}
