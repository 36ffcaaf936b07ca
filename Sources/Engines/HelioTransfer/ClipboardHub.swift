internal import DequeModule
package import HelioCore
package import HelioTransferWire

/// A host's end of the clipboard exchange with any number of viewers. It decides which viewer's copies are put on the
/// host's clipboard, and which viewer is offered the copies made at the host.
///
/// In both directions this is the driving viewer only. A viewer's copy stays on the host's clipboard until something
/// else is copied, or the viewer no longer drives; it is never offered to another viewer. If the viewer leaves or is
/// lost, the content fetched so far stays on the clipboard: small texts, which are fetched as soon as they are offered,
/// and all content if the viewer has announced that it leaves. Each viewer has its own `ClipboardExchange`.
package struct ClipboardHub<Viewer: Hashable & Sendable>: Engine, ~Copyable {
    package enum Input: Sendable {
        /// A viewer has a transfer channel from now on (`open`), or its session has ended (`close`).
        case open(Viewer)
        case close(Viewer)
        /// The viewer that drives from now on; `nil` for none.
        case driver(Viewer?)
        /// The host's terms towards the driving viewer from now on: whether it sends and receives content, and the size
        /// limit.
        case terms(ClipboardTerms)
        /// An unparsed message from a viewer.
        case received([UInt8], from: Viewer)
        /// The number of bytes that a viewer's channel accepts now; see `ClipboardExchange.Input.room`.
        case room(Int, of: Viewer)
        /// An event of the host machine's clipboard, such as a copy or a paste by one of its programs.
        case clipboard(ClipboardEvent)
    }

    package enum Output: Sendable {
        case send([UInt8], to: Viewer)
        /// A command to the host machine's clipboard, to offer, read or provide content.
        case clipboard(ClipboardOrder)
    }

    private let settings: ClipboardSettings
    private var terms: ClipboardTerms
    private var now: Instant
    private var viewers = OrderedTable<Viewer, ClipboardViewer>()
    private var driver: Viewer?
    /// The viewer whose copy was last put on the host's clipboard. A part of that copy may stay there when something is
    /// copied at the host, as a system can have two clipboards, such as CLIPBOARD and PRIMARY of X11.
    private var offering: Viewer?
    /// The formats of the copy of `offering`.
    private var offered: [ClipboardEntry] = []
    /// The last copy made at the host: its serial number and formats; `nil` if there is none to offer.
    private var local: (serial: ClipboardSerial, entries: [ClipboardEntry])?
    /// The content fetched from a viewer that has left, which stays on the host's clipboard until something else is
    /// copied.
    private var kept: [ClipboardFormat: [UInt8]] = [:]
    private var outputs = Deque<Output>()
    /// The pending reads of the host's clipboard by their IDs there: the viewer that requested each read, and the
    /// read's ID in that viewer's exchange.
    private var reads: [ClipboardReadID: (viewer: Viewer, id: ClipboardReadID)] = [:]
    private var nextRead: UInt64 = 1
    /// The summed statistics of viewers that have left.
    private var earlier = ClipboardStatistics()

    package init(terms: ClipboardTerms, settings: ClipboardSettings = .host, now: Instant) {
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

    /// The summed statistics of all viewers, including those that have left.
    package var statistics: ClipboardStatistics {
        viewers.values.reduce(earlier) { $0 + $1.exchange.statistics }
    }

    /// The bytes of content held in memory: of all viewers, and the content kept from a viewer that has left.
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
            // Clear `offering`, so that closing the viewer's exchange does not withdraw the kept content.
            offering = nil
            let rest = offered.filter { kept[$0.format] != nil }
            // Offer only the kept formats, as programs might choose one that is gone.
            if rest.count < offered.count { outputs.append(.clipboard(.offer(rest))) }
        }
        closed.exchange.close()
        while let output = closed.exchange.poll() { take(output, of: viewer) }
        earlier = earlier + closed.exchange.statistics
        viewers.removeValue(forKey: viewer)
        // Forget this viewer's reads, so that their answers are ignored.
        reads = reads.filter { $0.value.viewer != viewer }
        if driver == viewer { driver = nil }
    }

    private func terms(for viewer: Viewer) -> ClipboardTerms { viewer == driver ? terms : .nothing }

    private mutating func tellTerms() {
        for (id, viewer) in zip(viewers.keys, viewers.values) where id != driver {
            viewer.exchange.handle(.terms(terms(for: id)), now: now)
        }
        // The former driver withdraws its offer before the new driver puts one on the clipboard.
        for (id, viewer) in zip(viewers.keys, viewers.values) where id == driver {
            viewer.exchange.handle(.terms(terms), now: now)
        }
    }

    private mutating func take(_ output: ClipboardExchange.Output, of viewer: Viewer) {
        switch output {
        case .send(let bytes): outputs.append(.send(bytes, to: viewer))
        case .clipboard(.offer(let entries)):
            // The viewer's offer replaces the copy made at the host, so withdraw that copy from all other viewers.
            if let gone = local {
                local = nil
                for (id, other) in zip(viewers.keys, viewers.values) where id != viewer {
                    other.exchange.handle(.clipboard(.changed(gone.serial, [])), now: now)
                }
            }
            offering = viewer
            offered = entries
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
