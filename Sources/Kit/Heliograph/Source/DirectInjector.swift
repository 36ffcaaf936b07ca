internal import HelioCore
internal import HelioRemote

/// Injects input on the caller's thread: there is no thread change between a viewer's datagram and the system's input.
///
/// `@unchecked Sendable`: the control port calls it with its lock held, one message at a time.
final class DirectInjector<Target: InputInjecting>: @unchecked Sendable {
    private let target: Target

    init(_ target: Target) {
        self.target = target
    }

    func inject(_ inputs: [InjectedInput]) {
        for input in inputs { input.apply(to: target) }
        target.flush()
    }
}
