import HelioCore
import HelioUnattended
import Testing

@Suite("A monitor for a desktop that has none")
struct MonitorPlanTests {
    private static let size = PixelSize(width: 1600, height: 900)
    private static let made = [
        "xrandr", "--newmode", "heliograph-1600x900", "97.75", "1600", "1648", "1680", "1760", "900", "903", "908",
        "926", "+hsync", "-vsync",
    ]

    @Test(
        "timings are those of the standard's formula",
        arguments: [
            (1920, 1080, "138.50 1920 1968 2000 2080 1080 1083 1088 1111 +hsync -vsync"),
            (1600, 900, "97.75 1600 1648 1680 1760 900 903 908 926 +hsync -vsync"),
            (1280, 800, "71.00 1280 1328 1360 1440 800 803 809 823 +hsync -vsync"),
            (1024, 768, "56.00 1024 1072 1104 1184 768 771 775 790 +hsync -vsync"),
        ])
    func timings(width: Int, height: Int, words: String) {
        let mode = ModeLine(PixelSize(width: width, height: height))
        #expect(mode.words.joined(separator: " ") == words && mode.name == "heliograph-\(width)x\(height)")
    }

    @Test("a width is rounded to what drivers take, and no size is too small")
    func sizes() {
        #expect(ModeLine(PixelSize(width: 1366, height: 768)).name == "heliograph-1360x768")
        for side in [8, 9, 64, 4096, 16384] {
            #expect(ModeLine(PixelSize(width: side, height: side)).words.count == 11)
        }
    }

    @Test("a screen with a monitor that is on is left alone")
    func on() throws {
        let text = """
            Screen 0: minimum 1 x 1, current 1024 x 768, maximum 1024 x 768
            screen connected 1024x768+0+0 0mm x 0mm
               1024x768       0.00*
            """
        #expect(try MonitorPlan.x11(text, size: Self.size) == [])
        let primary =
            "HDMI-1 connected primary 1920x1080+0+0 (normal left) 5mm x 3mm\nDP-1 disconnected (normal left)\n"
        #expect(try MonitorPlan.x11(primary, size: Self.size) == [])
    }

    @Test("an output that is plugged in and off goes first, with its own mode if it has the size")
    func connected() throws {
        // As Xorg's dummy driver tells it.
        let text = """
            Screen 0: minimum 64 x 64, current 64 x 64, maximum 32767 x 32767
            VGA-1 disconnected (normal left inverted right x axis y axis)
            DUMMY0 connected primary (normal left inverted right x axis y axis)
               2048x1536     60.00
               1920x1440     75.00    60.00
            """
        #expect(
            try MonitorPlan.x11(text, size: Self.size) == [
                Self.made, ["xrandr", "--addmode", "DUMMY0", "heliograph-1600x900"],
                ["xrandr", "--output", "DUMMY0", "--mode", "heliograph-1600x900"],
            ])
        #expect(
            try MonitorPlan.x11(text, size: PixelSize(width: 2048, height: 1536)) == [
                ["xrandr", "--output", "DUMMY0", "--mode", "2048x1536"]
            ])
        #expect(
            try MonitorPlan.x11(text + "\n   heliograph-1600x900  59.95\n", size: Self.size) == [
                ["xrandr", "--output", "DUMMY0", "--mode", "heliograph-1600x900"]
            ], "a mode that was made before")
    }

    @Test("without any that is plugged in it is the first; without outputs it is an error")
    func disconnected() throws {
        let text = "Screen 0: minimum 8 x 8\nVGA-1 disconnected (normal left)\nHDMI-1 disconnected (normal left)\n"
        #expect(try MonitorPlan.x11(text, size: Self.size).last?[2] == "VGA-1")
        #expect(throws: HelioError.self) { try MonitorPlan.x11("Screen 0: minimum 8 x 8\n", size: Self.size) }
        #expect(throws: HelioError.self) { try MonitorPlan.x11("", size: Self.size) }
    }

    @Test("sway's outputs that are on; what is not their list is told from an empty one")
    func sway() {
        #expect(MonitorPlan.swayOutputs("[]") == [])
        #expect(
            MonitorPlan.swayOutputs(
                "[{\"name\":\"DP-1\",\"active\":false,\"x\":1},{\"name\":\"HEADLESS-1\",\"active\":true},{\"name\":\"A\"}]"
            )
                == ["HEADLESS-1"])
        #expect(MonitorPlan.swayOutputs("") == nil && MonitorPlan.swayOutputs("{}") == nil)
    }
}
