import CXCB
import Glibc
import HelioCore
import HelioGround

/// The clipboard's thread: waits for the X server's events, for calls and for deadlines, but never for another program.
///
/// The thread blocks only for replies of the server itself; `X11Clipboard.stop` ends such a wait.
final class ClipboardWorker: ClipboardWork {
    let x: ClipboardConnection
    let options: X11ClipboardOptions
    let mailbox: ClipboardMailbox

    /// The owner of the selection at the start. It is queried after the subscription to changes, so that no change is
    /// missed.
    private let firstOwner: xcb_window_t?

    // State of content that other programs on this machine have copied: they own the selection.
    var serial: UInt64 = 0
    /// The target with which each format of the present copy is read.
    var readable: [ClipboardFormat: xcb_atom_t] = [:]
    /// The server's timestamp of the present copy.
    var copiedAt: xcb_timestamp_t = 0
    /// The time at which the present copy's formats are to be requested; `nil` once they were requested.
    var lookAt: Instant?
    var nextLook = Instant.zero
    /// The formats to report, unless the copy is marked as secret.
    var found: [ClipboardEntry] = []
    /// The current read, followed by the queued ones: not every program can answer two at a time.
    var reads: [SelectionRead] = []
    /// The windows of cancelled reads, kept for a while: the other program may still write to them, and some programs
    /// crash if the window no longer exists.
    var abandoned: [(window: xcb_window_t, until: Instant)] = []

    // State of the other machine's content that this program offers: it owns the selection.
    /// The offer that waits for a timestamp of the server; `nil` if none waits.
    var nextOffer: [ClipboardEntry]?
    var offer: (entries: [ClipboardEntry], since: xcb_timestamp_t)?
    /// The number of expected owner events for this program's own offers. Other owner events that arrive before them
    /// are older than the offers, and ignored.
    var ownEventsDue = 0
    /// True from the request to give up the selection until the server reports that it has no owner.
    var isLettingGo = false
    var requests: [SelectionRequest] = []
    /// The content that was requested from the other machine, with the deadline of each request.
    var pastes: [PasteID: (format: ClipboardFormat, until: Instant)] = [:]
    var nextPaste: UInt64 = 1

    init(_ connection: ClipboardConnection, _ options: X11ClipboardOptions, _ mailbox: ClipboardMailbox) {
        x = connection
        firstOwner = connection.owner
        self.options = options
        self.mailbox = mailbox
    }

    func run() {
        do throws(HelioError) {
            if let firstOwner, firstOwner != 0 { ownerChanged(to: firstOwner, at: 0) }
            try x.checkAlive()
            while let calls = mailbox.takeCalls() {
                for call in calls { take(call) }
                let now = MonotonicClock.now
                lookIfDue(now)
                endOverdueReads(now)
                endOverdueRequests(now)
                try takeEvents()
                try x.checkAlive()
                mailbox.wakeup.wait(alongside: x.fileDescriptor, until: deadline)
            }
        } catch {
            failAll()
            mailbox.tell(.lost(error))
        }
        mailbox.setDescriptor(nil)
    }

    private var deadline: Instant? {
        var times = pastes.values.map(\.until)
        if let lookAt { times.append(lookAt) }
        if let read = reads.first { times.append(overdue(read)) }
        if let oldest = abandoned.first { times.append(oldest.until) }
        times += requests.compactMap(overdue)
        return times.min()
    }

    private func take(_ call: ClipboardMailbox.Call) {
        switch call {
        case .offer(let entries): begin(entries)
        case .withdraw: letGo()
        case .read(let format, let serial, let limit, let id): read(format, serial, limit: limit, id)
        case .provide(let paste, let content): provide(paste, content)
        }
    }

    private func failAll() {
        for read in reads {
            if case .content(let id, _) = read.purpose { mailbox.tell(.content(id, .failure(.failed))) }
        }
        reads = []
        for paste in pastes.keys { mailbox.tell(.unwanted(paste)) }
        pastes = [:]
        requests = []
    }

    /// Handles all events and sends all requests. Repeats until libxcb has no queued event, which `poll` on the socket
    /// would not notice: libxcb may read events while it sends or waits for replies.
    private func takeEvents() throws(HelioError) {
        xcb_flush(x.raw)
        while let event = try x.nextEvent() {
            take(event)
            free(event)
            xcb_flush(x.raw)
        }
    }

    private func take(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let type = event.pointee.response_type & 0x7F
        if type == 0 {
            // The event is an error, usually about a window that no longer exists.
            let window = event.withMemoryRebound(to: xcb_generic_error_t.self, capacity: 1) { $0.pointee.resource_id }
            return requestorVanished(window)
        }
        if x.isOwnerEvent(type) {
            let change = event.withMemoryRebound(to: xcb_xfixes_selection_notify_event_t.self, capacity: 1) {
                $0.pointee
            }
            if change.selection == x.atoms.selection { ownerChanged(to: change.owner, at: change.selection_timestamp) }
            return
        }
        switch Int32(type) {
        case XCB_SELECTION_NOTIFY:
            let notice = event.withMemoryRebound(to: xcb_selection_notify_event_t.self, capacity: 1) { $0.pointee }
            answered(notice.requestor, hasContent: notice.property != 0)
        case XCB_SELECTION_REQUEST:
            requested(event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { $0.pointee })
        case XCB_PROPERTY_NOTIFY:
            propertyChanged(
                event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) { $0.pointee })
        case XCB_DESTROY_NOTIFY:
            requestorVanished(
                event.withMemoryRebound(to: xcb_destroy_notify_event_t.self, capacity: 1) { $0.pointee.window })
        default: break
        }
    }

    private func propertyChanged(_ event: xcb_property_notify_event_t) {
        let isDeleted = UInt32(event.state) == XCB_PROPERTY_DELETE.rawValue
        if event.window == x.window {
            if event.atom == x.atoms.time, !isDeleted { own(at: event.time) }
        } else if event.window == reads.first?.window {
            if event.atom == x.atoms.transfer, !isDeleted { pieceCame() }
        } else if isDeleted {
            pieceWasTaken(event.window, event.atom)
        }
    }
}
