internal import HelioCore
internal import HelioWaylandWire

/// Copies by a session of ext-image-copy-capture, of an output's picture or of a pointer's: one at a time, into two
/// pictures in turn.
///
/// The compositor need not write all of a picture: it is told which parts of the memory are older than its last copy.
final class SessionCopier {
    private struct Frame {
        var object: UInt32
        var picture: SharedPicture
        var transform = OutputTransform.normal
        var changed = Region()
    }

    /// The session; `nil` before one is begun, and after it has stopped.
    private(set) var session: UInt32?
    /// True once the session has copied: only its first copy comes at once.
    private(set) var hasCopied = false
    private(set) var newest: SharedPicture?
    /// The turn of the newest picture.
    private(set) var transform = OutputTransform.normal
    /// A reason why no copy can come, as a part of a sentence; `nil` if there is none.
    private(set) var refusal: String?
    /// True from a request for a copy to its result.
    private(set) var isCopying = false

    /// The picture that may be written next, and the parts of it that are older than the newest; `nil` for all.
    private var spare: SharedPicture?
    private var stale: Region?
    private var frame: Frame?
    /// The memory that the session needs; `nil` until it has told.
    private var layout: ShmLayout?
    private var size: PixelSize?
    private var formats: Set<UInt32> = []
    private var isGathering = false

    private let connection: WaylandConnection
    private let shm: UInt32
    /// The formats to choose from, the best first.
    private let wanted: [UInt32]

    /// The most formats of a session that are kept.
    private static let mostFormats = 256

    init(_ connection: WaylandConnection, shm: UInt32, formats: [UInt32]) {
        self.connection = connection
        self.shm = shm
        wanted = formats
    }

    /// Begins another session in place of the present one.
    func begin(_ session: UInt32) {
        end()
        self.session = session
    }

    /// Ends the session. The newest picture stays.
    func end() {
        cancel()
        if let session { connection.destroy(session) }
        (session, layout, size, hasCopied, isGathering, refusal) = (nil, nil, nil, false, false, nil)
        formats = []
        stale = nil
    }

    /// Asks for the next copy of the session, once it has told its needs.
    func ask() throws(HelioError) {
        guard session != nil, !isCopying else { return }
        isCopying = true
        try beginFrame()
    }

    /// Gives up the copy under way.
    func cancel() {
        isCopying = false
        dropFrame()
    }

    private func dropFrame() {
        guard let frame else { return }
        connection.destroy(frame.object)
        // The compositor may have written a part of it.
        spare = frame.picture
        stale = nil
        self.frame = nil
    }

    /// Handles an event; returns the copy's result if there is one.
    func take(_ notice: WaylandConnection.Notice) throws(HelioError) -> CopyResult? {
        if notice.object == session { return try takeSession(notice.event) }
        guard notice.object == frame?.object else { return nil }
        switch notice.event {
        case .transform(let turn): frame?.transform = OutputTransform(rawValue: turn) ?? .normal
        case .damage(let rect):
            // Clipped before anything is computed with it: the numbers may be of any size.
            if let picture = frame?.picture { frame?.changed.add(rect.intersection(PixelRect(picture.size))) }
        case .ready: return finish()
        case .failed(let reason):
            let wasOther = frame?.picture.layout != layout
            dropFrame()
            if reason == .needs, wasOther {
                // The session has told other needs meanwhile.
                try beginFrame()
                return nil
            }
            isCopying = false
            return .failed
        default: break
        }
        return nil
    }

    private func takeSession(_ event: WaylandEvent) throws(HelioError) -> CopyResult? {
        switch event {
        case .bufferSize(let size):
            gather()
            self.size = size
        case .shmFormat(let format):
            gather()
            if formats.count < Self.mostFormats { formats.insert(format) }
        case .bufferDone: return try agree()
        case .stopped:
            let wasCopying = isCopying
            end()
            return wasCopying ? .failed : nil
        default: break
        }
        return nil
    }

    /// Forgets the needs told before, as all are told again.
    private func gather() {
        if isGathering { return }
        isGathering = true
        formats = []
        size = nil
    }

    /// Chooses the memory, now that the session has told all of its needs.
    private func agree() throws(HelioError) -> CopyResult? {
        isGathering = false
        guard let size, let code = wanted.first(where: { formats.contains($0) }), let format = ShmFormat(code: code)
        else {
            refusal = "offers no shared memory"
            layout = nil
            dropFrame()
            defer { isCopying = false }
            return isCopying ? .failed : nil
        }
        refusal = nil
        layout = ShmLayout(
            format: code, width: size.width, height: size.height, stride: size.width * format.bytesPerPixel)
        if let frame, frame.picture.layout != layout { dropFrame() }
        try beginFrame()
        return nil
    }

    /// Has the next picture written, if one is asked for and the session's needs are known.
    private func beginFrame() throws(HelioError) {
        guard isCopying, frame == nil, let session, let layout else { return }
        let picture: SharedPicture
        let old: Region
        if let spare, spare.layout == layout {
            picture = spare
            old = stale ?? Region(PixelRect(picture.size))
        } else {
            picture = try SharedPicture(layout, shm: shm, connection)
            old = Region(PixelRect(picture.size))
        }
        spare = nil
        let object = try connection.make(.copyFrame)
        connection.send(.createFrame(object), to: session)
        connection.send(.attachBuffer(picture.object), to: object)
        for rect in old.rects { connection.send(.damageBuffer(rect), to: object) }
        connection.send(.capture, to: object)
        frame = Frame(object: object, picture: picture)
    }

    private func finish() -> CopyResult? {
        guard let done = frame else { return nil }
        connection.destroy(done.object)
        frame = nil
        isCopying = false
        // The first copy of a session tells no change from those of others.
        let changed = hasCopied ? done.changed.differing(in: done.picture, from: newest) : nil
        (spare, newest, transform) = (newest, done.picture, done.transform)
        stale = changed
        hasCopied = true
        return .copied(changed: changed)
    }
}
