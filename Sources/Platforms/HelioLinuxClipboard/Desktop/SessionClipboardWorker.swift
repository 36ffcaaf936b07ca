import Glibc
import HelioCore
import HelioDBusWire
import HelioDesktop
import HelioGround

/// The thread of a desktop's clipboard: waits for the desktop's signals, for calls, for the pipes of content, and for
/// deadlines. Of the desktop it waits for the answers to short calls alone.
final class SessionClipboardWorker: ClipboardWork {
    /// The session, which lasts as long as its clipboard.
    private let session: any DesktopSession
    /// The way to its clipboard: another one if the session was begun anew.
    private(set) var port: DesktopClipboardPort
    let options: X11ClipboardOptions
    let mailbox: ClipboardMailbox
    private let events: SessionClipboardEvents
    private var subscription: BusSubscription?
    /// The time at which to look whether a session that was closed is begun anew, and how often that was done.
    private var lookAt: Instant?
    private var looks = 0
    /// The most looks, and the time between them.
    private static let mostLooks = 20, lookInterval = Duration.milliseconds(250)

    /// The time for the desktop's answer to a call.
    static let patience = Duration.seconds(2)
    /// The types that mark a copy as a password manager's.
    private static let secretHints: Set = ["x-kde-passwordManagerHint"]

    /// The number of the present copy, and the type with which each of its formats is read.
    var serial: UInt64 = 0
    var readable: [ClipboardFormat: String] = [:]
    var reads: [PipeRead] = []
    var waiting: [WaitingRead] = []
    /// The time before which the desktop is not asked again.
    var nextTry = Instant.zero
    /// The formats of the other machine's offer; empty if there is none.
    var offered: [ClipboardFormat] = []
    var pastes: [PipePaste] = []

    init(
        _ session: any DesktopSession, _ options: X11ClipboardOptions, _ mailbox: ClipboardMailbox
    ) throws(HelioError) {
        guard let port = session.clipboard else {
            throw HelioError(.unsupported, "The desktop's session shares no clipboard.")
        }
        self.session = session
        self.port = port
        self.options = options
        self.mailbox = mailbox
        events = SessionClipboardEvents(mailbox.wakeup)
        do throws(BusFailure) {
            try switchOn()
        } catch {
            throw error.error(.unsupported, "The desktop does not share its clipboard")
        }
    }

    private func switchOn() throws(BusFailure) {
        let events = events
        subscription = try port.bus.listen(
            to: port.interface, path: port.path, ended: { events.lose() }, { events.take($0) })
        if port.isSwitchedOn { try port.bus.call(port.message("EnableClipboard", [.options([:])])) }
    }

    /// Follows a session that was begun anew; returns false if none was for seconds.
    private func renewIfDue(_ now: Instant) -> Bool {
        guard let due = lookAt, due <= now else { return true }
        if let other = session.clipboard, other.path != port.path {
            lookAt = nil
            port = other
            guard (try? switchOn()) != nil else { return false }
            if !offered.isEmpty { offer(offered.map { ClipboardEntry($0) }) }
            return true
        }
        looks += 1
        lookAt = now + Self.lookInterval
        return looks < Self.mostLooks && session.end == nil
    }

    deinit {
        for read in reads { close(read.descriptor) }
        for paste in pastes where paste.descriptor >= 0 { close(paste.descriptor) }
    }

    func run() {
        while let calls = mailbox.takeCalls() {
            for call in calls { take(call) }
            let news = events.next()
            if let types = news.copied { changed(to: types) }
            for paste in news.refused {
                count(.pasteBusy)
                finish(paste.serial, isWhole: false)
            }
            for paste in news.pastes { requested(paste.type, paste.serial) }
            let now = MonotonicClock.now
            endOverdueReads(now)
            endOverduePastes(now)
            beginReadIfDue(now)
            if news.isClosed { (lookAt, looks) = (now, 0) }
            let goesOn = renewIfDue(now)
            if news.isLost || !goesOn {
                for id in reads.compactMap(\.id) + waiting.map(\.id) { mailbox.tell(.content(id, .failure(.failed))) }
                mailbox.tell(.lost(HelioError(.systemFailed, "The desktop has ended its clipboard.")))
                return
            }
            wait()
        }
        if !offered.isEmpty { port.bus.post(port.message("SetSelection", [.options([:])])) }
    }

    /// Waits for whatever comes first, and moves content through the pipes that are ready.
    private func wait() {
        var polled = [DescriptorPoll(mailbox.wakeup.descriptor)]
        polled += reads.map { DescriptorPoll($0.descriptor) }
        let writing = pastes.filter { $0.descriptor >= 0 }
        polled += writing.map { DescriptorPoll($0.descriptor, wantsToSend: true) }
        DescriptorPoll.wait(&polled, until: deadline)
        let ready = Set(polled.dropFirst().filter { $0.isReadable || $0.isWritable }.map(\.descriptor))
        for read in reads where ready.contains(read.descriptor) { takePiece(of: read.descriptor) }
        for paste in writing where ready.contains(paste.descriptor) { givePiece(to: paste.id) }
    }

    private var deadline: Instant? {
        let trying = waiting.isEmpty || !reads.isEmpty ? [] : [nextTry]
        return (trying + [lookAt].compactMap(\.self) + reads.map { $0.overdue(options) } + pastes.map(\.until)).min()
    }

    private func take(_ call: ClipboardMailbox.Call) {
        switch call {
        case .offer(let entries): offer(entries)
        case .withdraw: offer([])
        case .read(let format, let serial, let limit, let id): read(format, serial, limit: limit, id)
        case .provide(let paste, let content): provide(paste, content)
        }
    }

    func count(_ drop: SessionClipboardDrop) { mailbox.count(named: drop.rawValue) }

    /// Handles a copy by a program on this machine.
    private func changed(to types: [String]) {
        // Neither is an empty clipboard a change that was empty from the start.
        if types.isEmpty, serial == 0 { return }
        serial += 1
        offered = []
        readable = [:]
        for read in reads { close(read.descriptor) }
        for id in reads.compactMap(\.id) + waiting.map(\.id) {
            count(.readGone)
            mailbox.tell(.content(id, .failure(.gone)))
        }
        (reads, waiting) = ([], [])
        if types.contains(where: Self.secretHints.contains) {
            count(.secret)
        } else {
            for format in ClipboardFormat.allCases {
                readable[format] = DataControlWorker.types(of: format).first { types.contains($0) }
            }
        }
        mailbox.count { $0.changes += 1 }
        let entries = ClipboardFormat.allCases.filter { readable[$0] != nil }.map { ClipboardEntry($0) }
        mailbox.tell(.changed(ClipboardSerial(serial), entries))
    }
}
