internal import CGTK

/// A closure as the data of a connection to a signal that asks whether it is handled; owned as a `SignalBox` is.
@MainActor
final class QuestionBox {
    private let call: () -> Bool

    private init(_ call: @escaping () -> Bool) { self.call = call }

    static func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ call: @escaping () -> Bool) {
        let box = Unmanaged.passRetained(QuestionBox(call))
        helio_gtk_connect_question(
            object, signal, { data in QuestionBox.ask(data) ? 1 : 0 }, box.toOpaque(),
            { data in if let data { Unmanaged<QuestionBox>.fromOpaque(data).release() } })
    }

    private nonisolated static func ask(_ data: UnsafeMutableRawPointer?) -> Bool {
        guard let data else { return false }
        let box = Unmanaged<QuestionBox>.fromOpaque(data).takeUnretainedValue()
        return MainActor.assumeIsolated { box.call() }
    }
}
