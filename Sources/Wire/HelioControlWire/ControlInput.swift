import HelioCore

/// The viewer's input to the host: every reliable event that the host has not acknowledged, and the newest motion.
///
/// ```
///  0      1       2                 6       7
///  +------+-------+-----------------+-------+----------------+
///  |  1   | flags | sent at u32, us | count |                |
///  +------+-------+-----------------+-------+                |
///  7               11                                        |
///  +---------------+-----------------------------------------+
///  | first seq u32 | `count` events, each as ControlEvent    |
///  +---------------+--------------+---------------+----------+
///  | motion seq u32 | after u32   | motion event  |  if flags & 1
///  +----------------+-------------+---------------+
/// ```
/// Sequence numbers wrap. Events are numbered first, first + 1, ...; motion is numbered separately.
package struct ControlInput: Hashable, Sendable {
    package struct Motion: Hashable, Sendable {
        package var sequence: UInt32
        /// The sequence number of the first reliable event after this motion; all earlier events precede the motion.
        package var after: UInt32
        /// The motion; its `isMotion` is true.
        package var event: ControlEvent

        package static let headerSize = 8

        package init(sequence: UInt32, after: UInt32, event: ControlEvent) {
            self.sequence = sequence
            self.after = after
            self.event = event
        }
    }

    package static let headerSize = 11

    /// The low 32 bits of the viewer's clock in microseconds; the acknowledgement echoes them.
    package var sentAt: UInt32
    package var firstSequence: UInt32
    /// The reliable events, at most 255. They may include motion that must not be replaced by newer motion.
    package var events: [ControlEvent]
    package var motion: Motion?

    package init(sentAt: UInt32, firstSequence: UInt32, events: [ControlEvent], motion: Motion? = nil) {
        self.sentAt = sentAt
        self.firstSequence = firstSequence
        self.events = events
        self.motion = motion
    }

    init(_ bytes: RawSpan, _ offset: inout ControlOffset) throws(ControlWireError) {
        let hasMotion = try bytes.takeFlag(&offset)
        sentAt = try bytes.take32(&offset)
        let count = try bytes.take8(&offset)
        firstSequence = try bytes.take32(&offset)
        events = []
        for _ in 0..<count { events.append(try ControlEvent(bytes, &offset)) }
        if hasMotion {
            let sequence = try bytes.take32(&offset)
            let after = try bytes.take32(&offset)
            let event = try ControlEvent(bytes, &offset)
            guard event.isMotion else { throw .badValue }
            motion = Motion(sequence: sequence, after: after, event: event)
        }
    }

    func append(to bytes: inout [UInt8]) {
        precondition(events.count <= 255, "a datagram's count of events is one byte")
        bytes.append(flag: motion != nil)
        bytes.append(littleEndian: sentAt)
        bytes.append(UInt8(events.count))
        bytes.append(littleEndian: firstSequence)
        for event in events { event.append(to: &bytes) }
        if let motion {
            bytes.append(littleEndian: motion.sequence)
            bytes.append(littleEndian: motion.after)
            motion.event.append(to: &bytes)
        }
    }
}
