import CSDL2
import Foundation
import HelioCore
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

/// A keyboard of a compositor's session with a layout of the tests' choice.
final class LayoutKeyboard {
    private let connection: WaylandConnection
    private let object: UInt32
    private let context: OpaquePointer
    private let keymap: OpaquePointer
    private let state: OpaquePointer
    private var time: UInt32 = 1

    /// - Parameter layout: an XKB layout, such as `de`.
    init(_ session: SwaySession, layout: String) throws {
        connection = try WaylandConnection(path: session.sway.socket)
        let seat = try #require(try connection.bind(.seat))
        let manager = try #require(try connection.bind(.virtualKeyboardManager))
        object = try connection.make(.virtualKeyboard)
        connection.send(.createVirtualKeyboard(object, seat: seat.id), to: manager.id)
        let context = try #require(xkb_context_new(XKB_CONTEXT_NO_FLAGS))
        self.context = context
        let compiled = layout.withCString { layout in
            // Fields that are NULL have the library's defaults: evdev, pc105.
            var names = xkb_rule_names(rules: nil, model: nil, layout: layout, variant: nil, options: nil)
            return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
        }
        keymap = try #require(compiled)
        state = try #require(xkb_state_new(keymap))
        let text = try #require(xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1))
        defer { free(text) }
        let memory = try #require(SharedText(String(cString: text)))
        connection.send(.keymap(format: 1, descriptor: memory.descriptor, size: UInt32(memory.size)), to: object)
        try connection.roundTrip { _ throws(HelioError) in }
    }

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    /// Presses or releases a key by its USB HID usage, with the modifiers that follow from it.
    func key(_ usage: UInt16, isDown: Bool) throws {
        let code = UInt32(try #require(EvdevKeycodes.keycode(usage: usage)))
        time += 1
        connection.send(.key(time: time, code: code - 8, isDown: isDown), to: object)
        xkb_state_update_key(state, code, isDown ? XKB_KEY_DOWN : XKB_KEY_UP)
        func mask(_ part: xkb_state_component) -> UInt32 { xkb_state_serialize_mods(state, part) }
        connection.send(
            .modifiers(
                depressed: mask(XKB_STATE_MODS_DEPRESSED), latched: mask(XKB_STATE_MODS_LATCHED),
                locked: mask(XKB_STATE_MODS_LOCKED), group: 0), to: object)
        try connection.flush()
    }

    func strike(_ usage: UInt16) throws {
        try key(usage, isDown: true)
        try key(usage, isDown: false)
    }
}
