import HelioControlWire
import HelioCore
import HelioRemote

/// Fuzzes the parser of control datagrams and the host's receiver. A parsed message must survive a round trip, and no
/// key, button or touch may stay down after the viewer has left.
package enum ControlWireFuzz {
    package static func run(_ bytes: [UInt8]) {
        if let message = try? ControlMessage(parsing: bytes.span.bytes) {
            let again = try? ControlMessage(parsing: message.serialised().span.bytes)
            precondition(again == message, "message changed on its way")
        }
        var receiver = ControlReceiver(mapper: CoordinateMapper(size: PixelSize(width: 640, height: 360)))
        receiver.handle(.datagram(bytes), now: .zero)
        receiver.handle(.viewerGone, now: .zero)
        var down: Set<InjectedInput> = []
        while let output = receiver.poll() {
            guard case .inject(let input) = output else { continue }
            switch input {
            case .movePointer(let x, let y):
                precondition((0..<640).contains(x) && (0..<360).contains(y), "pointer left the screen")
            case .key(let usage, let isDown):
                let key = InjectedInput.key(usage: usage, isDown: true)
                precondition(isDown ? down.insert(key).inserted : down.remove(key) != nil, "key is out of step")
            case .character(_, let usage):
                precondition(down.insert(.key(usage: usage, isDown: true)).inserted, "key is out of step")
            case .button(let button, let isDown):
                let key = InjectedInput.button(button, isDown: true)
                precondition(isDown ? down.insert(key).inserted : down.remove(key) != nil, "button is out of step")
            case .touch(let phase, let x, let y, let pressure):
                precondition((0..<640).contains(x) && (0..<360).contains(y), "a finger left the screen")
                precondition((0...1).contains(pressure), "no pressure")
                let key = InjectedInput.touch(.down, x: 0, y: 0, pressure: 0)
                switch phase {
                case .down: precondition(down.insert(key).inserted, "a finger is out of step")
                case .move: precondition(down.contains(key), "a finger moves that is not there")
                case .up, .cancelled: precondition(down.remove(key) != nil, "a finger is out of step")
                }
            default: break
            }
        }
        precondition(down.isEmpty && receiver.deadline == nil, "something stayed down")
    }
}
