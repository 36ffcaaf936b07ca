import Foundation
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The order of command line, environment, file and defaults. `share` without a display names the one that it was told,
/// which shows where an option comes from.
@Suite("configuration file and command line", .timeLimit(.minutes(2)), .tags(.quiet))
struct ConfigPrecedenceTests {
    @Test(
        "the command line wins over the file",
        arguments: [
            ("display = \":7777\"", [], "X display :7777 can't be opened"),
            ("display = \":7777\"", ["--display", ":7778"], "X display :7778 can't be opened"),
            ("display = \":7777\"", ["--display=:7778"], "X display :7778 can't be opened"),
            ("display = \":7777\"", ["--no-display"], "There is no X display"),
            // A wrong value that does not count is none.
            ("fps = 999\ndisplay = \":7777\"", ["--fps", "30"], "X display :7777 can't be opened"),
            ("fps = 999\ndisplay = \":7777\"", ["--no-fps"], "X display :7777 can't be opened"),
            // Options that do not go with the call are left out.
            (
                "capture = \"wlr\"\nscreen = \"1\"", ["--relay", "/nonexistent/a/socket"],
                "/nonexistent/a can't be made"
            ),
            ("files-folder = \"/tmp\"\ndisplay = \":7777\"", ["--files", "refuse"], "X display :7777 can't be opened"),
            // Two settings that each conflict with it are left out, too; settings that have nothing to do with it stay.
            (
                "link-file = \"/tmp/a\"\nweb-link-file = \"/tmp/b\"\ndisplay = \":7777\"", ["--paired-only"],
                "X display :7777 can't be opened"
            ),
            // Options wait for those that they need.
            ("stats-interval = 2\ndisplay = \":7777\"", [], "X display :7777 can't be opened"),
            ("stats-interval = 9999\ndisplay = \":7777\"", ["--stats"], "--stats-interval 9999.0: give a number"),
            // Typed options are wrong by themselves.
            ("display = \":7777\"", ["--fps", "999"], "Error: --fps 999: give a number from 1 to 240."),
            ("display = \":7777\"", ["--fsp", "9"], "Unknown option '--fsp'"),
        ])
    func typed(_ settings: String, _ arguments: [String], _ says: String) throws {
        let outcome = try ConfiguredProgram("[share]\n\(settings)\n").run(["share"] + arguments)
        #expect(outcome.status != 0)
        #expect(outcome.text.contains(says), "\(outcome.text)")
    }

    @Test("what a command's table says wins over what stands above the tables")
    func tables() throws {
        let program = try ConfiguredProgram("clipboard-limit = 99\n[share]\nclipboard-limit = 8\n")
        let share = try program.run(["share"])
        #expect(share.text.contains("There is no X display"), "\(share.text)")
        let view = try program.run(["view", "127.0.0.1:1"])
        #expect(view.text.contains("line 1: --clipboard-limit 99: give a number from 1 to 32."), "\(view.text)")
    }

    @Test("an environment variable wins over the file, and the listing says so")
    func environment() throws {
        let program = try ConfiguredProgram("[share]\nrendezvous = \"https://a.example\"\n")
        let variable = ["HELIOGRAPH_RENDEZVOUS": "https://b.example"]
        let (before, with) = (try program.keys(), try program.keys(variable))
        let key = try #require(before.first { $0.key == "share.rendezvous" })
        #expect(
            key.source == "file" && key.values == ["https://a.example"] && key.variables == ["HELIOGRAPH_RENDEZVOUS"])
        #expect(with.first { $0.key == "share.rendezvous" }?.source == "environment")
        #expect(!(try program.run(["config"], variable).text.contains("b.example")), "variables may be secrets")
    }

    @Test("without the file, or with another one, other values count")
    func places() throws {
        let program = try ConfiguredProgram("[share]\ndisplay = \":7777\"\n")
        let other = program.folder.appending(path: "other.toml")
        try Data("[share]\ndisplay = \":7779\"\n".utf8).write(to: other)
        let folder = program.folder.appending(path: "heliograph")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("[share]\ndisplay = \":7780\"\n".utf8).write(to: folder.appending(path: "config.toml"))
        let cases = [
            (["HELIOGRAPH_CONFIG": "off"], "There is no X display"),
            (["HELIOGRAPH_CONFIG": other.path], "X display :7779 can't be opened"),
            (["HELIOGRAPH_CONFIG": "/nonexistent/file"], "/nonexistent/file: there is no such file."),
            (["HELIOGRAPH_HOME": "", "XDG_CONFIG_HOME": program.folder.path], "X display :7780 can't be opened"),
        ]
        for (environment, says) in cases {
            // Keys have a folder even where the file is elsewhere.
            let others = ["XDG_DATA_HOME": program.folder.path].merging(environment) { $1 }
            let outcome = try program.run(["share"], others)
            #expect(outcome.text.contains(says), "\(outcome.text)")
        }
    }

    @Test("help and commands without options do not read the file")
    func broken() throws {
        let program = try ConfiguredProgram("no toml")
        for arguments in [["share", "--help"], ["help"], ["devices"], ["--version"], ["help", "view"]] {
            let outcome = try program.run(arguments)
            #expect(outcome.status == 0, "\(outcome.text)")
        }
    }
}
