import HelioADBWire
import Testing

@Suite("The list of phones")
struct ADBDeviceTests {
    @Test("states in both forms of the list") func states() {
        let text = """
            R58M\tdevice
            emulator-5554          offline
            192.168.1.7:5555       device product:husky model:Pixel_8 device:husky transport_id:3
            0123\tunauthorized
            77\tno permissions (user in plugdev group); see [http://developer.android.com/tools/device.html]
            88\trecovery
            junk

            """
        #expect(
            ADBDevice.list(in: Array(text.utf8)) == [
                ADBDevice(serial: "R58M", state: .ready), ADBDevice(serial: "emulator-5554", state: .offline),
                ADBDevice(serial: "192.168.1.7:5555", state: .ready, model: "Pixel_8"),
                ADBDevice(serial: "0123", state: .unauthorized), ADBDevice(serial: "77", state: .noPermissions),
                ADBDevice(serial: "88", state: .otherMode("recovery")),
            ])
    }

    @Test("no more than a list may have") func bounded() {
        let text = (0..<100).map { "serial\($0)\tdevice\n" }.joined()
        #expect(ADBDevice.list(in: Array(text.utf8)).count == ADBDevice.most)
    }

    @Test(
        "sentences of several versions of adb",
        arguments: [
            ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", ADBRefusal.unauthorized),
            ("device still authorizing", .unauthorized), ("device offline", .offline),
            ("insufficient permissions for device: user in plugdev group", .noPermissions),
            ("more than one device/emulator", .moreThanOne), ("more than one device", .moreThanOne),
            ("device 'abc' not found", .noDevice), ("no devices/emulators found", .noDevice), ("closed", .closed),
            ("unknown host service", .unknownRequest), ("some\u{1B}[31m odd\nthing", .other("some[31m odd")),
        ])
    func refusals(text: String, meaning: ADBRefusal) {
        #expect(ADBRefusal(text) == meaning)
    }
}
