import CXCB
import Glibc
import HelioCore

/// The atoms that the clipboard needs, which each X server numbers differently.
struct ClipboardAtoms {
    let selection: xcb_atom_t
    /// The property of this program's windows to which other programs write content. `time` is a property that this
    /// program changes in order to get the server's time from the PropertyNotify event.
    let transfer: xcb_atom_t
    let time: xcb_atom_t

    let targets: xcb_atom_t
    let timestamp: xcb_atom_t
    let multiple: xcb_atom_t
    let atomPair: xcb_atom_t
    let incr: xcb_atom_t
    /// The target with which a password manager marks its copies as secret.
    let passwordHint: xcb_atom_t

    /// The property of the root window that stores the server's name.
    let serverName: xcb_atom_t

    let utf8String: xcb_atom_t
    let utf8Text: xcb_atom_t
    let plainText: xcb_atom_t
    let anyText: xcb_atom_t
    let html: xcb_atom_t
    let png: xcb_atom_t
    var latin1: xcb_atom_t { XCB_ATOM_STRING.rawValue }

    init(_ connection: OpaquePointer, selection: X11Selection) throws(HelioError) {
        let names = [
            selection.rawValue, "HELIOGRAPH_CLIPBOARD", "HELIOGRAPH_TIME", "TARGETS", "TIMESTAMP", "MULTIPLE",
            "ATOM_PAIR", "INCR", "x-kde-passwordManagerHint", "UTF8_STRING", "text/plain;charset=utf-8", "text/plain",
            "TEXT", "text/html", "image/png", "HELIOGRAPH_SERVER",
        ]
        // Send all requests before waiting for the first reply, to wait for only one round trip.
        let cookies = names.map { xcb_intern_atom(connection, 0, UInt16($0.utf8.count), $0) }
        var atoms: [xcb_atom_t] = []
        for cookie in cookies {
            guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else {
                throw HelioError(.systemFailed, "The X display gives no clipboard.")
            }
            atoms.append(reply.pointee.atom)
            free(reply)
        }
        self.selection = atoms[0]
        transfer = atoms[1]
        time = atoms[2]
        targets = atoms[3]
        timestamp = atoms[4]
        multiple = atoms[5]
        atomPair = atoms[6]
        incr = atoms[7]
        passwordHint = atoms[8]
        utf8String = atoms[9]
        utf8Text = atoms[10]
        plainText = atoms[11]
        anyText = atoms[12]
        html = atoms[13]
        png = atoms[14]
        serverName = atoms[15]
    }

    /// Returns the targets with which content of a format can be requested, best first.
    func targets(of format: ClipboardFormat) -> [xcb_atom_t] {
        switch format {
        case .text: [utf8String, utf8Text, latin1]
        case .html: [html]
        case .png: [png]
        }
    }

    /// Returns all targets that are answered with content of a format.
    func answered(_ format: ClipboardFormat) -> [xcb_atom_t] {
        format == .text ? [utf8String, utf8Text, plainText, anyText, latin1] : targets(of: format)
    }

    /// Returns the format that a target requests; `nil` for an unknown target.
    func format(of target: xcb_atom_t) -> ClipboardFormat? {
        ClipboardFormat.allCases.first { answered($0).contains(target) }
    }
}
