#if canImport(ScreenCaptureKit)
import CoreGraphics

/// Reports when displays are added, removed or changed, if the process has a run loop. It is only type-checked; no test
/// runs it.
final class DisplayWatch: Sendable {
    private let changed: @Sendable () -> Void

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    func begin() { _ = CGDisplayRegisterReconfigurationCallback(Self.callback, pointer) }
    func end() { _ = CGDisplayRemoveReconfigurationCallback(Self.callback, pointer) }

    private var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static var callback: CGDisplayReconfigurationCallBack {
        { _, flags, context in
            guard let context, !flags.contains(.beginConfigurationFlag) else { return }
            Unmanaged<DisplayWatch>.fromOpaque(context).takeUnretainedValue().changed()
        }
    }
}
#endif
