package import HelioCore
package import HelioRendezvousWire
private import Synchronization

/// A store whose contents are lost with the program, for tests and for a server whose devices announce their permits
/// anew in any case.
package final class MemoryStore: RendezvousStoring {
    private struct State {
        var seen: [RendezvousID: Int64] = [:]
        var permits: [RendezvousID: [StoredPermit]] = [:]
        var blocked: Set<RendezvousID>
    }

    private let state: Mutex<State>
    private let mostDevices: Int
    package let isDurable = false

    /// - Parameter mostDevices: the number of devices beyond which cleaning removes those that were seen the longest
    ///   ago.
    package init(blocked: Set<RendezvousID> = [], mostDevices: Int = 1_000_000) {
        state = Mutex(State(blocked: blocked))
        self.mostDevices = mostDevices
    }

    package func device(_ id: RendezvousID, now: Int64) throws(HelioError) -> StoredDevice? {
        state.withLock { state in
            guard let seen = state.seen[id] else { return nil }
            let permits = state.permits[id, default: []].filter { $0.expiry.map { $0 > now } ?? true }
            return StoredDevice(id: id, lastSeen: seen, permits: permits)
        }
    }

    package func blocked() throws(HelioError) -> [RendezvousID] { state.withLock { Array($0.blocked) } }

    package func apply(_ changes: [StoredChange]) throws(HelioError) {
        state.withLock { state in
            for change in changes {
                switch change {
                case .seen(let id, _, let time): state.seen[id] = time
                case .left(let id, let time): if state.seen[id] != nil { state.seen[id] = time }
                case .permits(let id, let permits): state.permits[id] = permits
                }
            }
        }
    }

    package func clean(now: Int64, forget: Int64) throws(HelioError) {
        state.withLock { state in
            state.permits = state.permits.mapValues { $0.filter { $0.expiry.map { $0 > now } ?? true } }
                .filter { !$0.value.isEmpty }
            state.seen = state.seen.filter { $0.value >= forget || state.permits[$0.key] != nil }
            let excess = state.seen.count - mostDevices
            guard excess > 0 else { return }
            for (id, _) in state.seen.sorted(by: { $0.value < $1.value }).prefix(excess) {
                state.seen[id] = nil
                state.permits[id] = nil
            }
        }
    }
}
