private import DequeModule
package import HelioCore
import HelioRTMP

/// An RTMP connection to a server, from the handshake to the end, on which a broadcast's units are published.
///
/// A publisher has no timeouts of its own; the broadcast has them.
package struct RTMPPublisher: Engine {
    package enum Input: Sendable {
        case received([UInt8])
        /// The kernel has accepted this number of further bytes.
        case written(Int)
        /// A unit to send; allowed if ``hasRoom`` is true.
        case unit(BroadcastUnit)
        /// Ends the stream at the server, and then the connection, once everything is sent.
        case end
        /// The connection has ended.
        case disconnected
    }

    package enum Output: Sendable, Equatable {
        case send([UInt8])
        /// The server has accepted the stream, so units can be sent.
        case live
        /// RTMP can't carry the last unit, which was dropped.
        case unsuitable
        /// The publisher has ended with this failure, or `nil` if the end was requested; the connection has to be
        /// closed.
        case ended(RTMPFailure?)
    }

    /// The number of bytes, not yet accepted by the connection, at which no further unit is taken. Further units wait
    /// in the broadcast's queue, which can drop whole groups of pictures.
    private static let ahead = 32 << 10
    private static let pieceSize = 16 << 10
    /// The maximum number of unaccepted bytes of answers, in addition to one picture of the maximum size. A server that
    /// sends requests but does not read the answers is disconnected.
    private static let mostUnsent = 1 << 20
    private static let mostMarks = 256

    private var dialogue: RTMPDialogue
    private var multiplexer: RTMPMultiplexer
    private var isLive = false
    private var isEnding = false
    private var isOver = false
    /// The total number of bytes, modulo 2^32, that the kernel had accepted at recent instants.
    private var marks: [(count: UInt32, at: Instant)] = []
    private var outputs: Deque<Output> = []

    /// The number of bytes passed to the connection that the kernel has not accepted yet.
    package private(set) var unsentBytes = 0
    /// The total number of bytes that the kernel has accepted.
    package private(set) var sentBytes: Int64 = 0
    /// An upper bound of the network's round trip: the time from the last command to its response, or from the kernel's
    /// acceptance of bytes to their acknowledgement. It is `nil` before the first measurement.
    package private(set) var roundTrip: Duration?

    /// Begins the handshake on an open connection.
    ///
    /// - Parameter random: the generator of the handshake's random bytes, which are not secret.
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

    /// Measures the round trip by an acknowledgement: the time since the kernel accepted the acknowledged bytes.
    private mutating func acknowledged(_ count: UInt32, _ now: Instant) {
        // Ignore an acknowledgement from before the last wrap of the 32-bit count, or of bytes that were never sent.
        guard UInt32(truncatingIfNeeded: sentBytes) &- count < 0x8000_0000,
            let index = marks.firstIndex(where: { Int32(bitPattern: $0.count &- count) >= 0 })
        else { return }
        roundTrip = now - marks[index].at
        marks.removeFirst(index)
    }
}
