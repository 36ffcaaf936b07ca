import HelioCore
import HelioSession

extension PathID {
    /// A path of the tests' viewer machine with this port.
    init(_ port: UInt16) { self.init(Self.viewer, port: port) }

    /// 10.0.0.2
    static let viewer = IPAddress.v4(0x0A00_0002)
}
