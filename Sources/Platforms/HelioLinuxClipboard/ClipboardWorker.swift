import CXCB
import Glibc
import HelioCore
import HelioLinuxWaiting

/// What the clipboard's thread does: waits for the X server, for calls and for what is due, and never for a program.
///
/// It does wait for answers of the server itself; `X11Clipboard.stop` ends that.
final class ClipboardWorker {
    let x: ClipboardConnection
    let options: X11ClipboardOptions
    let mailbox: ClipboardMailbox

    /// Who had copied before this began. Asked after the server was told to report changes: none is missed, and none that
    /// comes later is taken for it.
    private let firstOwner: xcb_window_t?

    // What programs of this machine copy.
    var serial: UInt64 = 0
    /// The target by which each format of the present copy is read.
    var readable: [ClipboardFormat: xcb_atom_t] = [:]
    /// When the present copy was made, by the server's clock.
    var copiedAt: xcb_timestamp_t = 0
    /// The time from which the present copy is looked at; `nil`: that has happened.
    var lookAt: Instant?
    var nextLook = Instant.zero
    /// The formats that are reported, unless it is a secret.
    var found: [ClipboardEntry] = []
    /// The read that is under way, and those that wait: programs can't be trusted with two at once.
    var reads: [SelectionRead] = []
    /// The windows of reads that were given up. The program may still write to them: not every one survives that a
    /// window is gone.
    var abandoned: [(window: xcb_window_t, until: Instant)] = []

    // What is offered here.
    /// An offer that waits for the server's time.
    var nextOffer: [ClipboardEntry]?
    var offer: (entries: [ClipboardEntry], since: xcb_timestamp_t)?
    /// The events to come that tell of our own offers. What the server tells ahead of them is older than those.
    var ownEventsDue = 0
    /// True from our giving the selection up until the server says that nobody has it.
    var isLettingGo = false
    var requests: [SelectionRequest] = []
    /// The formats that the other machine was asked for.
    var pastes: [PasteID: (format: ClipboardFormat, until: Instant)] = [:]
    var nextPaste: UInt64 = 1

    /// Starts the thread, which lets go of all that it has when it ends; `nil` where the system has none left.
    static func start(
        _ connection: ClipboardConnection, _ options: X11ClipboardOptions, _ mailbox: ClipboardMailbox
    ) -> pthread_t? {
        let argument = Unmanaged.passRetained(ClipboardWorker(connection, options, mailbox)).toOpaque()
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { ClipboardWorker.enter($0) }, argument) == 0 else {
            Unmanaged<ClipboardWorker>.fromOpaque(argument).release()
            return nil
        }
        return thread
    }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let worker = Unmanaged<ClipboardWorker>.fromOpaque(argument).takeRetainedValue()
        let ended = worker.mailbox.ended
        worker.run()
        ended.signal()
        return nil
    }

    private init(_ connection: ClipboardConnection, _ options: X11ClipboardOptions, _ mailbox: ClipboardMailbox) {
        x = connection
        firstOwner = connection.owner
        self.options = options
        self.mailbox = mailbox
    }

    private func run() {
        do throws(HelioError) {
            if let firstOwner, firstOwner != 0 { ownerChanged(to: firstOwner, at: 0) }
            try x.checkAlive()
            while let calls = mailbox.takeCalls() {
                for call in calls { take(call) }
                let now = Instant.monotonicNow
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

    /// Takes all events and sends all requests. After that nothing waits inside the library, where no `poll` sees it: it
    /// reads events while it sends, and while it waits for answers.
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
            // Of a window that is gone, as a rule.
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
