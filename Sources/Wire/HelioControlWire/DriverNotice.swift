import HelioCore

/// The viewer that controls the host.
package enum Driver: Hashable, Sendable {
    case nobody
    /// The viewer that receives the notice.
    case you
    /// Another viewer, by the unverified name that it gave itself.
    case other(name: String)
}

/// The host's notice to a viewer: which viewer controls the host from now on, or that another viewer requests control
/// from the notified viewer. Only the newest notice counts. The host repeats notices, as datagrams may be lost.
///
/// ```
///  0      1               5        6        7
///  +------+---------------+--------+--------+--------------+
///  |  8   | sequence u32  |  who   | length | name (UTF-8) |
///  +------+---------------+--------+--------+--------------+
/// ```
/// `who`: 0 nobody, 1 you, 2 another, 3 you, and another viewer requests control. Only 2 (the driver) and 3 (the
/// requester) have a name.
package struct DriverNotice: Hashable, Sendable {
    /// The maximum length of a name, in bytes of UTF-8.
    package static let longestName = 64

    /// The sequence number, which wraps.
    package var sequence: UInt32
    package var driver: Driver
    /// The name of the viewer that requests control from this viewer; only if `driver` is `.you`.
    package var asker: String?

    /// - Precondition: a name has at most `longestName` bytes.
    package init(sequence: UInt32, driver: Driver, asker: String? = nil) {
        self.sequence = sequence
        self.driver = driver
        self.asker = asker
    }

    init(_ bytes: RawSpan, _ offset: inout ControlOffset) throws(ControlWireError) {
        sequence = try bytes.take32(&offset)
        let who = try bytes.take8(&offset)
        let length = Int(try bytes.take8(&offset))
        let name = try bytes.takeText(length, in: 0...Self.longestName, &offset)
        switch (who, length) {
        case (0, 0): driver = .nobody
        case (1, 0): driver = .you
        case (2, _): driver = .other(name: name)
        case (3, _): (driver, asker) = (.you, name)
        default: throw .badValue
        }
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: sequence)
        switch (driver, asker) {
        case (.nobody, _): bytes += [0, 0]
        case (.you, nil): bytes += [1, 0]
        case (.other(let name), _): append(2, name, to: &bytes)
        case (.you, let asker?): append(3, asker, to: &bytes)
        }
    }

    private func append(_ who: UInt8, _ name: String, to bytes: inout [UInt8]) {
        precondition(name.utf8.count <= Self.longestName, "names are cut before")
        bytes += [who, UInt8(name.utf8.count)]
        bytes += name.utf8
    }
}
