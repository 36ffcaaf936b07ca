internal import DequeModule
package import HelioCore
package import HelioTransferWire

/// A host's end of the clipboard, with any number of viewers: decides whose copies lie on the host's clipboard, and who
/// is offered what is copied there.
///
/// That is whoever drives, and nobody else. A viewer's copy is the host's clipboard until something else is copied, or
/// the viewer drives no more; it is offered to no other viewer. Each viewer has a `ClipboardExchange` of its own.
package struct ClipboardHub<Viewer: Hashable & Sendable>: Engine, ~Copyable {
    package enum Input: Sendable {
        /// A viewer that has a transfer channel, and one whose session is over.
        case open(Viewer)
        case close(Viewer)
        /// Who drives from now on; `nil`: nobody.
        case driver(Viewer?)
        /// What the host gives to whoever drives, and takes of it, from now on.
        case terms(ClipboardTerms)
        /// A message of a viewer, as it came.
        case received([UInt8], from: Viewer)
        /// A viewer's channel takes so many bytes now; see `ClipboardExchange.Input.room`.
        case room(Int, of: Viewer)
        // Of the host's clipboard.
        case changed(ClipboardSerial, [ClipboardEntry])
        case wanted(PasteID, ClipboardFormat)
        case unwanted(PasteID)
        case content(ClipboardReadID, Result<[UInt8], ClipboardFailure>)
    }

    package enum Output: Sendable {
        case send([UInt8], to: Viewer)
        // For the host's clipboard.
        case offer([ClipboardEntry])
        case withdraw
        case read(ClipboardFormat, of: ClipboardSerial, limit: Int, as: ClipboardReadID)
        case provide(PasteID, Result<[UInt8], ClipboardFailure>)
    }

    private let settings: ClipboardSettings
    private var terms: ClipboardTerms
    private var now: Instant
    private var viewers = OrderedTable<Viewer, ClipboardViewer>()
    private var driver: Viewer?
    /// The viewer whose copy lies on the host's clipboard.
    private var offering: Viewer?
    /// What was copied at the host.
    private var local: (serial: ClipboardSerial, entries: [ClipboardEntry])?
    private var outputs = Deque<Output>()
    /// Whose reads are under way, by the number that the host's clipboard knows; and those viewers' own numbers.
    private var reads: [ClipboardReadID: (viewer: Viewer, id: ClipboardReadID)] = [:]
    private var nextRead: UInt64 = 1
    /// Counts of viewers that are gone.
    private var earlier = ClipboardStatistics()

    package init(terms: ClipboardTerms, settings: ClipboardSettings = ClipboardSettings(), now: Instant) {
        self.terms = terms
        self.settings = settings
        self.now = now
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        self.now = now
        switch input {
        case .open(let viewer): open(viewer)
        case .close(let viewer): close(viewer)
        case .driver(let viewer):
            driver = viewer
            tellTerms()
        case .terms(let terms):
            self.terms = terms
            tellTerms()
        case .received(let bytes, let viewer): viewers[viewer]?.exchange.handle(.received(bytes), now: now)
        case .room(let bytes, let viewer): viewers[viewer]?.exchange.handle(.room(bytes), now: now)
        case .changed(let serial, let entries):
            local = (serial, entries)
            offering = nil
            for viewer in viewers.values { viewer.exchange.handle(.changed(serial, entries), now: now) }
        case .wanted(let paste, let format):
            guard let viewer = offering.flatMap({ viewers[$0] }) else {
                return outputs.append(.provide(paste, .failure(.gone)))
            }
            viewer.exchange.handle(.wanted(paste, format), now: now)
        case .unwanted(let paste):
            for viewer in viewers.values { viewer.exchange.handle(.unwanted(paste), now: now) }
        case .content(let id, let content):
            guard let read = reads.removeValue(forKey: id) else { return }
            viewers[read.viewer]?.exchange.handle(.content(read.id, content), now: now)
        }
    }

    package mutating func tick(now: Instant) {
        self.now = now
        for viewer in viewers.values { viewer.exchange.tick(now: now) }
    }

    package mutating func poll() -> Output? {
        while true {
            if let output = outputs.popFirst() { return output }
            var next: (Viewer, ClipboardExchange.Output)?
            for (id, viewer) in zip(viewers.keys, viewers.values) {
                guard let output = viewer.exchange.poll() else { continue }
                next = (id, output)
                break
            }
            guard let (viewer, output) = next else { return nil }
            take(output, of: viewer)
        }
    }

    package var deadline: Deadline? { viewers.values.reduce(nil) { .earliest($0, $1.exchange.deadline) } }

    /// Counts of all viewers, those that are gone among them.
    package var statistics: ClipboardStatistics {
        viewers.values.reduce(earlier) { $0 + $1.exchange.statistics }
    }

    // MARK: Viewers

    private mutating func open(_ viewer: Viewer) {
        guard viewers[viewer] == nil else { return }
        let opened = ClipboardViewer(
            ClipboardExchange(terms: terms(for: viewer), settings: settings, now: now))
        viewers[viewer] = opened
        if let local { opened.exchange.handle(.changed(local.serial, local.entries), now: now) }
    }

    private mutating func close(_ viewer: Viewer) {
        guard let closed = viewers[viewer] else { return }
        // What is under way ends as it does where nothing is allowed any more.
        closed.exchange.handle(.terms(.nothing), now: now)
        while let output = closed.exchange.poll() {
            if case .send = output { continue }
            take(output, of: viewer)
        }
        earlier = earlier + closed.exchange.statistics
        viewers.removeValue(forKey: viewer)
        // A read that is under way is answered to nobody.
        reads = reads.filter { $0.value.viewer != viewer }
        if driver == viewer { driver = nil }
    }

    private func terms(for viewer: Viewer) -> ClipboardTerms { viewer == driver ? terms : .nothing }

    private mutating func tellTerms() {
        for (id, viewer) in zip(viewers.keys, viewers.values) where id != driver {
            viewer.exchange.handle(.terms(terms(for: id)), now: now)
        }
        // Whoever drove takes back what it has on the clipboard before the new driver puts something there.
        for (id, viewer) in zip(viewers.keys, viewers.values) where id == driver {
            viewer.exchange.handle(.terms(terms), now: now)
        }
    }

    private mutating func take(_ output: ClipboardExchange.Output, of viewer: Viewer) {
        switch output {
        case .send(let bytes): outputs.append(.send(bytes, to: viewer))
        case .offer(let entries):
            // What was copied at the host is no longer there.
            if let gone = local {
                local = nil
                for (id, other) in zip(viewers.keys, viewers.values) where id != viewer {
                    other.exchange.handle(.changed(gone.serial, []), now: now)
                }
            }
            offering = viewer
            outputs.append(.offer(entries))
        case .withdraw:
            guard offering == viewer else { return }
            offering = nil
            outputs.append(.withdraw)
        case .read(let format, let serial, let limit, let id):
            let read = ClipboardReadID(nextRead)
            nextRead += 1
            reads[read] = (viewer, id)
            outputs.append(.read(format, of: serial, limit: limit, as: read))
        case .provide(let paste, let content): outputs.append(.provide(paste, content))
        }
    }
}

extension ClipboardTerms {
    /// Nothing goes either way.
    package static var nothing: ClipboardTerms { ClipboardTerms(maySend: false, mayReceive: false, mostBytes: 0) }
}

extension ClipboardStatistics {
    fileprivate static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.offersSent += b.offersSent
        sum.offersReceived += b.offersReceived
        sum.transfersSent += b.transfersSent
        sum.bytesSent += b.bytesSent
        sum.transfersReceived += b.transfersReceived
        sum.bytesReceived += b.bytesReceived
        for drop in ClipboardDrop.allCases { sum.drops.count(drop, b.drops[drop]) }
        return sum
    }
}
