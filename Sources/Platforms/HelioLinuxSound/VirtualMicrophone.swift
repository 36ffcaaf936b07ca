internal import HelioCore

/// A virtual microphone for other programs on this machine: a null sink, and a source that captures the sound played to
/// it.
///
/// All members are guarded by the connection's lock.
final class VirtualMicrophone {
    /// The prefix of the names of all such sinks and sources.
    static let prefix = "heliograph_"
    private static let mostOfOneName = 8
    private static let patience = Duration.seconds(1)
    /// The maximum number of requests that check whether an earlier microphone's modules are unloaded.
    private static let mostQuestions = 50

    /// The microphone's name, which other programs show.
    let name: String
    private(set) var sinkName = ""
    /// The indices of the loaded modules, in the reverse order of loading.
    private var modules: [UInt32] = []

    init(_ name: String) {
        // Remove the characters that are special in the module's arguments, where the name is inside nested quotes.
        let plain = name.unicodeScalars.filter {
            $0.value >= 32 && $0.value != 127 && !"\"'\\{}".unicodeScalars.contains($0)
        }
        self.name = String(String.UnicodeScalarView(plain.prefix(80)))
    }

    /// Makes the microphone on a new connection, after unloading the modules that a killed process has left.
    ///
    /// - Parameter then: called with the reason of a failure, or with `nil` after success.
    func install(_ client: PulseClient, _ then: @escaping (String?) -> Void) {
        modules = []
        client.devices(.sink) { [unowned self] reply in
            let sinks = reply.devices
            client.playedSinks { reply in
                // A sink to which sound is played belongs to a running process.
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

    /// Removes the microphone, and waits up to 1 s until the server has done so; does nothing without a connection.
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
        // The hash (FNV-1a) distinguishes names that differ only in replaced characters.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let end = number == 1 ? "" : "_\(number)"
        return Self.prefix + String(letters.prefix(40)) + "_" + String(hash, radix: 16) + end
    }

    /// Unloads the modules left by an earlier microphone of this name. The server answers before they are unloaded, and
    /// until then would give the new microphone another name, so the list is requested until none is left.
    private func clean(
        _ client: PulseClient, tries: Int = VirtualMicrophone.mostQuestions, _ then: @escaping () -> Void
    ) {
        client.modules { [unowned self] reply in
            let (sink, source) = ("sink_name=\(sinkName) ", "source_name=\(sourceName) ")
            // Unload the later modules first, as they depend on the earlier ones.
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
