package import HelioBroadcast
package import HelioCore
import HelioRTMP

/// One connection to a server by RTMP, from the handshake to the end, by which a broadcast's units are published.
///
/// It has no times of its own: how long all of this may take is the broadcast's.
package struct RTMPPublisher: Engine {
    package enum Input: Sendable {
        case received([UInt8])
        /// The system has taken so many of the bytes that were to be sent.
        case written(Int)
        /// One for which there is room: ``hasRoom``.
        case unit(BroadcastUnit)
        /// Say that nothing follows, and end when that is sent.
        case end
        /// The other end has ended it.
        case disconnected
    }

    package enum Output: Sendable, Equatable {
        case send([UInt8])
        /// The server takes the stream.
        case live
        /// A unit can't be carried.
        case unsuitable
        /// The end, after which the connection is to be closed; without a failure where it was wanted.
        case ended(RTMPFailure?)
    }

    /// The most bytes that are given to the connection ahead of what it takes: more wait where whole groups are dropped.
    private static let ahead = 32 << 10
    private static let pieceSize = 16 << 10
    /// The most bytes of answers that wait: a server that asks and does not read is given up.
    private static let mostUnsent = 1 << 20
    private static let mostMarks = 256

    private var dialogue: RTMPDialogue
    private var multiplexer: RTMPMultiplexer
    private var isLive = false
    private var isEnding = false
    private var isOver = false
    /// What of the connection's bytes was taken by when.
    private var marks: [(count: UInt32, at: Instant)] = []
    private var outputs: [Output] = []
    private var taken = 0

    /// Bytes that the system has not taken yet.
    package private(set) var unsentBytes = 0
    /// Bytes that it has.
    package private(set) var sentBytes: Int64 = 0
    /// How long the server took to answer, or to acknowledge what the system had taken: no less than the network's.
    /// `nil` until it has.
    package private(set) var roundTrip: Duration?

    /// Begins the handshake: the connection is open.
    ///
    /// - Parameter random: of what the handshake has to be random: no secret.
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

    /// True where a unit may be given.
    package var hasRoom: Bool { isLive && !isEnding && !isOver && unsentBytes < Self.ahead }

    package mutating func poll() -> Output? {
        guard taken < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return outputs[taken - 1]
    }

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

    /// A server has received so many bytes: how long ago were they sent?
    private mutating func acknowledged(_ count: UInt32, _ now: Instant) {
        // One from before the last wrap of 32 bits, or of what was never sent, tells nothing.
        guard UInt32(truncatingIfNeeded: sentBytes) &- count < 0x8000_0000,
            let index = marks.firstIndex(where: { Int32(bitPattern: $0.count &- count) >= 0 })
        else { return }
        roundTrip = now - marks[index].at
        marks.removeFirst(index)
    }
}
