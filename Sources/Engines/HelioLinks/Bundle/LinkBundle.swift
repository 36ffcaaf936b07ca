internal import DequeModule
package import HelioCore
package import HelioProtection
import HelioSCTP

/// Any number of datagram links between a viewer and a host, used as one.
///
/// The bundle carries media and control datagrams as they are, and one reliable ordered stream (SCTP in sealed frames).
/// Both ends probe each link. The viewer chooses the active link for media and the one for control, by kind, loss and
/// round trip; the host follows, and chooses by itself only while the viewer's choice is silent at its end.
///
/// A link that doesn't answer is given up by itself within `leastSilence` and longer round trips. Before that, as soon
/// as its answer is late, a second link carries copies; control that may be lost is sent again.
///
/// Memory is bounded: by `streamRoom` and SCTP's windows for the stream, by small limits for all else. The driver polls
/// all outputs after each input.
package struct LinkBundle: ~Copyable, Engine {
    package typealias Settings = LinkBundleSettings

    package enum Role: Hashable, Sendable {
        case viewer
        case host
    }

    package enum Input: Sendable {
        /// A link can be tried. A link with this number is replaced.
        case up(LinkID, LinkTraits)
        /// The link's properties have changed, for example from relayed to direct.
        case changed(LinkID, LinkTraits)
        /// The link is gone.
        case down(LinkID)
        case received([UInt8], on: LinkID)
        /// Sends a datagram on the active link.
        case send(DatagramClass, [UInt8])
        /// Gives bytes to the stream, at most as many as `streamRoom` has allowed.
        case stream([UInt8])
        /// Pauses or resumes the delivery of the stream, for a driver that can't keep up.
        case holdStream(Bool)
        /// Ends the bundle once what was given to the stream has arrived; `closed` follows.
        case end
    }

    package enum Output: Sendable, Hashable {
        case transmit([UInt8], on: LinkID)
        case received(DatagramClass, [UInt8])
        case stream([UInt8])
        /// The number of bytes that may be given to the stream now, in total since this output.
        case streamRoom(Int)
        case event(LinkEvent)
        /// The bundle has ended: nothing but the rest of its outputs follows.
        case closed(LinkBundleEnd)
    }

    /// The links in use.
    struct Active: Hashable, Sendable {
        var media: LinkID?
        var control: LinkID?

        subscript(purpose: DatagramClass) -> LinkID? {
            get { purpose == .media ? media : control }
            set { if purpose == .media { media = newValue } else { control = newValue } }
        }

        func contains(_ id: LinkID) -> Bool { media == id || control == id }
    }

    /// The path of the stream: a link, and which of its times up.
    struct StreamPath: Hashable, Sendable {
        var link: LinkID
        var timesUp: Int
    }

    enum Phase: Sendable {
        case open
        /// The stream's rest is on its way, for as long as the instant.
        case draining(until: Instant)
        /// The peer is told of the end, this number of times more.
        case telling(LinkBundleEnd, left: Int, at: Instant)
        case ended
    }

    let role: Role
    let settings: Settings
    var now: Instant
    var phase = Phase.open
    var outputs = Deque<Output>()
    var counted = DropCounter<LinkDrop>()
    var sealer: FrameSealer
    var opener: FrameOpener

    // Links.
    var links: [Link] = []
    /// The holds of links that went down, by number: at most 256.
    var formerHolds: [LinkID: LinkHold] = [:]
    var active = Active()
    var changes = 0
    /// The time since which no link is up; `nil` if one is.
    var aloneSince: Instant?
    /// The viewer's: the serial number of its choice. The host's: those of the viewer's choices that it follows.
    var choice: UInt32 = 0
    var wanted: [DatagramClass: (link: LinkID, choice: UInt32)] = [:]
    /// The links that are better than the active ones, and since when.
    var challenges: [DatagramClass: (link: LinkID, since: Instant)] = [:]

    // Control.
    var recent = RecentControl()
    var seen = SeenControl()
    var doubled = 0
    var doubles = 0

    // Stream.
    var association: SCTPAssociation
    var streamPath: StreamPath?
    /// The last given bytes, fewer than a packet holds, that are not yet queued.
    var rest: [UInt8] = []
    /// The bytes that the driver believes it may give.
    var roomTold = 0

    /// - Parameters:
    ///   - secret: 32 bytes that only the two ends know, different for each bundle.
    ///   - seed: a random number, for the tags of the stream's association. The bundle's keys don't depend on it.
    /// - Throws: `badLength` if the secret doesn't have 32 bytes, or an error of the library.
    package init(
        _ role: Role, secret: SecretBytes, crypto: any CryptoProvider, settings: Settings, seed: UInt64, now: Instant
    ) throws(CryptoError) {
        let keys = try LinkKeys(secret, crypto: crypto)
        let sealer = try FrameSealer(role == .viewer ? keys.viewer : keys.host, crypto: crypto)
        let opener = try FrameOpener(role == .viewer ? keys.host : keys.viewer, crypto: crypto)
        var random = SeededGenerator(seed: seed)
        let association = try SCTPAssociation(
            Self.streamConfiguration(settings), crypto: crypto, using: &random, now: now)
        self.role = role
        self.settings = settings
        self.now = now
        self.sealer = sealer
        self.opener = opener
        self.association = association
        aloneSince = now
    }

    // MARK: Engine

    package mutating func handle(_ input: consuming Input, now: Instant) {
        advance(to: now)
        guard isRunning else { return handleWhenEnded(input) }
        switch input {
        case .up(let id, let traits): add(id, traits)
        case .changed(let id, let traits): change(id, traits)
        case .down(let id): remove(id)
        case .received(let bytes, let id): receive(bytes, on: id)
        case .send(let purpose, let bytes): send(bytes, purpose)
        case .stream(let bytes): give(bytes)
        case .holdStream(let holds):
            association.holdMessages(holds, now: self.now)
            handleStreamEvents()
        case .end: beginEnd()
        }
    }

    package mutating func tick(now: Instant) {
        advance(to: now)
        guard isRunning else { return }
        watchLinks()
        askLinks()
        if streamPath != nil, association.deadline.map({ $0.at <= self.now }) ?? false {
            association.tick(now: self.now)
            handleStreamEvents()
        }
        runEnd()
        if isRunning, let aloneSince, self.now - aloneSince >= settings.patience { finish(.lost) }
    }

    package mutating func poll() -> Output? {
        if let output = outputs.popFirst() { return output }
        guard isRunning else { return nil }
        if let output = pollPaced(.control) ?? pollStream() ?? pollPaced(.media) { return output }
        return pollRoom()
    }

    package var deadline: Deadline? {
        guard isRunning else { return nil }
        var result = endDeadline
        func add(_ at: Instant?, _ why: StaticString) {
            if let at { result = .earliest(result, Deadline(at: at, why: why)) }
        }
        for link in links {
            add(link.asksAt, "link probe")
            add(link.pacer?.deadline, "link width")
            if active.contains(link.id), !link.isDoubted { add(link.lateAt(isActive: true, settings), "link late") }
        }
        add(aloneSince.map { $0 + settings.patience }, "no link")
        if streamPath != nil { result = .earliest(result, association.deadline) }
        return result
    }

    package var statistics: LinkBundleStatistics {
        var all = LinkBundleStatistics()
        for link in links { all.links[link.id] = link.statistics() }
        all.media = active.media
        all.control = active.control
        all.changes = changes
        all.doubled = doubled
        all.doubles = doubles
        all.drops = .sum(counted, association.drops.named("stream-"))
        return all
    }

    // MARK: Shared with extensions

    var isRunning: Bool {
        if case .ended = phase { false } else { true }
    }

    func index(of id: LinkID?) -> Int? { links.firstIndex { $0.id == id } }

    /// The index of a link that is up.
    func upIndex(of id: LinkID?) -> Int? { links.firstIndex { $0.id == id && $0.isUp } }

    mutating func emit(_ event: LinkEvent) { outputs.append(.event(event)) }

    private mutating func advance(to instant: Instant) {
        if instant > now { now = instant }
        for index in links.indices { links[index].pacer?.refill(now) }
    }
}
