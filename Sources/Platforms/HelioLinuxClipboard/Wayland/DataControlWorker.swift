import Glibc
import HelioCore
import HelioGround
import HelioWayland
import HelioWaylandWire

/// The thread of a Wayland clipboard: waits for the compositor's events, for calls, for the pipes of content, and for
/// deadlines, but never for another program.
final class DataControlWorker: ClipboardWork {
    let connection: WaylandConnection
    let options: X11ClipboardOptions
    let mailbox: ClipboardMailbox
    let manager: (id: UInt32, version: UInt32)
    let device: UInt32

    // State of content that other programs on this machine have copied.
    /// The formats of each offer that the compositor has announced, in the order of the announcements.
    var offers: [(object: UInt32, types: [String])] = []
    /// The offer of the present copy; `nil` if there is none, or it is this program's own.
    var selected: UInt32?
    var serial: UInt64 = 0
    /// The type with which each format of the present copy is read.
    var readable: [ClipboardFormat: String] = [:]
    /// The time at which the present copy is to be reported; `nil` once it was.
    var lookAt: Instant?
    var nextLook = Instant.zero
    var reads: [PipeRead] = []

    // State of the other machine's content that this program offers.
    var own: (source: UInt32, entries: [ClipboardEntry])?
    /// The type by which this program knows its own offer among those that the compositor announces.
    let mark: String
    /// True from this program's offer until the compositor announces it.
    var isOwnDue = false
    var pastes: [PipePaste] = []
    var nextPaste: UInt64 = 1
    /// True from the withdrawal of this program's offer until the compositor reports the empty clipboard.
    var isLettingGo = false
    private var isFinished = false

    init(
        _ connection: WaylandConnection, _ options: X11ClipboardOptions, _ mailbox: ClipboardMailbox
    ) throws(HelioError) {
        let older = try connection.bind(.dataControlManager)
        let newer = older == nil ? try connection.bind(.commonDataControlManager) : nil
        guard let manager = older ?? newer, let seat = try connection.bind(.seat) else {
            throw HelioError(
                .unsupported,
                "The Wayland compositor lets no program share its clipboard: it offers neither "
                    + "\(WaylandInterface.dataControlManager.rawValue) nor "
                    + "\(WaylandInterface.commonDataControlManager.rawValue).")
        }
        // wlroots' has text that is only selected from version 2 on; the other has it always.
        guard options.selection == .clipboard || older == nil || manager.version >= 2 else {
            throw HelioError(.unsupported, "The Wayland compositor does not share text that is only selected.")
        }
        self.connection = connection
        self.options = options
        self.mailbox = mailbox
        self.manager = manager
        device = try connection.make(.dataControlDevice, version: manager.version)
        connection.send(.getDataDevice(device, seat: seat.id), to: manager.id)
        try connection.flush()
        var random = SystemRandomNumberGenerator()
        mark = "application/x-heliograph-\(String(UInt64.random(in: .min ... .max, using: &random), radix: 16))"
    }

    deinit {
        for read in reads { close(read.descriptor) }
        for paste in pastes { close(paste.descriptor) }
    }

    func run() {
        do throws(HelioError) {
            while let calls = mailbox.takeCalls() {
                for call in calls { take(call) }
                while let notice = try connection.next() { try take(notice) }
                let now = MonotonicClock.now
                reportIfDue(now)
                endOverdueReads(now)
                endOverduePastes(now)
                try connection.flush()
                if isFinished { throw HelioError(.systemFailed, "The Wayland compositor has ended its clipboard.") }
                wait()
            }
        } catch {
            failAll()
            mailbox.tell(.lost(error))
        }
        mailbox.setDescriptor(nil)
    }

    /// Waits for whatever comes first, and moves content through the pipes that are ready.
    private func wait() {
        var polled = [DescriptorPoll(mailbox.wakeup.descriptor), connection.poll]
        polled += reads.map { DescriptorPoll($0.descriptor) }
        // A paste that waits for its content is watched for the end of its program alone.
        polled += pastes.map { DescriptorPoll($0.descriptor, wantsToSend: $0.content != nil) }
        DescriptorPoll.wait(&polled, until: deadline)
        let ready = Set(polled.dropFirst(2).filter { $0.isReadable || $0.isWritable }.map(\.descriptor))
        for read in reads where ready.contains(read.descriptor) { takePiece(of: read.descriptor) }
        for paste in pastes where ready.contains(paste.descriptor) { givePiece(to: paste.id) }
    }

    private var deadline: Instant? {
        ([lookAt].compactMap(\.self) + reads.map { $0.overdue(options) } + pastes.map(\.until)).min()
    }

    private func take(_ call: ClipboardMailbox.Call) {
        switch call {
        case .offer(let entries): begin(entries)
        case .withdraw: letGo()
        case .read(let format, let serial, let limit, let id): read(format, serial, limit: limit, id)
        case .provide(let paste, let content): provide(paste, content)
        }
    }

    private func take(_ notice: WaylandConnection.Notice) throws(HelioError) {
        let isPrimary = options.selection == .primary
        switch notice.event {
        case .offered(let object): announced(object)
        case .type(let type): announced(type, of: notice.object)
        case .selection(let object) where !isPrimary: selectionChanged(to: object)
        case .primarySelection(let object) where isPrimary: selectionChanged(to: object)
        case .send(let type, let descriptor): requested(type, descriptor, of: notice.object)
        case .cancelled: replaced(notice.object)
        case .finished: isFinished = true
        default: break
        }
    }

    func count(_ drop: WaylandClipboardDrop) { mailbox.count(named: drop.rawValue) }

    private func failAll() {
        for read in reads {
            close(read.descriptor)
            if let id = read.id { mailbox.tell(.content(id, .failure(.failed))) }
        }
        reads = []
        for paste in pastes {
            close(paste.descriptor)
            if paste.content == nil { mailbox.tell(.unwanted(paste.id)) }
        }
        pastes = []
    }
}

/// A read of content from a program on this machine.
struct PipeRead {
    /// `nil` for the mark of a password manager.
    let id: ClipboardReadID?
    let format: ClipboardFormat
    let limit: Int
    /// The pipe's end.
    let descriptor: Int32
    let begun: Instant
    var lastProgress: Instant
    var bytes: [UInt8] = []

    /// The time at which the program has taken too long.
    func overdue(_ options: X11ClipboardOptions) -> Instant {
        min(begun + options.readLimit, lastProgress + options.readPatience)
    }
}

/// A paste by a program on this machine.
struct PipePaste {
    let id: PasteID
    let format: ClipboardFormat
    /// The program's pipe.
    let descriptor: Int32
    /// The time by which the other machine must have provided the content, or the program must have read more.
    var until: Instant
    /// The content, and how much of it the program has; `nil` until it was provided.
    var content: [UInt8]?
    private var written = 0

    enum Progress {
        /// The program has yet to read more.
        case underWay
        case complete
        /// The program has closed its end.
        case broken
    }

    init(id: PasteID, format: ClipboardFormat, descriptor: Int32, until: Instant, content: [UInt8]? = nil) {
        self.id = id
        self.format = format
        self.descriptor = descriptor
        self.until = until
        self.content = content
    }

    /// Writes as much of the content as the program's pipe takes.
    ///
    /// - Parameter patience: the time in which the program must read more.
    mutating func write(_ content: [UInt8], patience: Duration) -> Progress {
        while written < content.count {
            let sent = content.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            if sent > 0 {
                written += sent
                until = MonotonicClock.now + patience
            } else if errno == EAGAIN {
                return .underWay
            } else if errno != EINTR {
                return .broken
            }
        }
        return .complete
    }
}
