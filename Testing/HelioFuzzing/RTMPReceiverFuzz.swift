import HelioBroadcast
import HelioCore
import HelioRTMP
import HelioReceivers

/// Fuzzes `RTMPReceiver` with a hostile publisher. The result must not depend on how the bytes are split, buffering
/// must be bounded, and no output may follow the end.
package enum RTMPReceiverFuzz {
    package static func run(_ bytes: [UInt8]) {
        let whole = outputs(bytes, piece: max(1, bytes.count))
        let pieces = outputs(bytes, piece: 1 + Int(bytes.last ?? 0) % 50)
        precondition(whole.events == pieces.events, "cutting changed the events")
        precondition(whole.sent == pieces.sent, "cutting changed the answers")
    }

    private static func outputs(_ bytes: [UInt8], piece: Int) -> (events: [RTMPReceiverEvent], sent: [UInt8]) {
        var receiver = RTMPReceiver(seed: 1, now: .zero)
        var events: [RTMPReceiverEvent] = []
        var sent: [UInt8] = []
        var isOver = false
        func drain() {
            while let output = receiver.poll() {
                precondition(!isOver, "something came behind the end")
                switch output {
                case .send(let bytes): sent += bytes
                case .event(let event): events.append(event)
                case .close: isOver = true
                }
            }
            precondition(isOver == (receiver.deadline == nil))
        }
        // Send a complete handshake, which a fuzzer would never find, unless the bytes start with one.
        if bytes.first != RTMP.version {
            let handshake = [RTMP.version] + [UInt8](repeating: 0, count: 2 * RTMP.handshakeSize)
            receiver.handle(.received(handshake), now: .zero)
            drain()
        }
        var start = 0
        while start < bytes.count, !isOver {
            let end = min(start + piece, bytes.count)
            receiver.handle(.received(Array(bytes[start..<end])), now: .zero)
            start = end
            drain()
            precondition(receiver.bufferedByteCount <= bytes.count + 2 * RTMP.handshakeSize)
        }
        receiver.handle(.disconnected, now: .zero)
        drain()
        return (events, sent)
    }
}
