import HelioControlWire
import HelioCore
import HelioRemote

/// The host's view of injected input: the pointer's position at each reliable event.
struct PointerState {
    struct Moment: Hashable {
        var event: InjectedInput
        var x: Int
        var y: Int
        var relativeX: Int
        var relativeY: Int
    }

    var x = -1
    var y = -1
    var relativeX = 0
    var relativeY = 0
    var moments: [Moment] = []

    mutating func apply(_ input: InjectedInput) {
        switch input {
        case .movePointer(let newX, let newY): (x, y) = (newX, newY)
        case .movePointerBy(let dx, let dy):
            relativeX += dx
            relativeY += dy
        case .scroll(let dx, let dy):
            // A queued scroll event may be merged with the next one.
            if case .scroll(let sumX, let sumY)? = moments.last?.event, moments.last?.x == x, moments.last?.y == y,
                moments.last?.relativeX == relativeX, moments.last?.relativeY == relativeY
            {
                moments[moments.count - 1].event = .scroll(dx: sumX + dx, dy: sumY + dy)
            } else {
                note(input)
            }
        case .touch(let phase, let newX, let newY, _):
            (x, y) = (newX, newY)
            if phase != .move { note(.button(.left, isDown: phase == .down)) }
        default: note(input)
        }
    }

    private mutating func note(_ event: InjectedInput) {
        moments.append(Moment(event: event, x: x, y: y, relativeX: relativeX, relativeY: relativeY))
    }
}
