package import HelioPhoneWire

/// A phase of a touch by one finger.
package enum FingerPhase: Sendable, Hashable, CaseIterable {
    case down
    case move
    case up
    /// The touch's effect so far has to be undone.
    case cancelled
}

/// The fingers on the phone's screen. Android wants all of them in each event: this keeps those that did not change.
package struct PhoneFingers: Sendable {
    private var fingers: [PhoneTouch.Finger] = []

    package init() {}

    package var isTouching: Bool { !fingers.isEmpty }

    /// The event for one finger's phase; `nil` for a move or an end of a touch that never began, or if there are ten
    /// fingers already.
    ///
    /// - Parameter finger: the finger's number, 0 to 9.
    package mutating func take(
        _ finger: UInt8, _ phase: FingerPhase, x: Float, y: Float, pressure: Float
    ) -> PhoneTouch? {
        let place = fingers.firstIndex { $0.id == finger }
        let now = PhoneTouch.Finger(id: finger, x: x, y: y, pressure: pressure)
        switch (phase, place) {
        case (.down, nil):
            guard fingers.count < PhoneLimits.fingers else { return nil }
            fingers.append(now)
            return PhoneTouch(
                fingers.count == 1 ? .down : .pointerDown, index: UInt8(fingers.count - 1), fingers: fingers)
        // A second down of a finger whose up was lost: it moves there.
        case (.down, let place?), (.move, let place?):
            fingers[place] = now
            return PhoneTouch(.move, index: 0, fingers: fingers)
        case (.up, let place?):
            fingers[place] = PhoneTouch.Finger(id: finger, x: x, y: y, pressure: 0)
            defer { fingers.remove(at: place) }
            return PhoneTouch(fingers.count == 1 ? .up : .pointerUp, index: UInt8(place), fingers: fingers)
        // Android cancels a gesture as a whole.
        case (.cancelled, .some): return cancel()
        case (.move, nil), (.up, nil), (.cancelled, nil): return nil
        }
    }

    /// Ends all touches without their effect; `nil` if there are none.
    package mutating func cancel() -> PhoneTouch? {
        guard !fingers.isEmpty else { return nil }
        defer { fingers = [] }
        return PhoneTouch(.cancel, index: 0, fingers: fingers)
    }

    /// Forgets all touches, because the phone is gone.
    package mutating func forget() { fingers = [] }
}
