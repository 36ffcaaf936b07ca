internal import HelioCore
internal import HelioPhoneWire

/// Input for the phone.
extension AndroidPhone {
    mutating func take(_ input: AndroidInput) {
        guard phase == .running, let size = link.display?.size else { return statistics.drops.count(.inputWhileAway) }
        switch input {
        case .touch(let finger, let phase, let x, let y, let pressure): touch(finger, phase, (x, y), pressure, size)
        case .pointerMoved(let x, let y):
            pointer = (x, y)
            // A phone has no pointer: a move counts while the left button is down.
            if fingers.isTouching { touch(0, .move, pointer, 1, size) }
        case .button(let button, let isDown, let x, let y):
            pointer = (x, y)
            press(button, isDown, size)
        case .scroll(let dx, let dy):
            order(
                .scroll(
                    x: Float(pointer.x) * Float(size.width), y: Float(pointer.y) * Float(size.height),
                    horizontal: Float(dx) / 120, vertical: Float(dy) / 120))
        case .key(let usage, let isDown):
            guard let key = keys.take(usage, isDown: isDown) else { return statistics.drops.count(.unknownKey) }
            order(.key(key))
        case .text(let text): type(text)
        case .releaseAll: release()
        }
    }

    private mutating func touch(
        _ finger: UInt8, _ phase: FingerPhase, _ place: (x: Double, y: Double), _ pressure: Double, _ size: PixelSize
    ) {
        func pixel(_ part: Double, _ side: Int) -> Float { Float(min(max(part, 0), 1) * Double(side)) }
        guard place.x.isFinite, place.y.isFinite, pressure.isFinite,
            let touch = fingers.take(
                finger, phase, x: pixel(place.x, size.width), y: pixel(place.y, size.height),
                pressure: Float(min(max(pressure, 0), 1)))
        else { return statistics.drops.count(.strayTouch) }
        order(.touch(touch))
    }

    /// The left button is a finger; the others are a phone's own keys, as in other programs of this kind.
    private mutating func press(_ button: PointerButton, _ isDown: Bool, _ size: PixelSize) {
        switch button {
        case .left: touch(0, isDown ? .down : .up, pointer, isDown ? 1 : 0, size)
        case .right, .back: order(.key(PhoneKey(isDown: isDown, code: AndroidKeys.back)))
        case .middle: order(.key(PhoneKey(isDown: isDown, code: AndroidKeys.home)))
        case .forward: order(.key(PhoneKey(isDown: isDown, code: AndroidKeys.recentApps)))
        }
    }

    /// Types text. Android's key maps know Latin letters alone: other text is pasted.
    private mutating func type(_ text: String) {
        guard text.utf8.count <= PhoneLimits.text else { return statistics.drops.count(.textTooLong) }
        if text.utf8.allSatisfy({ $0 < 128 }) { return order(.text(text)) }
        setClipboard(text)
        order(.key(PhoneKey(isDown: true, code: AndroidKeys.paste)))
        order(.key(PhoneKey(isDown: false, code: AndroidKeys.paste)))
    }

    mutating func setClipboard(_ text: String) {
        guard text.utf8.count <= PhoneLimits.clipboard else { return statistics.drops.count(.textTooLong) }
        guard phase == .running else { return }
        link.ownClipboard = text
        order(.setClipboard(text))
    }

    /// Releases all keys and cancels all touches.
    mutating func release() {
        if let cancel = fingers.cancel() { order(.touch(cancel)) }
        for key in keys.releaseAll() { order(.key(key)) }
    }
}
