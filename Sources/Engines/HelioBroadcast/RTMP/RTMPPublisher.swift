private import DequeModule
package import HelioCore
import HelioRTMP

/// One connection to a server by RTMP, from the handshake to the end, on which a broadcast's units are published.
///
/// A publisher has no timeouts: the broadcast limits its times.
package struct RTMPPublisher: Engine {
    package enum Input: Sendable {
        case received([UInt8])
        /// The number of sent bytes that the system has taken.
        case written(Int)
        /// A unit to send, if there is room: ``hasRoom``.
        case unit(BroadcastUnit)
        /// Ends the stream at the server, and then the connection once everything is sent.
        case end
        /// The connection was ended by the server.
        case disconnected
    }

    package enum Output: Sendable, Equatable {
        case send([UInt8])
        /// The server accepts the stream.
        case live
        /// RTMP can't carry a unit.
        case unsuitable
        /// The publisher has ended, and the connection has to be closed; `nil` if the end was requested.
        case ended(RTMPFailure?)
    }

    /// The limit of bytes given to the connection that the system has not taken. More units wait in the broadcast's
    /// queue, where whole groups of pictures can be dropped.
    private static let ahead = 32 << 10
    private static let pieceSize = 16 << 10
    /// The most unsent bytes of answers: a server that sends requests and does not read is disconnected.
    private static let mostUnsent = 1 << 20
    private static let mostMarks = 256

    private var dialogue: RTMPDialogue
    private var multiplexer: RTMPMultiplexer
    private var isLive = false
    private var isEnding = false
    private var isOver = false
    /// The total of bytes that the system had taken at recent instants.
    private var marks: [(count: UInt32, at: Instant)] = []
    private var outputs: Deque<Output> = []

    /// The bytes that the system has not taken yet.
    package private(set) var unsentBytes = 0
    /// The bytes that the system has taken.
    package private(set) var sentBytes: Int64 = 0
    /// The time that the server took to answer, or to acknowledge bytes that the system had taken, which is at least
    /// the network's round trip. `nil` before the first.
    package private(set) var roundTrip: Duration?

    /// Begins the handshake on an open connection.
    ///
    /// - Parameter random: the generator of the handshake's random bytes, which are no secret.
    package init(
        to address: RTMPAddress, _ tracks: BroadcastTracks, options: RTMPOptions = RTMPOptions(),
        random: inout SeededGenerator
    ) {
        var bytes: [UInt8] = []
        for _ in 0..<(RTMP.handshakeSize - 8) / 8 { bytes.append(bigEndian: random.next() as UInt64) }
        dialogue = RTMPDialogue(address, tracks, random: bytes)
        multiplexer = RTMPMultiplexer(tracks, options)
        flush()
    }

    /// True if a unit can be sent now.
    package var hasRoom: Bool { isLive && !isEnding && !isOver && unsentBytes < Self.ahead }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package mutating func tick(now: Instant) {}
    package var deadline: Deadline? { nil }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        guard !isOver else { return }
        switch input {
        case .received(let bytes): receive(bytes, now)
        case .written(let count): wrote(count, now)
        case .unit(let unit): write(unit)
        case .end: end()
        case .disconnected: finish(isEnding ? nil : !isLive && dialogue.hasSaidKey ? .hungUp : .lost)
        }
        guard !isOver else { return }
        flush()
        if unsentBytes > Self.mostUnsent + FLVVideoWriter.maximumPicture { return finish(.flooded) }
        if isEnding, unsentBytes == 0 { finish(nil) }
    }

    private mutating func receive(_ bytes: [UInt8], _ now: Instant) {
        do throws(RTMPFailure) {
            try dialogue.receive(bytes, now: now)
        } catch {
            return finish(isEnding ? nil : error)
        }
        if let time = dialogue.roundTrip {
            dialogue.roundTrip = nil
            roundTrip = time
        }
        if let count = dialogue.acknowledgement {
            dialogue.acknowledgement = nil
            acknowledged(count, now)
        }
        if dialogue.isPublishing, !isLive {
            isLive = true
            outputs.append(.live)
        }
    }

    private mutating func write(_ unit: BroadcastUnit) {
        guard isLive, !isEnding, let messages = multiplexer.messages(of: unit) else {
            return outputs.append(.unsuitable)
        }
        for message in messages { dialogue.send(message) }
    }

    private mutating func end() {
        guard !isEnding else { return }
        isEnding = true
        if isLive { dialogue.end() } else { finish(nil) }
    }

    private mutating func finish(_ failure: RTMPFailure?) {
        isOver = true
        unsentBytes = 0
        outputs.append(.ended(failure))
    }

    // MARK: - The connection's bytes

    private mutating func flush() {
        let bytes = dialogue.output
        guard !bytes.isEmpty else { return }
        dialogue.output = []
        unsentBytes += bytes.count
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.pieceSize, bytes.count)
            outputs.append(.send(Array(bytes[start..<end])))
            start = end
        }
    }

    private mutating func wrote(_ count: Int, _ now: Instant) {
        let count = max(0, min(count, unsentBytes))
        guard count > 0 else { return }
        unsentBytes -= count
        sentBytes += Int64(count)
        marks.append((UInt32(truncatingIfNeeded: sentBytes), now))
        if marks.count > Self.mostMarks { marks.removeFirst(Self.mostMarks / 2) }
    }

    /// Measures the round trip by the server's acknowledgement: how long ago the acknowledged bytes were sent.
    private mutating func acknowledged(_ count: UInt32, _ now: Instant) {
        // An acknowledgement from before the last wrap of 32 bits, or of bytes never sent, is ignored.
        guard UInt32(truncatingIfNeeded: sentBytes) &- count < 0x8000_0000,
            let index = marks.firstIndex(where: { Int32(bitPattern: $0.count &- count) >= 0 })
        else { return }
        roundTrip = now - marks[index].at
        marks.removeFirst(index)
    }
}
