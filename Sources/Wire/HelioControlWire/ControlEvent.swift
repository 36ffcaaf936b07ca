package import HelioCore

/// One action of the viewer's user, as a control datagram carries it.
///
/// Offsets in bytes; little-endian. `time` is the time of the action on the viewer's clock, in microseconds.
/// ```
/// 0 down  1 move  2 up  3 pointer move  4 cancelled     21 bytes, row 64
///   0        1            5            9            13                       21
///   +--------+------------+------------+------------+------------------------+
///   | action |   x f32    |   y f32    |pressure f32|        time u64        |
///   +--------+------------+------------+------------+------------------------+
/// 5 scroll                                              25 bytes: the 21, then
///   21       23       25
///   +--------+--------+
///   | dx i16 | dy i16 |   in 1/120 of a wheel detent
///   +--------+--------+
/// 6 key                                                 13 bytes
///   0        1           3           4            5            13
///   +--------+-----------+-----------+------------+------------+
///   | action | usage u16 | modifiers | down 0 / 1 |  time u64  |
///   +--------+-----------+-----------+------------+------------+
/// 7 button                                              19 bytes; flags: 1 down, 2 x and y are valid
///   0        1        2       3            7            11         19
///   +--------+--------+-------+------------+------------+----------+
///   | action | button | flags |   x f32    |   y f32    | time u64 |
///   +--------+--------+-------+------------+------------+----------+
/// 8 relative motion                                     17 bytes; totals since the start, wrapping
///   0        1           5           9            17
///   +--------+-----------+-----------+------------+
///   | action | sum x i32 | sum y i32 |  time u64  |
///   +--------+-----------+-----------+------------+
/// 9 text                                                11 + n bytes, n from 1 to 256
///   0        1            9       11
///   +--------+------------+-------+---------------+
///   | action |  time u64  | n u16 |     UTF-8     |
///   +--------+------------+-------+---------------+
/// 10 release all  11 request control  12 hand over      9 bytes
///   0        1            9
///   +--------+------------+
///   | action |  time u64  |
///   +--------+------------+
/// 13 select monitor                                     10 + n bytes, n from 1 to 64
///   0        1            9        10
///   +--------+------------+--------+--------------+
///   | action |  time u64  |  n u8  | its id, UTF-8|
///   +--------+------------+--------+--------------+
/// 14 character: presses a key that produces it           15 bytes
///   0        1           3             7            15
///   +--------+-----------+-------------+------------+
///   | action | usage u16 | scalar u32  |  time u64  |   action 6 with this usage releases it
///   +--------+-----------+-------------+------------+
/// 15 locks                                              10 bytes; bits: 0 Caps on, 1 Num on, 2 Caps known, 3 Num known
///   0        1        2            10
///   +--------+--------+------------+
///   | action |  bits  |  time u64  |
///   +--------+--------+------------+
/// ```
/// Descriptions name only the action, since keys and text may be a password.
package struct ControlEvent: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// A touch, with a pressure of 0 ... 1.
        case touch(TouchPhase, NormalizedPoint, pressure: Float)
        case pointerMove(NormalizedPoint)
        /// A scroll. Positive y scrolls up, positive x right.
        case scroll(at: NormalizedPoint, dx: Int16, dy: Int16)
        /// A press or release of a key, by its usage in ``USBKeyboard``.
        case key(usage: UInt16, modifiers: KeyModifiers, isDown: Bool)
        /// A press of the key with this usage, which produces this character at the viewer.
        case character(Unicode.Scalar, usage: UInt16)
        /// The state of the viewer's keyboard locks: not an action of the user, but other actions depend on it.
        case locks(LockState)
        /// A press or release of a button, at a point or, without one, at the pointer's current position.
        case button(PointerButton, isDown: Bool, at: NormalizedPoint?)
        /// Relative motion as running totals, not steps, so that a lost datagram loses no motion.
        case relativeMotion(totalX: Int32, totalY: Int32)
        case text(String)
        case releaseAll
        /// Requests control for the viewer.
        case requestControl
        /// Hands over control to the viewer that requested it, or else to the next viewer that sends input.
        case handOver
        /// Requests that the host captures another of its monitors, by id, for all viewers.
        case selectMonitor(String)

        /// Returns true if both are motion of the same kind, so that one can replace the other.
        package func isSameMotion(as other: Action) -> Bool {
            switch (self, other) {
            case (.touch(.move, _, _), .touch(.move, _, _)), (.pointerMove, .pointerMove),
                (.relativeMotion, .relativeMotion):
                true
            default: false
            }
        }
    }

    package static let maximumTextSize = 256
    package static let maximumMonitorSize = 64

    package var action: Action
    package var timestamp: UInt64

    package init(_ action: Action, timestamp: UInt64) {
        self.action = action
        self.timestamp = timestamp
    }

    /// True for motion, which newer motion may replace; all other events have to arrive in order.
    package var isMotion: Bool { action.isSameMotion(as: action) }

    /// The size on the wire, in bytes.
    package var size: Int {
        switch action {
        case .touch, .pointerMove: 21
        case .scroll: 25
        case .key: 13
        case .button: 19
        case .relativeMotion: 17
        case .text(let text): 11 + text.utf8.count
        case .releaseAll, .requestControl, .handOver: 9
        case .selectMonitor(let id): 10 + id.utf8.count
        case .character: 15
        case .locks: 10
        }
    }

    init(_ bytes: RawSpan, _ offset: inout ControlOffset) throws(ControlWireError) {
        let code = try bytes.take8(&offset)
        switch code {
        case 0...5:
            let point = try bytes.takePoint(&offset)
            let pressure = Float(bitPattern: try bytes.take32(&offset))
            guard (0...1).contains(pressure) else { throw .badCoordinate }
            timestamp = try bytes.take64(&offset)
            if let phase = TouchPhase(rawValue: code) {
                action = .touch(phase, point, pressure: pressure)
            } else if code == 3 {
                action = .pointerMove(point)
            } else {
                let dx = Int16(bitPattern: try bytes.take16(&offset))
                action = .scroll(at: point, dx: dx, dy: Int16(bitPattern: try bytes.take16(&offset)))
            }
        case 6:
            let usage = try bytes.take16(&offset)
            guard USBKeyboard.usages.contains(usage) else { throw .badValue }
            let modifiers = KeyModifiers(rawValue: try bytes.take8(&offset))
            action = .key(usage: usage, modifiers: modifiers, isDown: try bytes.takeFlag(&offset))
            timestamp = try bytes.take64(&offset)
        case 7:
            let button = PointerButton(rawValue: try bytes.take8(&offset))
            let flags = try bytes.take8(&offset)
            guard let button, flags <= 3 else { throw .badValue }
            let point = try bytes.takePoint(&offset)
            action = .button(button, isDown: flags & 1 != 0, at: flags & 2 != 0 ? point : nil)
            timestamp = try bytes.take64(&offset)
        case 8:
            let x = Int32(bitPattern: try bytes.take32(&offset))
            action = .relativeMotion(totalX: x, totalY: Int32(bitPattern: try bytes.take32(&offset)))
            timestamp = try bytes.take64(&offset)
        case 9:
            timestamp = try bytes.take64(&offset)
            let count = Int(try bytes.take16(&offset))
            action = .text(try bytes.takeText(count, in: 1...Self.maximumTextSize, &offset))
        case 10: (action, timestamp) = (.releaseAll, try bytes.take64(&offset))
        case 11: (action, timestamp) = (.requestControl, try bytes.take64(&offset))
        case 12: (action, timestamp) = (.handOver, try bytes.take64(&offset))
        case 13:
            timestamp = try bytes.take64(&offset)
            let count = Int(try bytes.take8(&offset))
            action = .selectMonitor(try bytes.takeText(count, in: 1...Self.maximumMonitorSize, &offset))
        case 14:
            let usage = try bytes.take16(&offset)
            guard USBKeyboard.usages.contains(usage) else { throw .badValue }
            guard let scalar = Unicode.Scalar(try bytes.take32(&offset)) else { throw .badText }
            action = .character(scalar, usage: usage)
            timestamp = try bytes.take64(&offset)
        case 15:
            action = .locks(try LockState(bits: try bytes.take8(&offset)))
            timestamp = try bytes.take64(&offset)
        default: throw .unknownAction
        }
    }

    func append(to bytes: inout [UInt8]) {
        switch action {
        case .touch(let phase, let point, let pressure):
            appendBody(phase.rawValue, point, pressure: pressure, to: &bytes)
        case .pointerMove(let point):
            appendBody(3, point, pressure: 0, to: &bytes)
        case .scroll(let point, let dx, let dy):
            appendBody(5, point, pressure: 0, to: &bytes)
            bytes.append(littleEndian: UInt16(bitPattern: dx))
            bytes.append(littleEndian: UInt16(bitPattern: dy))
        case .key(let usage, let modifiers, let isDown):
            bytes.append(6)
            bytes.append(littleEndian: usage)
            bytes.append(modifiers.rawValue)
            bytes.append(flag: isDown)
            bytes.append(littleEndian: timestamp)
        case .button(let button, let isDown, let point):
            bytes.append(7)
            bytes.append(button.rawValue)
            bytes.append((isDown ? 1 : 0) | (point != nil ? 2 : 0))
            bytes.append(point ?? .center)
            bytes.append(littleEndian: timestamp)
        case .relativeMotion(let x, let y):
            bytes.append(8)
            bytes.append(littleEndian: UInt32(bitPattern: x))
            bytes.append(littleEndian: UInt32(bitPattern: y))
            bytes.append(littleEndian: timestamp)
        case .text(let text):
            precondition((1...Self.maximumTextSize).contains(text.utf8.count), "text is split before it gets here")
            bytes.append(9)
            bytes.append(littleEndian: timestamp)
            bytes.append(littleEndian: UInt16(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        case .releaseAll: appendBare(10, to: &bytes)
        case .requestControl: appendBare(11, to: &bytes)
        case .handOver: appendBare(12, to: &bytes)
        case .selectMonitor(let id):
            precondition((1...Self.maximumMonitorSize).contains(id.utf8.count), "ids are looked at before")
            appendBare(13, to: &bytes)
            bytes.append(UInt8(id.utf8.count))
            bytes.append(contentsOf: id.utf8)
        case .character(let scalar, let usage):
            bytes.append(14)
            bytes.append(littleEndian: usage)
            bytes.append(littleEndian: scalar.value)
            bytes.append(littleEndian: timestamp)
        case .locks(let locks):
            bytes.append(15)
            bytes.append(locks.bits)
            bytes.append(littleEndian: timestamp)
        }
    }

    private func appendBare(_ code: UInt8, to bytes: inout [UInt8]) {
        bytes.append(code)
        bytes.append(littleEndian: timestamp)
    }

    /// Appends the 21 bytes of requirement row 64.
    private func appendBody(_ code: UInt8, _ point: NormalizedPoint, pressure: Float, to bytes: inout [UInt8]) {
        bytes.append(code)
        bytes.append(point)
        bytes.append(littleEndian: pressure.bitPattern)
        bytes.append(littleEndian: timestamp)
    }
}

extension ControlEvent: CustomStringConvertible {
    package var description: String {
        switch action {
        case .touch(let phase, _, _): "touch-\(phase)"
        case .pointerMove: "pointer-move"
        case .scroll: "scroll"
        case .key: "key"
        case .button: "button"
        case .relativeMotion: "relative-motion"
        case .text: "text"
        case .releaseAll: "release-all"
        case .requestControl: "request-control"
        case .handOver: "hand-over"
        case .selectMonitor: "select-monitor"
        case .character: "character"
        case .locks: "locks"
        }
    }
}

extension LockState {
    /// Reads the bits of action 15. The "on" bit of an unknown lock must be 0.
    fileprivate init(bits: UInt8) throws(ControlWireError) {
        self.init(
            caps: bits & 4 != 0 ? bits & 1 != 0 : nil,
            num: bits & 8 != 0 ? bits & 2 != 0 : nil)
        guard self.bits == bits else { throw .badValue }
    }

    fileprivate var bits: UInt8 {
        (caps == true ? 1 : 0) | (num == true ? 2 : 0) | (caps == nil ? 0 : 4) | (num == nil ? 0 : 8)
    }
}
