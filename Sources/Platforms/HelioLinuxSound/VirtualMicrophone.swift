internal import HelioCore

/// A microphone that other programs of this machine see: a sink that nobody hears, and a source with what is played into
/// it.
///
/// Guarded by the connection's lock.
final class VirtualMicrophone {
    /// What the names of all such sinks and sources begin with.
    static let prefix = "heliograph_"
    private static let mostOfOneName = 8
    private static let patience = Duration.seconds(1)
    /// How often the server is asked for what is left of another.
    private static let mostQuestions = 50

    /// For people.
    let name: String
    private(set) var sinkName = ""
    /// The loaded modules, the first one last.
    private var modules: [UInt32] = []

    init(_ name: String) {
        // Within quotes, in a language with three kinds of them.
        let plain = name.unicodeScalars.filter {
            $0.value >= 32 && $0.value != 127 && !"\"'\\{}".unicodeScalars.contains($0)
        }
        self.name = String(String.UnicodeScalarView(plain.prefix(80)))
    }

    /// Makes it on a new connection. One that a program has left behind that was killed is taken away before.
    ///
    /// - Parameter then: is given what went wrong; `nil` for nothing.
    func install(_ client: PulseClient, _ then: @escaping (String?) -> Void) {
        modules = []
        client.devices(.sink) { [unowned self] reply in
            let sinks = reply.devices
            client.playedSinks { reply in
                // Somebody who lives plays into his.
                let taken = sinks.filter { reply.playedSinks.contains($0.index) }.map(\.name)
                let candidates = (1...Self.mostOfOneName).map { self.sinkName(number: $0) }
                guard let free = candidates.first(where: { !taken.contains($0) }) else {
                    return then("there are \(Self.mostOfOneName) microphones of that name")
                }
                self.sinkName = free
                self.clean(client) { self.load(client, then) }
            }
        }
    }

    /// Takes it away, as far as there is a server that does so; waits for that.
    func remove(_ client: PulseClient) {
        client.locked {
            let modules = modules
            self.modules = []
            guard client.isConnected, !modules.isEmpty else { return }
            var isDone = false
            Self.unload(modules[...], client) {
                isDone = true
                client.signal()
            }
            _ = client.wait(Self.patience) { isDone || !client.isConnected }
        }
    }

    private var sourceName: String { sinkName + "_microphone" }

    private func sinkName(number: Int) -> String {
        let letters = name.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
        }
        // Names that differ in other letters only are others (FNV-1a).
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let end = number == 1 ? "" : "_\(number)"
        return Self.prefix + String(letters.prefix(40)) + "_" + String(hash, radix: 16) + end
    }

    /// Unloads what is left of one by that name. The server says yes before it has done so, and would give the new one
    /// another name until then: it is asked until nothing is left.
    private func clean(
        _ client: PulseClient, tries: Int = VirtualMicrophone.mostQuestions, _ then: @escaping () -> Void
    ) {
        client.modules { [unowned self] reply in
            let (sink, source) = ("sink_name=\(sinkName) ", "source_name=\(sourceName) ")
            // The later one needs the earlier one.
            let stale = reply.modules.filter { $0.argument.hasPrefix(sink) || $0.argument.hasPrefix(source) }
                .map(\.index).sorted(by: >)
            guard !stale.isEmpty, tries > 0 else { return then() }
            Self.unload(stale[...], client) { self.clean(client, tries: tries - 1, then) }
        }
    }

    private static func unload(_ modules: ArraySlice<UInt32>, _ client: PulseClient, _ then: @escaping () -> Void) {
        guard let first = modules.first else { return then() }
        client.unload(first) { _ in unload(modules.dropFirst(), client, then) }
    }

    private func load(_ client: PulseClient, _ then: @escaping (String?) -> Void) {
        let format = "rate=\(SoundFormat.standard.sampleRate) channels=\(SoundFormat.standard.channels)"
        let sink = "sink_name=\(sinkName) \(format) sink_properties='device.description=\"\(name)\"'"
        let source =
            "source_name=\(sourceName) master=\(sinkName).monitor source_properties='device.description=\"\(name)\"'"
        client.load("module-null-sink", sink) { [unowned self] reply in
            guard let module = reply.module else { return then("it makes no sink for a microphone") }
            modules = [module]
            client.load("module-remap-source", source) { [unowned self] reply in
                guard let module = reply.module else { return then("it makes no source for a microphone") }
                modules = [module] + modules
                then(nil)
            }
        }
    }
}
