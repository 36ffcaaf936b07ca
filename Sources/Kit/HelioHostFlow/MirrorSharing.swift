public import HelioAppModels
public import Heliograph
private import Synchronization

/// A sharing session that uses `MirrorSource`.
public final class MirrorSharing: HostSharing {
    /// The session's events, for one reader; the stream ends with the session.
    public let events: AsyncStream<SharingEvent>

    /// The source of the session, for its link and statistics.
    public let source: MirrorSource
    /// The open pairing questions by the flow's numbers. The source limits the number of waiting devices.
    private let questions: Questions

    private final class Questions: Sendable {
        private struct State {
            var ids: [Int: PairingQuestion.ID] = [:]
            var next = 1
        }
        private let state = Mutex(State())

        func add(_ id: PairingQuestion.ID) -> Int {
            state.withLock { state in
                defer { state.next += 1 }
                state.ids[state.next] = id
                return state.next
            }
        }

        func remove(_ id: PairingQuestion.ID) -> Int? {
            state.withLock { state in
                guard let number = state.ids.first(where: { $0.value == id })?.key else { return nil }
                state.ids[number] = nil
                return number
            }
        }

        func remove(_ number: Int) -> PairingQuestion.ID? { state.withLock { $0.ids.removeValue(forKey: number) } }
    }

    /// Starts to share this machine's screen. Throws the errors of `MirrorSource.start(_:)`.
    ///
    /// - Parameter base: the other options, which the user can't choose.
    public static func start(
        _ wanted: SharingOptions, base: MirrorSource.Options = .init()
    ) async throws -> MirrorSharing {
        var options = base
        options.name = wanted.name.isEmpty ? base.name : wanted.name
        options.isAdvertised = wanted.isAnnounced
        options.sound = wanted.sharesSound ? .system : .off
        options.isViewOnly = wanted.isViewOnly
        options.asksToPair = true
        return MirrorSharing(try await MirrorSource.start(options))
    }

    /// Makes a session from a running source.
    public init(_ source: MirrorSource) {
        let questions = Questions()
        self.source = source
        self.questions = questions
        // The source merges repeated events, and the flow reads each event at once, so a small buffer suffices.
        let (stream, out) = AsyncStream.makeStream(of: SharingEvent.self, bufferingPolicy: .bufferingNewest(256))
        events = stream
        Task {
            for await event in source.events {
                if let told = Self.event(event, questions) { out.yield(told) }
            }
            out.finish()
        }
    }

    private static func event(_ event: MirrorSource.Event, _ questions: Questions) -> SharingEvent? {
        switch event {
        case .link(let link): .code(link.code)
        case .viewerJoined, .viewerLeft: .people
        case .pairingAsked(let asked):
            .pairing(question: questions.add(asked.id), name: asked.name, digits: asked.code)
        case .pairingOver(let id): questions.remove(id).map { .pairingOver(question: $0) }
        case .monitors(let all, let selected): .monitors(all.map(SessionMonitor.init), selected: selected)
        case .failed(let error): .failed(error.message)
        default: nil
        }
    }

    /// Returns the code that admits the next viewer.
    public func code() async throws -> String { try await source.link.code }

    /// Returns the viewers, in the order in which they joined.
    public func viewers() async -> [SharedViewer] {
        guard let statistics = try? await source.statistics() else { return [] }
        return statistics.viewers.map {
            SharedViewer(number: $0.id, name: $0.name ?? $0.address, drives: $0.drives)
        }
    }

    /// All monitors that can be shared, and the `id` of the shared monitor.
    public var monitors: (all: [SessionMonitor], selected: String?) {
        (source.monitors.map(SessionMonitor.init), source.selectedMonitor?.id)
    }

    /// Shares another monitor. Throws an error if the monitor no longer exists.
    public func selectMonitor(_ id: String) throws { try source.selectMonitor(id) }
    /// Takes control back from all viewers, or lets them drive again.
    public func setControl(_ isAllowed: Bool) { source.setControl(allowed: isAllowed) }
    /// Mutes or unmutes the sound for all viewers. Throws an error if the session was started without sound.
    public func setSound(_ isShared: Bool) throws { try source.share(isShared ? .system : .off) }
    /// Kicks a viewer; the number of a viewer that has left is ignored.
    public func putOut(_ viewer: UInt64) { source.putOut(viewer) }
    /// Ends the session, and notifies every viewer.
    public func stop() async { await source.stop() }

    /// Answers a pairing question; further answers to it are ignored.
    public func answerPairing(_ question: Int, _ answer: PairingReply) {
        guard let id = questions.remove(question) else { return }
        switch answer {
        case .watch: source.answer(id, .watch)
        case .control: source.answer(id, .control)
        case .deny: source.answer(id, .deny)
        }
    }
}

extension SessionMonitor {
    fileprivate init(_ monitor: Monitor) {
        self.init(
            id: monitor.id, name: monitor.name, width: monitor.width, height: monitor.height,
            isMain: monitor.isPrimary)
    }
}
