public import HelioAppModels
public import Heliograph

/// A sharing session that uses `MirrorSource`.
public final class MirrorSharing: HostSharing {
    /// The session's events, for one reader; the stream ends with the session.
    public let events: AsyncStream<SharingEvent>

    /// The source of the session, for its link and statistics.
    public let source: MirrorSource
    /// The open questions by the flow's numbers. The source limits the number of waiting devices and of offers.
    private let pairings: OpenQuestions<PairingQuestion.ID>
    private let offers: OpenQuestions<FileBatch.ID>

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
        let (pairings, offers) = (OpenQuestions<PairingQuestion.ID>(), OpenQuestions<FileBatch.ID>())
        self.source = source
        self.pairings = pairings
        self.offers = offers
        // The source merges repeated events, and the flow reads each event at once, so a small buffer suffices.
        let (stream, out) = AsyncStream.makeStream(of: SharingEvent.self, bufferingPolicy: .bufferingNewest(256))
        events = stream
        Task {
            for await event in source.events {
                if let told = Self.event(event, pairings, offers) { out.yield(told) }
            }
            out.finish()
        }
    }

    private static func event(
        _ event: MirrorSource.Event, _ pairings: OpenQuestions<PairingQuestion.ID>,
        _ offers: OpenQuestions<FileBatch.ID>
    ) -> SharingEvent? {
        switch event {
        case .link(let link): .code(link.code)
        case .viewerJoined, .viewerLeft: .people
        case .pairingAsked(let asked):
            .pairing(question: pairings.add(asked.id), name: asked.name, digits: asked.code)
        case .pairingOver(let id): pairings.remove(id).map { .pairingOver(question: $0) }
        case .files(let event): Self.event(event, offers)
        case .recording(let file): .note("Recording to \(file).")
        case .recordingFailed(let error): .note(error.message)
        case .broadcast(_, _, let reason): reason.map { .note($0) }
        case .info(let sentence): .note(sentence)
        case .monitors(let all, let selected): .monitors(all.map(SessionMonitor.init), selected: selected)
        case .failed(let error): .failed(error.message)
        default: nil
        }
    }

    private static func event(_ event: FileEvent, _ offers: OpenQuestions<FileBatch.ID>) -> SharingEvent? {
        switch event {
        case .offered(let batch):
            .files(question: offers.add(batch.id), name: batch.peer, what: batch.summary)
        // An offer that was answered by any means makes progress.
        case .lapsed(let batch), .progress(let batch): offers.remove(batch.id).map { .filesOver(question: $0) }
        case .file: nil
        case .ended, .leftOut: event.sentence.map { .note($0) }
        }
    }

    /// Returns the links that admit the next viewer.
    public func links() async -> SharingLinks? {
        guard let link = try? await source.link else { return nil }
        return SharingLinks(link: link.text, web: link.web, webFromAnywhere: link.webFromAnywhere)
    }

    /// Returns the code that admits the next viewer.
    public func code() async throws -> String { try await source.link.code }

    /// Returns the viewers, in the order in which they joined.
    public func viewers() async -> [SharedViewer] {
        guard let statistics = try? await source.statistics() else { return [] }
        return statistics.viewers.map {
            SharedViewer(
                number: $0.id, name: $0.name ?? $0.address, drives: $0.drives, mayDrive: $0.allowsControl)
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
    /// Takes control back from one viewer, or lets it drive again as far as its pairing permits.
    public func setControl(_ isAllowed: Bool, of viewer: UInt64) async {
        guard let known = try? await source.statistics().viewers.first(where: { $0.id == viewer }) else { return }
        source.setControl(allowed: isAllowed, for: known.device ?? known.address)
    }
    /// Mutes or unmutes the sound for all viewers. Throws an error if the session was started without sound.
    public func setSound(_ isShared: Bool) throws { try source.share(isShared ? .system : .off) }
    /// Kicks a viewer; the number of a viewer that has left is ignored.
    public func putOut(_ viewer: UInt64) { source.putOut(viewer) }
    /// Ends the session, and notifies every viewer.
    public func stop() async { await source.stop() }

    /// Takes or declines the files of an offer; further answers to it are ignored.
    public func answerFiles(_ question: Int, accepts: Bool) {
        if let id = offers.remove(question) { source.files?.answer(id, accepts: accepts) }
    }

    /// Answers a pairing question; further answers to it are ignored.
    public func answerPairing(_ question: Int, _ answer: PairingReply) {
        guard let id = pairings.remove(question) else { return }
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
