private import HelioViewing

/// Names of paired machines, for shells that complete a word.
enum DeviceCompletion {
    /// The hosts that this machine may watch.
    @Sendable static func hosts(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        ((try? DeviceBook().allHosts()) ?? []).map(\.name)
    }

    /// The devices that may come to this machine.
    @Sendable static func devices(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        ((try? DeviceBook().allDevices()) ?? []).map(\.name)
    }

    @Sendable static func all(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let names = hosts(words, index, prefix) + devices(words, index, prefix)
        return Set(names).sorted()
    }
}
