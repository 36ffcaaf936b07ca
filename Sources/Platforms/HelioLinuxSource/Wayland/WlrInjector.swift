package import HelioCore
import HelioGround
internal import HelioWayland
import HelioWaylandWire

/// Injects input into a compositor of wlroots' kind by a virtual pointer and a virtual keyboard, on a connection of its
/// own.
///
/// The keyboard has a keymap of ours, so that any character types. The calls wait for no reply; moves and text are left
/// out while the compositor does not read. Once the connection has failed, all calls do nothing, and another injector
/// has to take over. The compositor lets go of the keys of a keyboard whose program has ended.
package final class WlrInjector: InputInjecting {
    private let connection: WaylandConnection
    private var outputs: WaylandOutputs
    private let seat: UInt32
    private let pointers: (id: UInt32, version: UInt32)
    private let keyboardObject: UInt32
    private var keyboard = VirtualKeyboard()
    private var pointer: UInt32
    /// The output of the followed monitor; `nil` while there is none.
    private var output: WaylandOutput?
    /// The output to which the compositor maps the pointer's coordinates; `nil` if they refer to the whole layout.
    private var mapped: UInt32?
    private var followed: ScreenMonitor.ID?
    private var buttons: Set<PointerButton> = []
    /// The remainder of scrolling that is less than a detent, in 1/120 of a detent.
    private var scrollX = 0
    private var scrollY = 0
    private var hasMoved = false

    /// The distance of a wheel's detent, in units of the layout, as in libinput.
    private static let detent = 15.0

    /// Connects to a compositor. Throws `unsupported` if it takes no input from programs.
    package convenience init(path: String) throws(HelioError) { try self.init(WaylandConnection(path: path)) }

    init(_ connection: WaylandConnection) throws(HelioError) {
        func bind(_ interface: WaylandInterface) throws(HelioError) -> (id: UInt32, version: UInt32) {
            if let bound = try connection.bind(interface) { return bound }
            throw HelioError(
                .unsupported,
                "The Wayland compositor takes no input from programs: it offers no \(interface.rawValue).")
        }
        self.connection = connection
        seat = try bind(.seat).id
        pointers = try bind(.virtualPointerManager)
        let keyboards = try bind(.virtualKeyboardManager)
        outputs = try WaylandOutputs(connection)
        _ = outputs.takeNews()
        pointer = try connection.make(.virtualPointer)
        connection.send(.createVirtualPointer(pointer, seat: seat), to: pointers.id)
        keyboardObject = try connection.make(.virtualKeyboard)
        connection.send(.createVirtualKeyboard(keyboardObject, seat: seat), to: keyboards.id)
        followOutput()
        send(keyboard.beginning)
        try connection.roundTrip { notice throws(HelioError) in try outputs.take(notice, connection) }
    }

    /// Lets go of all keys and buttons that are down.
    deinit {
        send(keyboard.releaseAll())
        for button in buttons { send(.button(time: time, code: Self.code(of: button), isDown: false)) }
        if !buttons.isEmpty { send(.pointerFrame) }
        connection.destroy(pointer)
        connection.destroy(keyboardObject)
        // A compositor drops the unread requests of a program that disconnects.
        try? connection.roundTrip(within: .seconds(1)) { _ throws(HelioError) in }
    }

    /// True once the connection has ended.
    var hasFailed: Bool { connection.hasFailed }

    package func follow(_ monitor: ScreenMonitor) {
        followed = monitor.id
        // An output that was plugged in since the last input is known after two answers: its number, and its
        // description.
        // A compositor that is too slow for that is followed with the input to come.
        do throws(HelioError) {
            while let notice = try connection.next() { try outputs.take(notice, connection) }
            for _ in 0..<2 where outputs.output(monitor.id) == nil {
                try connection.roundTrip(within: .seconds(1)) { notice throws(HelioError) in
                    try outputs.take(notice, connection)
                }
            }
        } catch {
            // `hasFailed` tells whether the connection has ended.
        }
        followOutput()
    }

    package func movePointer(toX x: Int, y: Int) {
        guard !connection.isBehind, let output else { return }
        let size = output.size
        var (px, py) = (max(0, min(x, size.width - 1)), max(0, min(y, size.height - 1)))
        var extent = size
        if mapped == nil {
            // The pixel's place in the layout, in 1/120 of its units.
            let layout = outputs.usable.reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) { $0.union($1.logicalRect) }
            let place = output.logicalRect
            px = 120 * (place.x - layout.x) + px * 120 * place.width / size.width
            py = 120 * (place.y - layout.y) + py * 120 * place.height / size.height
            extent = PixelSize(width: 120 * layout.width, height: 120 * layout.height)
        }
        send(
            .motionAbsolute(
                time: time, x: UInt32(clamping: px), y: UInt32(clamping: py),
                width: UInt32(clamping: max(1, extent.width)),
                height: UInt32(clamping: max(1, extent.height))))
        hasMoved = true
    }

    package func movePointer(byX dx: Int, y dy: Int) {
        if connection.isBehind { return }
        let scale = output?.scale ?? 1
        send(.motion(time: time, dx: Double(dx) / scale, dy: Double(dy) / scale))
        hasMoved = true
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        endMotion()
        if isDown { buttons.insert(button) } else { buttons.remove(button) }
        send(.button(time: time, code: Self.code(of: button), isDown: isDown))
        send(.pointerFrame)
    }

    /// The codes of linux/input-event-codes.h.
    private static func code(of button: PointerButton) -> UInt32 {
        switch button {
        case .left: 0x110
        case .right: 0x111
        case .middle: 0x112
        case .back: 0x113
        case .forward: 0x114
        }
    }

    package func scroll(dx: Int, dy: Int) {
        endMotion()
        // Wayland's axes grow to the right and downwards.
        scroll(by: Self.detents(&scrollX, plus: dx), isHorizontal: true)
        scroll(by: -Self.detents(&scrollY, plus: dy), isHorizontal: false)
    }

    private func scroll(by detents: Int, isHorizontal: Bool) {
        if detents == 0 { return }
        send(.axisSource(0))
        send(
            .axisClicks(
                time: time, isHorizontal: isHorizontal, value: Double(detents) * Self.detent, clicks: detents))
        send(.pointerFrame)
    }

    /// Returns the whole detents of a scroll, at most 100 (against hostile values), and keeps the remainder; that of
    /// the old direction is dropped if the direction changes.
    private static func detents(_ remainder: inout Int, plus delta: Int) -> Int {
        let bounded = max(-12000, min(12000, delta))
        let sum = (remainder ^ bounded) < 0 ? bounded : remainder + bounded
        remainder = sum % 120
        return sum / 120
    }

    package func key(usage: UInt16, isDown: Bool) { send(keyboard.key(usage: usage, isDown: isDown)) }

    package func press(_ scalar: Unicode.Scalar, usage: UInt16) {
        if !connection.isBehind { send(keyboard.press(scalar, usage: usage)) }
    }

    package func type(_ text: String) {
        if !connection.isBehind { send(keyboard.type(text)) }
    }

    package func setLocks(_ locks: LockState) { send(keyboard.setLocks(locks)) }

    package func stopRepeating() { send(keyboard.stopRepeating()) }

    package func flush() {
        endMotion()
        do throws(HelioError) {
            try connection.flush()
            while let notice = try connection.next() { try outputs.take(notice, connection) }
            if outputs.takeNews() { followOutput() }
        } catch {
            // `hasFailed` tells it; and the capture reports that the compositor is gone.
        }
    }

    // MARK: Requests

    /// Milliseconds of a clock, as the compositor's own events have.
    private var time: UInt32 { UInt32(truncatingIfNeeded: MonotonicClock.now.nanoseconds / 1_000_000) }

    private func send(_ request: WaylandRequest) { connection.send(request, to: pointer) }

    private func endMotion() {
        if hasMoved { send(.pointerFrame) }
        hasMoved = false
    }

    private func send(_ steps: [VirtualKeyboard.Step]) {
        endMotion()
        for step in steps {
            switch step {
            case .keymap(let text): sendKeymap(text)
            case .modifiers(let depressed, let locked):
                connection.send(
                    .modifiers(depressed: depressed, latched: 0, locked: locked, group: 0), to: keyboardObject)
            case .key(let code, let isDown):
                // The keyboard takes evdev's codes.
                connection.send(.key(time: time, code: UInt32(code) - 8, isDown: isDown), to: keyboardObject)
            }
        }
    }

    private func sendKeymap(_ text: String) {
        // With the zero byte at its end, which XKB's readers expect.
        guard let memory = SharedText(text) else { return }
        connection.send(
            .keymap(format: 1, descriptor: memory.descriptor, size: UInt32(memory.size)), to: keyboardObject)
    }

    /// Makes the pointer's coordinates refer to the followed monitor's output, or to the first if it is missing.
    private func followOutput() {
        let chosen = followed.flatMap { outputs.output($0) } ?? outputs.usable.first
        output = chosen
        // A compositor turns the coordinates of a mapped pointer with the output, each release in its own way; those in
        // the layout are turned by none.
        let wanted = pointers.version >= 2 && chosen?.transform == .normal ? chosen?.object : nil
        guard wanted != mapped, let other = try? connection.make(.virtualPointer) else { return }
        mapped = wanted
        // A pointer's output can't be changed, so another pointer takes over; its buttons are up.
        for button in buttons { send(.button(time: time, code: Self.code(of: button), isDown: false)) }
        if !buttons.isEmpty { send(.pointerFrame) }
        buttons = []
        connection.destroy(pointer)
        connection.send(
            wanted.map { .createVirtualPointerOnOutput(other, seat: seat, output: $0) }
                ?? .createVirtualPointer(other, seat: seat), to: pointers.id)
        pointer = other
    }
}
