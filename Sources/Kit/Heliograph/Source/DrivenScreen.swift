internal import HelioCore
internal import HelioRemote
internal import HelioServing

/// A screen that viewers drive. Injects input on the caller's thread: there is no thread change between a viewer's
/// datagram and the system's input.
///
/// `@unchecked Sendable`: the control port makes one call at a time.
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
