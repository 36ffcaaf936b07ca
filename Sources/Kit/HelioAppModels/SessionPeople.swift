/// The viewers and the driver, as reported by the host.
public struct SessionPeople: Hashable, Sendable {
    /// A viewer of the host, as shown in the list of viewers.
    public struct Watcher: Hashable, Sendable {
        /// The number that the host assigned to the viewer.
        public var number: Int
        /// The viewer's name; may be empty.
        public var name: String
        /// True if the viewer drives.
        public var drives: Bool
        /// True if the viewer is this device.
        public var isYou: Bool
        /// True if the host lets the viewer drive; `nil` if this device can't change that.
        public var mayDrive: Bool?

        /// Makes a viewer, by default another device that does not drive.
        public init(number: Int, name: String, drives: Bool = false, isYou: Bool = false, mayDrive: Bool? = nil) {
            self.mayDrive = mayDrive
            self.number = number
            self.name = name
            self.drives = drives
            self.isYou = isYou
        }
    }

    /// The state of control, from this device's point of view.
    public enum Control: Hashable, Sendable {
        case yours
        case free
        /// This device may only watch.
        case forbidden
        /// Another viewer drives, whose name is given; it may be empty.
        case others(String)
    }

    /// The state of control.
    public var control = Control.forbidden
    /// The viewers that the host has reported.
    public var watchers: [Watcher] = []

    /// Makes an empty list of viewers; this device may only watch.
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
