/// Who watches and who drives, as the host tells.
public struct SessionPeople: Hashable, Sendable {
    /// Somebody who watches.
    public struct Watcher: Hashable, Sendable {
        /// The number that the host gives it.
        public var number: Int
        /// What it is called; may be empty.
        public var name: String
        /// Whether it drives.
        public var drives: Bool
        /// Whether it is this device.
        public var isYou: Bool

        /// Makes it as it is at first.
        public init(number: Int, name: String, drives: Bool = false, isYou: Bool = false) {
            self.number = number
            self.name = name
            self.drives = drives
            self.isYou = isYou
        }
    }

    /// Who drives.
    public enum Control: Hashable, Sendable {
        case yours
        case free
        /// This device may only watch.
        case forbidden
        /// Somebody else, by this name.
        case others(String)
    }

    /// Who drives.
    public var control = Control.forbidden
    /// All who watch.
    public var watchers: [Watcher] = []

    /// Makes it as it is at first.
    public init() {}

    /// Who drives, in the bar.
    var driver: Phrase {
        switch control {
        case .yours: Phrase(.sessionYouDrive)
        case .free: Phrase(.sessionNobodyDrives)
        case .forbidden: Phrase(.sessionWatching)
        case .others(let name):
            name.isEmpty ? Phrase(.sessionSomebodyElse) : Phrase(.sessionDrives, name)
        }
    }
}
