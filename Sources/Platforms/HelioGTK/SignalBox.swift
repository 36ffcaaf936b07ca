internal import CGTK

/// A closure as the data of a signal's connection. GLib owns it, and releases it with the object or the connection.
@MainActor
final class SignalBox {
    private let call: () -> Void

    private init(_ call: @escaping () -> Void) { self.call = call }

    /// Calls `call` at each emission of the object's signal, until the object is gone. The closure should hold no widget
    /// that contains the object, because the two would then keep each other alive.
    static func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ call: @escaping () -> Void) {
        let box = Unmanaged.passRetained(SignalBox(call))
        helio_gtk_connect(
            object, signal, { data in SignalBox.emit(data) }, box.toOpaque(),
            { data in if let data { Unmanaged<SignalBox>.fromOpaque(data).release() } })
    }

    private nonisolated static func emit(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        // GTK emits signals on the main thread only.
        let box = Unmanaged<SignalBox>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { box.call() }
    }
}
