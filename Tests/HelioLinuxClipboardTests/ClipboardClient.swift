import CXCB
import Glibc
import HelioCore
import HelioTestPrograms

@testable import HelioLinuxClipboard

/// An X client that copies and pastes on the test's orders, correctly or not.
final class ClipboardClient {
    let x: ClipboardConnection
    var atoms: ClipboardAtoms { x.atoms }
    /// The number of requests for each target.
    private(set) var asked: [xcb_atom_t: Int] = [:]

    init(_ display: String) throws { x = try ClipboardConnection(display: display, selection: .clipboard) }

    func atom(_ name: String) -> xcb_atom_t {
        let reply = xcb_intern_atom_reply(x.raw, xcb_intern_atom(x.raw, 0, UInt16(name.utf8.count), name), nil)
        defer { free(reply) }
        return reply?.pointee.atom ?? 0
    }

    func copy() {
        xcb_set_selection_owner(x.raw, x.window, atoms.selection, 0)
        xcb_flush(x.raw)
    }

    func sync() { _ = x.owner }

    /// Serves conversion requests of other clients until the condition holds.
    func serve(_ content: [xcb_atom_t: [UInt8]], until holds: () -> Bool) throws {
        let patience = Patience()
        while !holds() {
            guard let event = try event(patience, Int32(XCB_SELECTION_REQUEST), soon: true) else { continue }
            let request = event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { $0.pointee }
            free(event)
            asked[request.target, default: 0] += 1
            if request.target == atoms.targets {
                let targets = [atoms.targets] + content.keys
                x.put(targets, XCB_ATOM_ATOM.rawValue, to: request.property, of: request.requestor)
            } else if let bytes = content[request.target] {
                x.put(bytes[...], request.target, to: request.property, of: request.requestor)
            } else {
                x.notify(request, property: 0)
                xcb_flush(x.raw)
                continue
            }
            x.notify(request, property: request.property)
            xcb_flush(x.raw)
        }
    }

    /// Requests a target without waiting.
    func ask(_ target: xcb_atom_t, time: xcb_timestamp_t = 0) {
        xcb_convert_selection(x.raw, x.window, atoms.selection, target, atoms.transfer, time)
        xcb_flush(x.raw)
    }

    /// Waits for the response; `nil` if the request is refused.
    func answer() throws -> (type: xcb_atom_t, bytes: [UInt8])? {
        guard let event = try event(Patience(), Int32(XCB_SELECTION_NOTIFY), soon: false) else { return nil }
        let property = event.withMemoryRebound(to: xcb_selection_notify_event_t.self, capacity: 1) {
            $0.pointee.property
        }
        free(event)
        guard property != 0, let found = x.describe(property, of: x.window),
            let bytes = x.take(property, of: x.window, size: found.size)
        else { return nil }
        return (found.type, bytes)
    }

    func paste(_ target: xcb_atom_t) throws -> (type: xcb_atom_t, bytes: [UInt8])? {
        ask(target)
        return try answer()
    }

    /// Receives the next piece of an incremental (INCR) transfer.
    func piece() throws -> [UInt8] {
        while true {
            guard let event = try event(Patience(), Int32(XCB_PROPERTY_NOTIFY), soon: false) else { return [] }
            let isNew = event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
                $0.pointee.atom == atoms.transfer && UInt32($0.pointee.state) == XCB_PROPERTY_NEW_VALUE.rawValue
            }
            free(event)
            guard isNew, let found = x.describe(atoms.transfer, of: x.window) else { continue }
            return x.take(atoms.transfer, of: x.window, size: found.size) ?? []
        }
    }

    /// Returns the next event of a type; others are discarded.
    ///
    /// - Parameter soon: whether to return `nil` if the event does not arrive at once.
    private func event(
        _ patience: Patience, _ type: Int32, soon: Bool
    ) throws -> UnsafeMutablePointer<xcb_generic_event_t>? {
        while true {
            if let event = try x.nextEvent() {
                if Int32(event.pointee.response_type & 0x7F) == type { return event }
                free(event)
                continue
            }
            if soon {
                _ = Patience(.milliseconds(5)).waitToRead(x.fileDescriptor)
                if let event = try x.nextEvent() {
                    if Int32(event.pointee.response_type & 0x7F) == type { return event }
                    free(event)
                }
                if patience.isOver { throw Patience.Exhausted(description: "the program was never asked enough") }
                return nil
            }
            guard patience.waitToRead(x.fileDescriptor) else {
                throw Patience.Exhausted(description: "no event \(type) came to the program")
            }
        }
    }
}
