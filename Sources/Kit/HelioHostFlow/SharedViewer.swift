/// A viewer that watches this machine's screen.
public struct SharedViewer: Sendable, Hashable {
    /// The number by which the viewer can be kicked.
    public var number: UInt64
    /// The name of a paired device, or the address of another viewer.
    public var name: String
    /// True if the viewer drives now.
    public var drives: Bool
    /// True if the viewer is permitted to drive; `nil` if that can't be changed for each viewer.
    public var mayDrive: Bool?

    /// Makes a viewer, by default one that does not drive.
    public init(number: UInt64, name: String, drives: Bool = false, mayDrive: Bool? = nil) {
        self.mayDrive = mayDrive
        self.number = number
        self.name = name
        self.drives = drives
    }
}
