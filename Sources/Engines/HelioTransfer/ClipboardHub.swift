internal import DequeModule
package import HelioCore
package import HelioTransferWire

/// A host's end of the clipboard, with any number of viewers: decides whose copies lie on the host's clipboard, and who
/// is offered what is copied there.
///
/// That is whoever drives, and nobody else. A viewer's copy is the host's clipboard until something else is copied, or
/// the viewer drives no more; it is offered to no other viewer. Of one that leaves in good order it stays: the host has
/// fetched it by then. Each viewer has a `ClipboardExchange` of its own.
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
        /// What the host's clipboard tells.
        case clipboard(ClipboardEvent)
    }

    package enum Output: Sendable {
        case send([UInt8], to: Viewer)
        /// What the host's clipboard is to do.
        case clipboard(ClipboardOrder)
    }

    private let settings: ClipboardSettings
    private var terms: ClipboardTerms
    private var now: Instant
    private var viewers = OrderedTable<Viewer, ClipboardViewer>()
    private var driver: Viewer?
    /// The viewer whose copy was put on the host's clipboard last. It may lie there in part when something is copied at the
    /// host: a system can have a clipboard of two.
    private var offering: Viewer?
    /// What was copied at the host.
    private var local: (serial: ClipboardSerial, entries: [ClipboardEntry])?
    /// What was fetched of a viewer that has left, and lies on the host's clipboard until something else is copied.
    private var kept: [ClipboardFormat: [UInt8]] = [:]
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
            if !terms.mayReceive, !kept.isEmpty {
                kept = [:]
                outputs.append(.clipboard(.withdraw))
            }
            tellTerms()
        case .received(let bytes, let viewer): viewers[viewer]?.exchange.handle(.received(bytes), now: now)
        case .room(let bytes, let viewer): viewers[viewer]?.exchange.handle(.room(bytes), now: now)
        case .clipboard(let event): handle(event)
        }
    }

    private mutating func handle(_ event: ClipboardEvent) {
        switch event {
        case .changed(let serial, let entries): changed(serial, entries)
        case .wanted(let paste, let format):
            if let content = kept[format] { return outputs.append(.clipboard(.provide(paste, .success(content)))) }
            guard let viewer = offering.flatMap({ viewers[$0] }) else {
                return outputs.append(.clipboard(.provide(paste, .failure(.gone))))
            }
            viewer.exchange.handle(.clipboard(event), now: now)
        case .unwanted:
            for viewer in viewers.values { viewer.exchange.handle(.clipboard(event), now: now) }
        case .content(let id, let content):
            guard let read = reads.removeValue(forKey: id) else { return }
            viewers[read.viewer]?.exchange.handle(.clipboard(.content(read.id, content)), now: now)
        case .lost:
            offering = nil
            local = nil
            kept = [:]
            for viewer in viewers.values { viewer.exchange.handle(.clipboard(event), now: now) }
        }
    }

    private mutating func changed(_ serial: ClipboardSerial, _ entries: [ClipboardEntry]) {
        local = (serial, entries)
        kept = [:]
        for viewer in viewers.values { viewer.exchange.handle(.clipboard(.changed(serial, entries)), now: now) }
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

    /// The bytes of content that are held, of all viewers and of one that has left.
    package var bufferedBytes: Int {
        viewers.values.reduce(kept.values.reduce(0) { $0 + $1.count }) { $0 + $1.exchange.bufferedBytes }
    }

    // MARK: Viewers

    private mutating func open(_ viewer: Viewer) {
        guard viewers[viewer] == nil else { return }
        let opened = ClipboardViewer(
            ClipboardExchange(terms: terms(for: viewer), settings: settings, now: now))
        viewers[viewer] = opened
        if let local { opened.exchange.handle(.clipboard(.changed(local.serial, local.entries)), now: now) }
    }

    private mutating func close(_ viewer: Viewer) {
        guard let closed = viewers[viewer] else { return }
        if offering == viewer, !closed.exchange.kept.isEmpty {
            kept = closed.exchange.kept
            // What it takes back is not its own any more.
            offering = nil
        }
        closed.exchange.close()
        while let output = closed.exchange.poll() { take(output, of: viewer) }
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
        case .clipboard(.offer(let entries)):
            // What was copied at the host is no longer there.
            if let gone = local {
                local = nil
                for (id, other) in zip(viewers.keys, viewers.values) where id != viewer {
                    other.exchange.handle(.clipboard(.changed(gone.serial, [])), now: now)
                }
            }
            offering = viewer
            kept = [:]
            outputs.append(.clipboard(.offer(entries)))
        case .clipboard(.withdraw):
            guard offering == viewer else { return }
            offering = nil
            outputs.append(.clipboard(.withdraw))
        case .clipboard(.read(let format, let serial, let limit, let id)):
            let read = ClipboardReadID(nextRead)
            nextRead += 1
            reads[read] = (viewer, id)
            outputs.append(.clipboard(.read(format, of: serial, limit: limit, as: read)))
        case .clipboard(let order): outputs.append(.clipboard(order))
        }
    }
}
