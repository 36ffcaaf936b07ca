internal import HelioCore
internal import HelioRemote
internal import HelioServing

/// A shared screen that viewers drive. Injects input on the calling thread, which has received the viewer's datagram,
/// so that no thread change adds latency.
///
/// `@unchecked Sendable`: the control port, which is the only caller, makes one call at a time.
final class DrivenScreen<Target: InputInjecting>: DrivenMachine, @unchecked Sendable {
    private let target: Target?
    private let board: MonitorBoard

    /// - Parameter target: the injector of input; `nil` if viewers may only watch.
    init(_ target: Target?, board: MonitorBoard) {
        self.target = target
        self.board = board
    }

    func inject(_ inputs: [InjectedInput]) {
        guard let target else { return }
        for input in inputs { input.apply(to: target) }
        target.flush()
    }

    func selectMonitor(_ id: String) { try? board.select(id) }
}
