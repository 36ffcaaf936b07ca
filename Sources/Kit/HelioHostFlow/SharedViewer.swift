/// Somebody who watches this machine.
public struct SharedViewer: Sendable, Hashable {
    /// The number by which it is put out.
    public var number: UInt64
    /// The name of a paired device, or the address of another.
    public var name: String
    /// Whether it drives now.
    public var drives: Bool

    /// Makes a viewer.
    public init(number: UInt64, name: String, drives: Bool = false) {
        self.number = number
        self.name = name
        self.drives = drives
    }
}
