private import HelioCore

/// A touch event with all fingers that are down, in the terms of Android's `MotionEvent`.
package struct PhoneTouch: Sendable, Hashable {
    /// Actions by their values in `MotionEvent`: first finger down, last finger up, moves, cancelled, and further
    /// fingers down and up.
    package enum Action: UInt8, Sendable, Hashable, CaseIterable {
        case down = 0
        case up = 1
        case move = 2
        case cancel = 3
        case pointerDown = 5
        case pointerUp = 6
    }

    package struct Finger: Sendable, Hashable {
        package var id: UInt8
        package var x: Float
        package var y: Float
        /// 0 to 1.
        package var pressure: Float

        package init(id: UInt8, x: Float, y: Float, pressure: Float) {
            (self.id, self.x, self.y, self.pressure) = (id, x, y, pressure)
        }
    }

    package var action: Action
    /// The place in `fingers` of the finger that goes down or up; 0 for moves.
    package var index: UInt8
    package var fingers: [Finger]

    package init(_ action: Action, index: UInt8, fingers: [Finger]) {
        (self.action, self.index, self.fingers) = (action, index, fingers)
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        guard let action = Action(rawValue: try fields.byte()) else { throw .badValue }
        self.action = action
        index = try fields.byte()
        let count = Int(try fields.byte())
        guard (1...PhoneLimits.fingers).contains(count), index < count else { throw .badValue }
        fingers = []
        for _ in 0..<count {
            fingers.append(
                Finger(
                    id: try fields.byte(), x: try fields.float(), y: try fields.float(), pressure: try fields.float()))
        }
    }

    func write(into bytes: inout [UInt8]) {
        bytes += [action.rawValue, index, UInt8(min(fingers.count, PhoneLimits.fingers))]
        for finger in fingers.prefix(PhoneLimits.fingers) {
            bytes.append(finger.id)
            bytes.append(float: finger.x)
            bytes.append(float: finger.y)
            bytes.append(float: finger.pressure)
        }
    }
}

/// A key event in the terms of Android's `KeyEvent`.
package struct PhoneKey: Sendable, Hashable {
    package var isDown: Bool
    /// A constant `KeyEvent.KEYCODE_...`.
    package var code: UInt16
    /// Bits of `KeyEvent.META_...`.
    package var modifiers: UInt32
    /// The number of repetitions so far while the key is held.
    package var repeats: UInt16

    package init(isDown: Bool, code: UInt16, modifiers: UInt32 = 0, repeats: UInt16 = 0) {
        (self.isDown, self.code, self.modifiers, self.repeats) = (isDown, code, modifiers, repeats)
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        isDown = try fields.flag()
        code = try fields.word()
        modifiers = try fields.long()
        repeats = try fields.word()
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(isDown ? 1 : 0)
        bytes.append(bigEndian: code)
        bytes.append(bigEndian: modifiers)
        bytes.append(bigEndian: repeats)
    }
}
