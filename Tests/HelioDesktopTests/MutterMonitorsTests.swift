import HelioCore
import HelioDBusWire
import Testing

@testable import HelioDesktop

/// The monitors that Mutter describes, and those that are made.
@Suite("GNOME's monitors") struct MutterMonitorsTests {
    private static func identity(_ connector: String, _ product: String = "P") -> DBusValue {
        .structure([.string(connector), .string("V"), .string(product), .string("1")])
    }

    private static func mode(_ width: Int32, _ height: Int32, isCurrent: Bool) -> DBusValue {
        .structure([
            .string("m"), .int32(width), .int32(height), .double(60), .double(1), .array("d", []),
            .options(isCurrent ? ["is-current": .bool(true)] : [:]),
        ])
    }

    private static func monitor(_ connector: String, _ modes: [DBusValue], product: String = "P") -> DBusValue {
        .structure([
            identity(connector, product), .array("(siiddada{sv})", modes),
            .options(["display-name": .string("Screen " + connector)]),
        ])
    }

    private static func logical(
        _ x: Int32, _ scale: Double, _ transform: UInt32, _ isPrimary: Bool, _ connectors: [String]
    ) -> DBusValue {
        .structure([
            .int32(x), .int32(0), .double(scale), .uint32(transform), .bool(isPrimary),
            .array("(ssss)", connectors.map { identity($0) }), .options([:]),
        ])
    }

    @Test("what is on is listed, turned and scaled, the primary first, and what shows the same once") func list() {
        let monitors: [DBusValue] = [
            Self.monitor("DP-1", [Self.mode(1920, 1080, isCurrent: true), Self.mode(800, 600, isCurrent: false)]),
            Self.monitor("DP-2", [Self.mode(2560, 1440, isCurrent: true)]),
            Self.monitor("DP-3", [Self.mode(640, 480, isCurrent: true)]),
            Self.monitor("HDMI-1", [Self.mode(1024, 768, isCurrent: false)]),
            Self.monitor("Meta-9", [Self.mode(800, 600, isCurrent: true)], product: "Virtual remote monitor"),
        ]
        let logical: [DBusValue] = [
            Self.logical(0, 1, 1, false, ["DP-1"]), Self.logical(1080, 2, 0, true, ["DP-2", "DP-3"]),
            Self.logical(3000, 1, 0, false, ["Meta-9"]), .string("nonsense"),
        ]
        let state: [DBusValue] = [.uint32(1), .array("v", monitors), .array("v", logical), .options([:])]
        #expect(
            MutterMonitors.list(state) == [
                ScreenMonitor(
                    id: "DP-2", name: "Screen DP-2", rect: PixelRect(x: 1080, y: 0, width: 2560, height: 1440),
                    isPrimary: true, scale: 2),
                ScreenMonitor(
                    id: "DP-1", name: "Screen DP-1", rect: PixelRect(x: 0, y: 0, width: 1080, height: 1920),
                    isPrimary: false),
            ])
        #expect(MutterMonitors.list([]).isEmpty)
        #expect(MutterMonitors.list([.uint32(1), .string("x"), .array("v", logical)]).isEmpty)
    }

    @Test("a virtual monitor has the size in its name") func virtual() {
        #expect(VirtualMonitor.size(of: "virtual") == VirtualMonitor.usualSize)
        #expect(VirtualMonitor.size(of: "virtual-800x600") == PixelSize(width: 800, height: 600))
        for id in ["DP-1", "virtual-", "virtual-0x0", "virtual-99999x1", "virtual-800", "virtual-axb"] {
            #expect(VirtualMonitor.size(of: id) == nil, "\(id)")
        }
    }
}
