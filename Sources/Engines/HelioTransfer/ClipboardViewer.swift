import HelioCore

/// A host's clipboard exchange with one viewer, boxed as it is not copyable.
final class ClipboardViewer {
    var exchange: ClipboardExchange

    init(_ exchange: consuming ClipboardExchange) { self.exchange = exchange }
}
