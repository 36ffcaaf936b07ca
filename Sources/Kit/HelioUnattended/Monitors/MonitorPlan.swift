private import Foundation
package import HelioCore

/// The commands that give a desktop without a monitor one, by `xrandr` or `swaymsg`.
package enum MonitorPlan {
    /// An output of an X server, by the text of `xrandr --query`.
    struct Output: Equatable {
        var name: String
        var isConnected: Bool
        /// True if it shows a part of the screen.
        var isOn: Bool
        var modes: [String] = []
    }

    /// Returns the commands after which an X server has a monitor of this size; none if one is on.
    ///
    /// An output that is plugged in goes before others; many drivers give a mode to one that is not, too.
    ///
    /// - Parameter text: the output of `xrandr --query`.
    ///
    /// Throws `unsupported` if the server has no output at all.
    package static func x11(_ text: String, size: PixelSize) throws(HelioError) -> [[String]] {
        let outputs = outputs(text)
        if outputs.contains(where: \.isOn) { return [] }
        guard let output = outputs.first(where: \.isConnected) ?? outputs.first else {
            throw HelioError(.unsupported, "The X server has no output that could be a virtual monitor.")
        }
        let plain = "\(size.width)x\(size.height)"
        func use(_ mode: String) -> [String] {
            ["xrandr", SystemTool.option("output"), output.name, SystemTool.option("mode"), mode]
        }
        if output.modes.contains(plain) { return [use(plain)] }
        let mode = ModeLine(size)
        let isKnown = output.modes.contains(mode.name)
        let making = [
            ["xrandr", SystemTool.option("newmode"), mode.name] + mode.words,
            ["xrandr", SystemTool.option("addmode"), output.name, mode.name],
        ]
        return (isKnown ? [] : making) + [use(mode.name)]
    }

    /// Parses `xrandr --query`: a line for each output, and indented ones for its modes.
    static func outputs(_ text: String) -> [Output] {
        var outputs: [Output] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if line.first == " " {
                if let mode = words.first, !outputs.isEmpty { outputs[outputs.count - 1].modes.append(String(mode)) }
            } else if words.count > 1, ["connected", "disconnected"].contains(words[1]) {
                outputs.append(
                    Output(
                        name: String(words[0]), isConnected: words[1] == "connected",
                        isOn: words.dropFirst(2).contains(where: isPlace)))
            }
        }
        return outputs
    }

    /// True for a size and a place such as 1920x1080+0+0.
    private static func isPlace(_ word: Substring) -> Bool {
        word.contains("x") && word.split(separator: "+").count == 3 && word.first?.isNumber == true
    }

    private struct SwayOutput: Decodable {
        var name: String
        var active: Bool?
    }

    /// Returns the names of sway's outputs that are on; `nil` if the text is not that of `swaymsg -t get_outputs -r`.
    package static func swayOutputs(_ text: String) -> [String]? {
        let outputs = try? JSONDecoder().decode([SwayOutput].self, from: Data(text.utf8))
        return outputs?.filter { $0.active ?? false }.map(\.name)
    }
}
