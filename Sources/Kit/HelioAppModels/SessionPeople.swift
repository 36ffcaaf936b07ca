/// The viewers and the driver, as reported by the host.
public struct SessionPeople: Hashable, Sendable {
    /// A viewer of the host, as the list of people shows it.
    public struct Watcher: Hashable, Sendable {
        /// The number that the host assigned to the viewer.
        public var number: Int
        /// The viewer's name; may be empty.
        public var name: String
        /// True if the viewer drives.
        public var drives: Bool
        /// True if the viewer is this device.
        public var isYou: Bool

        /// Makes a viewer, by default another device that does not drive.
        public init(number: Int, name: String, drives: Bool = false, isYou: Bool = false) {
            self.number = number
            self.name = name
            self.drives = drives
            self.isYou = isYou
        }
    }

    /// The state of control, from this device's view.
    public enum Control: Hashable, Sendable {
        case yours
        case free
        /// This device may only watch.
        case forbidden
        /// Another viewer drives; it has this name.
        case others(String)
    }

    /// The state of control.
    public var control = Control.forbidden
    /// All known viewers.
    public var watchers: [Watcher] = []

    /// Makes an empty list, without control.
    public init() {}

    /// The text in the bar about the driver.
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
