import HelioAppleMedia
import HelioCore
import Testing

@Suite("Devices of macOS to choose from")
struct CoreDevicesTests {
    private static func side(_ streams: Int, isDefault: Bool = false, latency: UInt32 = 0) -> CoreDevice.Side {
        CoreDevice.Side(
            isDefault: isDefault, streams: streams, latency: latency, safetyOffset: 48, streamLatency: 24,
            bufferFrames: 480)
    }

    private static let devices = CoreDevices([
        CoreDevice(uid: "BT", name: "Headset", rate: 48000, output: side(1, latency: 7128), input: side(1)),
        CoreDevice(uid: "IN", name: "Built-in", rate: 48000, output: side(0), input: side(1, isDefault: true)),
        CoreDevice(uid: "OUT", name: "Speakers", rate: 96000, output: side(2, isDefault: true), input: side(0)),
    ])

    @Test("each is listed where it plays or captures, with its own id")
    func lists() {
        #expect(
            Self.devices.outputs == [
                SoundDevice(id: "BT", name: "Headset", isDefault: false),
                SoundDevice(id: "OUT", name: "Speakers", isDefault: true),
            ])
        #expect(Self.devices.microphones.map(\.id) == ["BT", "IN"])
        #expect(Self.devices.microphones.map(\.isDefault) == [false, true])
    }

    @Test("a route has the latency of device, buffer and stream, at the device's own rate")
    func routes() throws {
        let headset = try Self.devices.route(to: "Headset")
        #expect(
            headset.name == "Headset" && headset.latency == .milliseconds(150) && headset.cycle == .milliseconds(10))
        for id in [nil, "", "OUT", "Speakers"] {
            let route = try Self.devices.route(to: id)
            #expect(route.name == "Speakers" && route.format.sampleRate == 96000 && route.cycle == .milliseconds(5))
        }
    }

    @Test("a queue is given a device only if one is chosen")
    func queue() throws {
        #expect(try Self.devices.output(nil) == nil && Self.devices.output("") == nil)
        #expect(try Self.devices.output("Headset")?.uid == "BT")
        #expect(try Self.devices.microphone("BT").uid == "BT" && Self.devices.microphone(nil).uid == "IN")
    }

    @Test("one that is not there is an error that names the others, and so is none at all")
    func missing() {
        let error = #expect(throws: HelioError.self) { try Self.devices.route(to: "Built-in") }
        #expect(error?.code == .invalidArgument && error?.message.contains("Headset, Speakers") == true)
        #expect(throws: HelioError.self) { try Self.devices.microphone("OUT") }
        let none = #expect(throws: HelioError.self) { try CoreDevices([]).route(to: nil) }
        #expect(none?.code == .unsupported)
    }

    @Test("numbers that make no sense give a route all the same", arguments: [0, -1, .nan, .infinity, 1e300])
    func senseless(rate: Double) throws {
        var side = Self.side(1)
        (side.latency, side.bufferFrames) = (.max, .max)
        let device = CoreDevice(uid: "X", name: "X", rate: rate, output: side, input: side)
        let route = try CoreDevices([device]).route(to: nil)
        #expect(route.latency <= .seconds(1) && route.cycle <= .seconds(1) && route.latency >= .zero)
        #expect((1...1_000_000).contains(route.format.sampleRate))
    }
}
