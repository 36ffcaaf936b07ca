import HelioAppModels
import HelioHostFlow
import Synchronization

/// A sharing session that only records its calls.
final class FakeSharing: HostSharing {
    struct Gone: Error, CustomStringConvertible { let description = "gone" }

    private struct State {
        var asked: [String] = []
        var viewers: [SharedViewer] = []
        var links: SharingLinks?
    }

    let events: AsyncStream<SharingEvent>
    private let out: AsyncStream<SharingEvent>.Continuation
    private let state = Mutex(State())

    init() { (events, out) = AsyncStream.makeStream(of: SharingEvent.self) }

    func tell(_ event: SharingEvent) { out.yield(event) }

    var asked: [String] { state.withLock { $0.asked } }
    private func ask(_ text: String) { state.withLock { $0.asked.append(text) } }

    func set(viewers: [SharedViewer]) {
        state.withLock { $0.viewers = viewers }
        tell(.people)
    }

    func set(links: SharingLinks?) { state.withLock { $0.links = links } }
    func links() async -> SharingLinks? { state.withLock { $0.links } }
    func code() async throws -> String { "ABCD-EFGH-JKMN-PQRS" }
    func viewers() async -> [SharedViewer] { state.withLock { $0.viewers } }

    var monitors: (all: [SessionMonitor], selected: String?) {
        (
            [
                SessionMonitor(id: "1", name: "Built-in", width: 2560, height: 1440, isMain: true),
                SessionMonitor(id: "2", name: "Side", width: 1920, height: 1080),
            ], "1"
        )
    }

    func selectMonitor(_ id: String) throws {
        ask("monitor \(id)")
        tell(.monitors(monitors.all, selected: id))
    }
    func setControl(_ isAllowed: Bool) {
        ask("control \(isAllowed)")
        if isAllowed { return }
        state.withLock { state in for index in state.viewers.indices { state.viewers[index].drives = false } }
    }
    func setControl(_ isAllowed: Bool, of viewer: UInt64) async {
        ask("control of \(viewer) \(isAllowed)")
        state.withLock { state in
            for index in state.viewers.indices where state.viewers[index].number == viewer {
                state.viewers[index].mayDrive = isAllowed
            }
        }
    }
    func answerFiles(_ question: Int, accepts: Bool) { ask("files \(question) \(accepts)") }
    func setSound(_ isShared: Bool) throws { ask("sound \(isShared)") }
    func answerPairing(_ question: Int, _ answer: PairingReply) { ask("pairing \(question) \(answer)") }

    func putOut(_ viewer: UInt64) {
        ask("out \(viewer)")
        set(viewers: state.withLock { $0.viewers.filter { $0.number != viewer } })
    }

    func stop() async {
        ask("stop")
        out.finish()
    }
}
