import HelioCore

/// The exchange with one viewer, among those of a host.
final class ClipboardViewer {
    var exchange: ClipboardExchange

    init(_ exchange: consuming ClipboardExchange) { self.exchange = exchange }
}
