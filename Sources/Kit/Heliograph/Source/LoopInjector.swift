internal import HelioControl
internal import HelioCore

/// Injects on the event loop, where the input was opened: no other thread lies between the network and the
/// system's input.
///
/// `@unchecked Sendable`: it is made before the loop calls it, and only the loop calls it.
final class LoopInjector<Target: InputInjecting>: @unchecked Sendable {
    private let target: Target

    init(_ target: Target) {
        self.target = target
    }

    func inject(_ input: InjectedInput) {
        input.apply(to: target)
        target.flush()
    }
}
