import HelioCore
import HelioSession

extension PathID {
    /// A port of the machine that tests have for a viewer.
    init(_ port: UInt16) { self.init(Self.viewer, port: port) }

    /// 10.0.0.2
    static let viewer = IPAddress.v4(0x0A00_0002)
}
