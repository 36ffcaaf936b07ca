import HelioCore
import HelioHost
import HelioRemote
import HelioRemoteWire
import HelioSession

/// Fuzzes the host's control with two browsers that send arbitrary messages on their data channels.
///
/// Each message is preceded by a byte with its length; the byte's lowest two bits select the browser and the channel.
package enum WebControlFuzz {
    /// Runs the control with any bytes. Traps if a key is pressed twice or released without being pressed, if two
    /// browsers have control, if the host sends a message that can't be parsed, or if a key stays down after both have
    /// left.
    package static func run(_ bytes: [UInt8]) {
        let ends = Ends()
        var start = 0
        var now = Instant.zero
        while start < bytes.count {
            let first = bytes[start]
            let end = min(bytes.count, start + 1 + Int(first >> 2) * 4)
            let channel = first & 2 == 0 ? RemoteChannel.control : .moves
            now = now + .milliseconds(Int(first))
            ends.control.tick(now: now)
            ends.say(Array(bytes[start + 1..<end]), channel, by: Int(first & 1), now: now)
            start = end
        }
        for browser in 0..<2 { ends.tell(browser, .close, now: now) }
        precondition(ends.down.isEmpty && ends.buttons.isEmpty, "something stays down")
        precondition(ends.control.channelCount == 0 && ends.control.deadline == nil, "something is left")
    }

    private final class Ends {
        let control = HostControl(screen: PixelSize(width: 640, height: 480), crypto: ToyCrypto())
        var down: Set<UInt16> = []
        var buttons: Set<PointerButton> = []
        private var states: [ConnectionID: ControlState] = [:]
        private var readers = [WebMessageReader(), WebMessageReader()]

        init() {
            control.handle(.monitors(["A"]), now: .zero)
            for browser in 0..<2 { tell(browser, .open(name: "x", allowsControl: true), now: .zero) }
        }

        /// Parses a message as the browser's session does, and passes it to the control, even if the session itself
        /// would answer it.
        func say(_ bytes: [UInt8], _ channel: RemoteChannel, by browser: Int, now: Instant) {
            switch readers[browser].read(bytes, channel, now: now) {
            case .message(let message): tell(browser, .message(message, channel), now: now)
            case .mistake: tell(browser, .heard, now: now)
            case .dropped: break
            }
        }

        func tell(_ browser: Int, _ input: WebControl, now: Instant) {
            control.handle(.web(ConnectionID(UInt64(browser)), input), now: now)
            while let output = control.poll() {
                switch output {
                case .inject(let inputs): for input in inputs { take(input) }
                case .web(let id, let bytes, let channel):
                    guard let message = try? HostMessage(parsing: bytes),
                        message.channel == channel || message.type == "inputsDone"
                    else {
                        preconditionFailure("not read")
                    }
                    if case .control(let state) = message { states[id] = state }
                default: break
                }
            }
            precondition(states.values.count { $0 == .yours } <= 1, "two drive")
        }

        private func take(_ input: InjectedInput) {
            switch input {
            case .key(let usage, true), .character(_, let usage):
                precondition(down.insert(usage).inserted, "down twice")
            case .key(let usage, false): precondition(down.remove(usage) != nil, "up, and was not down")
            case .button(let button, true): precondition(buttons.insert(button).inserted, "down twice")
            case .button(let button, false): precondition(buttons.remove(button) != nil, "up, and was not down")
            default: break
            }
        }
    }
}
