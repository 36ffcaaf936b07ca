/// A message for other instances. The bus keeps the order of one instance's messages to another, and may lose some.
package struct BusOrder: Sendable, Equatable {
    /// `everyone`, or the `subject` of one instance.
    package var subject: String
    package var bytes: [UInt8]

    /// The subject to which each instance listens, its own messages included.
    package static let everyone = "instances"

    package init(subject: String, bytes: [UInt8]) {
        self.subject = subject
        self.bytes = bytes
    }
}

/// A message from another instance, of either subject.
package struct BusMessage: Sendable, Equatable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}
