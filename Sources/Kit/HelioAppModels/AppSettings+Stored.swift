extension AppSettings {
    private static var toggles: [(String, WritableKeyPath<AppSettings, Bool>)] {
        [
            ("naturalScrolling", \.naturalScrolling), ("typeAsText", \.typeAsText), ("playsSound", \.playsSound),
            ("waitsForSound", \.waitsForSound), ("watchesOnly", \.watchesOnly), ("sharesSound", \.sharesSound),
            ("viewOnly", \.viewOnly),
            ("announces", \.announces),
        ]
    }

    /// Reads the stored settings; missing settings have their defaults.
    @MainActor
    public init(from store: any KeyValueStore) {
        self.init()
        for (key, path) in Self.toggles {
            switch store.text(key) {
            case "1": self[keyPath: path] = true
            case "0": self[keyPath: path] = false
            default: break
            }
        }
        name = String((store.text("name") ?? "").prefix(SettingsModel.longestName))
    }

    /// Stores all settings. Throws the store's error.
    @MainActor
    public func store(in store: any KeyValueStore) throws {
        for (key, path) in Self.toggles { try store.set(self[keyPath: path] ? "1" : "0", for: key) }
        try store.set(name, for: "name")
    }
}
