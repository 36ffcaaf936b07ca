package import HelioCore
internal import HelioWaylandWire

/// Copies of an output's picture by ext-image-copy-capture: a session for each output, and one for the pointer, which
/// comes apart from the picture where the compositor can tell it.
package final class SessionCopies: PictureCopies {
    private let connection: WaylandConnection
    private let sources: UInt32
    private let manager: UInt32
    private let copier: SessionCopier
    /// The pointer beside the pictures; `nil` without a seat.
    private let cursor: SessionCursor?
    /// The output whose source and session are open.
    private var output: UInt32?
    private var source: UInt32?
    /// True if the session's pictures have the pointer in them.
    private var isPointerPainted = false

    package var newest: SharedPicture? { copier.newest }
    package var transform: OutputTransform? { copier.transform }
    package var isCopying: Bool { copier.isCopying }
    package var pointer: CopiedPointer? { paintsPointer ? nil : cursor?.pointer }
    package var refusal: String? {
        copier.refusal.map { "The Wayland compositor's image-copy-capture \($0)" }
    }

    /// True if the pointer has to be in the pictures: there is no way to its shape, or the output is turned, for which
    /// wlroots 0.20 cuts the shape off and tells the hot spot of another turn.
    private var paintsPointer: Bool { cursor?.isUseless != false || copier.transform != .normal }

    /// Returns true if the compositor offers what is needed.
    package static func isOffered(_ connection: WaylandConnection) -> Bool {
        [WaylandInterface.copyManager, .outputSourceManager, .shm].allSatisfy { interface in
            connection.globals.contains { $0.interface == interface.rawValue }
        }
    }

    /// Throws `unsupported` if the compositor does not offer it. All events from here on are to be passed to `take`:
    /// the first tells whether the seat has a pointer.
    package init(_ connection: WaylandConnection) throws(HelioError) {
        func bind(_ interface: WaylandInterface) throws(HelioError) -> UInt32 {
            if let bound = try connection.bind(interface) { return bound.id }
            throw HelioError(.unsupported, "The Wayland compositor offers no \(interface.rawValue).")
        }
        self.connection = connection
        sources = try bind(.outputSourceManager)
        let (manager, shm) = (try bind(.copyManager), try bind(.shm))
        self.manager = manager
        copier = SessionCopier(connection, shm: shm, formats: ShmFormat.codes)
        cursor = try connection.bind(.seat).map { SessionCursor(connection, manager: manager, shm: shm, seat: $0) }
    }

    /// Ends the sessions, as the connection may go on with copies of another kind.
    deinit { close() }

    package func ask(of output: UInt32, isWhole: Bool) throws(HelioError) {
        if isCopying { return }
        if output != self.output { close() }
        if source == nil {
            let made = try connection.make(.captureSource)
            connection.send(.createSource(made, output: output), to: sources)
            (source, self.output) = (made, output)
            cursor?.follow(made)
        }
        guard let source else { return }
        // A session waits for a change after its first copy.
        if copier.session == nil || isPointerPainted != paintsPointer || (isWhole && copier.hasCopied) {
            // First the end of the one before: wlroots decides about the pointer with an output's first session.
            copier.end()
            let session = try connection.make(.copySession)
            isPointerPainted = paintsPointer
            connection.send(.createSession(session, source: source, withCursor: isPointerPainted), to: manager)
            copier.begin(session)
        }
        try copier.ask()
    }

    package func cancel() { copier.cancel() }

    package func take(_ notice: WaylandConnection.Notice) throws(HelioError) -> CopyResult? {
        try cursor?.take(notice)
        let result = try copier.take(notice)
        // An output that is gone takes its source with it.
        if copier.session == nil, source != nil { close() }
        return result
    }

    private func close() {
        cursor?.follow(nil)
        copier.end()
        if let source { connection.destroy(source) }
        (source, output) = (nil, nil)
    }
}
