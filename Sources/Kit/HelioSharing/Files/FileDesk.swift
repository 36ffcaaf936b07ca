internal import HelioCore
internal import HelioFileFolder
internal import HelioGround
internal import HelioSession
internal import HelioTransfer
internal import HelioTransferWire
internal import NIOCore

/// The peers of `SharedFiles`; used on its event loop alone.
final class FileDesk {
    /// The maximum number of peers that are remembered without a session.
    private static let mostAbsent = 64
    /// The time for which an absent peer with unfinished transfers is remembered; the exchange aborts its transfers
    /// after the same time.
    private static let absence = Duration.seconds(3600)

    private let worker: FileWorker
    private let loop: any EventLoop
    private let tell: (FileEvent) -> Void
    private var peers: [SharedFiles.PeerKey: FilePeer] = [:]
    private var sessions: [UInt64: FilePeer] = [:]
    private var nextPeer = 1
    /// The statistics of peers that were forgotten.
    private var earlier = FileStatistics()

    init(_ worker: FileWorker, on loop: any EventLoop, _ tell: @escaping (FileEvent) -> Void) {
        self.worker = worker
        self.loop = loop
        self.tell = tell
    }

    // MARK: Sessions

    func open(
        _ session: UInt64, of key: SharedFiles.PeerKey, name: String, _ permission: FilePermission,
        send: @escaping SharedFiles.Send
    ) {
        let peer = peers[key] ?? makePeer(key, name)
        peers[key] = peer
        // The peer's last session may have ended unnoticed, so remove it.
        for (other, one) in sessions where one === peer { sessions[other] = nil }
        sessions[session] = peer
        peer.open(name: name, permission, send: send)
    }

    func take(_ traffic: FileTraffic, of session: UInt64) {
        guard let peer = sessions[session] else { return }
        peer.take(traffic)
        if case .closed = traffic {
            sessions[session] = nil
            tidy()
        }
    }

    func peer(of session: UInt64) -> FilePeer? { sessions[session] }

    private func makePeer(_ key: SharedFiles.PeerKey, _ name: String) -> FilePeer {
        defer { nextPeer += 1 }
        return FilePeer(nextPeer, of: key, name: name, worker: worker, on: loop, tell: tell)
    }

    /// Forgets absent peers that have no unfinished transfers, have been absent for too long, or exceed the limit.
    private func tidy() {
        let absent = peers.filter { !$0.value.isConnected }
            .sorted { ($0.value.left ?? .zero) < ($1.value.left ?? .zero) }
        let now = MonotonicClock.now
        for (place, (key, peer)) in absent.enumerated() {
            let isOld = peer.left.map { $0 + Self.absence < now } ?? false
            guard peer.isIdle || isOld || absent.count - place > Self.mostAbsent else { continue }
            earlier = earlier + peer.statistics
            peer.stop()
            peers[key] = nil
        }
    }

    // MARK: Requests of the user

    var recipients: [FileRecipient] {
        peers.values.filter(\.isConnected).map { FileRecipient(id: $0.number, name: $0.name) }.sorted { $0.id < $1.id }
    }

    func peer(numbered number: Int) -> FilePeer? { peers.values.first { $0.number == number } }

    /// Sends to one peer or to all. `listed` is called once for each peer, with the batch, or with `nil` if nothing can
    /// be sent.
    ///
    /// - Returns: the number of peers.
    func send(_ paths: [String], to number: Int?, _ listed: @escaping @Sendable (FileBatch.ID?) -> Void) -> Int {
        let chosen = peers.values.filter { $0.isConnected && $0.number == number ?? $0.number }
        for (place, peer) in chosen.enumerated() {
            let batch = BatchID(.random(in: 1 ... .max))
            let bound = NIOLoopBound(peer, eventLoop: loop)
            let desk = NIOLoopBound(self, eventLoop: loop)
            peer.send(paths, as: batch) { listing in
                bound.eventLoop.execute {
                    // Every peer's listing has the same omissions, so only the first one reports them.
                    if place == 0 { desk.value.tellLeft(of: listing) }
                    if !listing.entries.isEmpty { bound.value.send(listing.entries, as: batch) }
                    listed(listing.entries.isEmpty ? nil : .init(peer: bound.value.number, batch: batch))
                }
            }
        }
        return chosen.count
    }

    private func tellLeft(of listing: SourceListing) {
        for left in listing.left {
            tell(.leftOut(path: left.path, reason: left.reason.words(isPeers: false)))
        }
    }

    // MARK: Statistics and end

    var statistics: FileStatistics { peers.values.reduce(earlier) { $0 + $1.statistics } }

    func stop() {
        for peer in peers.values { peer.stop() }
        peers = [:]
        sessions = [:]
    }
}
