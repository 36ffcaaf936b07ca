internal import HelioControlWire
internal import HelioCore
internal import HelioMedia
internal import HelioRemote

/// The state of the watched host, across connections. It interprets the connections' news, for `Viewer` and for
/// `MirrorSink`.
struct WatchedHost {
    /// An item of a connection's news, interpreted for the session.
    enum News: Sendable {
        /// The host's name has become known; `target` contains it.
        case named
        case admitted
        /// The stream has begun; `isFirst` is false after a reconnection.
        case playing(PixelSize, isFirst: Bool)
        case permission(allowsControl: Bool)
        case driver(Driver, before: Driver)
        case controlRequested(by: String)
        case monitors(MonitorChoice, before: MonitorChoice)
        case cursorShape(CursorShape)
        case cursorMoved(x: Float, y: Float)
        case statistics(SinkStatistics, ViewerControl.Statistics?)
        /// Another program may publish its stream. `place` is a clause with the URL; `note` is a sentence that also has
        /// the reason why the last publisher has left. `isFirst` is true if there was no publisher before.
        case waiting(place: String, note: String, isFirst: Bool)
        /// A note for the user; the session continues.
        case note(String)
        /// The connection is lost, and the next attempt is due at `retryAt`; `isFirst` is false after a failed
        /// attempt.
        case lost(HelioError, retryAt: Instant, isFirst: Bool)
    }

    /// The target; after the loss of a connection it contains the last ticket for reconnecting.
    private(set) var target: ViewTarget
    /// True once the stream has begun: a session that never began is not reconnected.
    private(set) var hasPlayed = false
    /// True if the host accepts input from this viewer.
    private(set) var allowsControl = false
    /// The viewer that drives.
    private(set) var driver = Driver.nobody
    private(set) var monitors = MonitorChoice()
    /// True while the stream is paused at this end's request.
    private(set) var isPaused = false
    private var ticket: [UInt8]?
    private var plan = Reconnection.retry

    init(_ target: ViewTarget) { self.target = target }

    /// The name of the driver, if it is another viewer.
    var otherDriver: String? { if case .other(let name) = driver { name } else { nil } }

    /// Resets the driver for a new connection, and returns the connection's target.
    mutating func connects() -> ViewTarget {
        driver = .nobody
        return target
    }

    /// Interprets one item of the current connection's news. Throws the error that ends the session.
    mutating func handle(_ news: SinkConnection.News, now: Instant) throws(HelioError) -> News {
        switch news {
        case .hostName(let name):
            target.take(name: name)
            return .named
        case .ticket(let ticket):
            self.ticket = ticket
            return .admitted
        case .playing(let format, let allowsControl):
            self.allowsControl = allowsControl
            return .playing(format.size, isFirst: began())
        case .permission(let allowsControl):
            self.allowsControl = allowsControl
            return .permission(allowsControl: allowsControl)
        case .driver(let driver):
            defer { self.driver = driver }
            return .driver(driver, before: self.driver)
        case .monitors(let choice):
            defer { monitors = choice }
            return .monitors(choice, before: monitors)
        case .waiting(let url, let left):
            let place = "Waiting for a program that publishes to \(url)"
            return .waiting(
                place: place, note: (left.map { "\($0). " } ?? "") + place + ".", isFirst: left == nil)
        case .ended(let error):
            let isFirst = !plan.isTrying
            guard let next = retry(after: error, now: now) else { throw error }
            return .lost(error, retryAt: next, isFirst: isFirst)
        case .controlRequested(let name): return .controlRequested(by: name)
        case .cursorShape(let shape): return .cursorShape(shape)
        case .cursorMoved(let x, let y): return .cursorMoved(x: x, y: y)
        case .statistics(let session, let control): return .statistics(session, control)
        case .note(let text): return .note(text)
        }
    }

    /// Marks the stream as begun, for the first time or after a reconnection.
    ///
    /// - Returns: true for the first time.
    mutating func began() -> Bool {
        defer { hasPlayed = true }
        plan.succeeded()
        return !hasPlayed
    }

    /// Stores that this end pauses or resumes the stream. Returns false if nothing changes.
    mutating func pause(_ isPaused: Bool) -> Bool {
        defer { self.isPaused = isPaused }
        return self.isPaused != isPaused
    }

    /// Returns the time of the next attempt to connect after an error; `nil` if the session is over. A lost host is
    /// retried for a limited time, with its ticket or by the pairing.
    private mutating func retry(after error: HelioError, now: Instant) -> Instant? {
        guard error.code == .unreachable, hasPlayed, ticket != nil || target.comesBackByItself,
            let next = plan.failed(now: now)
        else { return nil }
        if let ticket { target.use(ticket: ticket) }
        return next
    }
}
