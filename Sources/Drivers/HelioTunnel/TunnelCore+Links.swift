internal import HelioCore
internal import HelioLinks
internal import HelioLoop

// Links beside the call's and that of ICE.

extension TunnelCore {
    private static let numbers = (UInt8(3)..<7).map { LinkID($0) }

    /// Adds a link, and closes it at the end; at once if there are too many.
    func add(_ link: any TunnelLink) {
        guard !isOver, let id = Self.numbers.first(where: { others[$0] == nil }) else {
            drops.count(.refusedLink)
            return link.close()
        }
        others[id] = link
        link.onDatagram = { [weak self] in self?.received($0, on: id) }
        link.onEnd = { [weak self] in self?.lose(id) }
        bundle?.feed(.up(id, link.traits))
        watchLinks()
    }

    private func received(_ bytes: [UInt8], on id: LinkID) {
        guard let bundle else { return drops.count(.noLinks) }
        bundle.feed(.received(bytes, on: id))
    }

    private func lose(_ id: LinkID) {
        others[id] = nil
        bundle?.feed(.down(id))
        watchLinks()
    }

    func closeOthers() {
        for link in others.values { link.close() }
        others = [:]
    }
}
