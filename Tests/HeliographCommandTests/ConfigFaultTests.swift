import Foundation
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Files that say something wrong.
@Suite("configuration files with faults", .timeLimit(.minutes(2)), .tags(.quiet))
struct ConfigFaultTests {
    @Test(
        "what is wrong is told with its line, by the command and by 'config check'",
        arguments: [
            ("[share]\nfsp = 3", 2, "There is no key 'fsp' in [share]. Did you mean 'fps'?"),
            ("\n[shaer]\nfps = 3", 2, "There is no table [shaer]. Did you mean [share]?"),
            ("[q]", 1, "There is no table [q]. There are [share], [view]"),
            ("no-clipbord = true", 1, "There is no key 'no-clipbord' above the tables. Did you mean 'no-clipboard'?"),
            ("fullscren = true", 1, "Did you mean 'fullscreen'"),
            ("sound = \"off\"", 1, "There is no key 'sound' above the tables: it belongs below [share] or [view]."),
            ("[share]\nfullscreen = true", 2, "There is no key 'fullscreen' in [share]: it belongs below [view]."),
            ("[share]\nlist = true", 2, "'list' is for one call alone: give --list on the command line"),
            ("[share]\nfps = 999", 2, "--fps 999: give a number from 1 to 240."),
            ("fps = 999", 1, "--fps 999: give a number from 1 to 240."),
            ("[share]\nport = \"x\"", 2, "The value 'x' is invalid for '--port <port>'"),
            ("[share]\nbitrate = \"1\"", 2, "--bitrate 1: give a number from 100k to 500M"),
            ("[share]\nview-only = \"yes\"", 2, "--view-only: give true or false."),
            ("[share]\nview-only = 1", 2, "--view-only: give true or false."),
            ("[share]\ncodec = true", 2, "--codec: give one of auto, h264, h265, not true or false."),
            ("[share]\nfps = [1, 2]", 2, "--fps: give one value, not a list."),
            ("[share]\nallow-host = true", 2, "--allow-host: give a list such as"),
            ("[share]\nname = \"a\\nb\"", 2, "--name: there is a control character in it."),
            ("[share]\nrtsp-credentials = \"/x\"\nrtsp = \"127.0.0.1:x\"", 3, "--rtsp 127.0.0.1:x: give HOST:PORT"),
            ("[share]\nfps = off", 2, "Text needs quotes around it"),
            ("[share]\nfps = 1\nfps = 2", 3, "already in line 2"),
            ("[share]\n[share]", 2, "already in line 1"), ("share.fps = 30", 1, "keys with a dot"),
            ("[share]\nfps", 2, "After the key 'fps' there should be ="),
            ("[share", 1, "A table's name stands in brackets"),
        ])
    func told(_ text: String, _ line: Int, _ sentence: String) throws {
        let program = try ConfiguredProgram(text + "\n")
        for arguments in [["share"], ["config", "check"]] {
            let outcome = try program.run(arguments)
            #expect(outcome.status != 0)
            #expect(outcome.text.contains("\(program.file.path), line \(line): "), "\(outcome.text)")
            #expect(outcome.text.contains(sentence), "\(outcome.text)")
            #expect(!outcome.text.contains("Usage:"), "\(outcome.text)")
        }
    }

    @Test("all faults are listed in the order of their lines, and each with its own")
    func all() throws {
        let program = try ConfiguredProgram(
            """
            fps = 0
            [share]
            web = 99999
            fsp = 1
            bitrate = "1"
            [view]
            volume = 200
            headset = true
            [rendezvous]
            certificate = "x"
            """)
        let outcome = try program.run(["config", "check"])
        #expect(outcome.status == 1)
        let lines = outcome.text.split(separator: "\n").map { $0.dropFirst(program.file.path.count + 2) }
        let starts = [
            "line 1: --fps 0:", "line 3: --web 99999:", "line 4: There is no key 'fsp'", "line 5: --bitrate 1:",
            "line 7: --volume 200:", "line 10: --certificate and --key:",
        ]
        #expect(lines.count == starts.count, "\(outcome.text)")
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(outcome.text)") }
    }

    @Test("another command's table does not matter, a table that does not exist does")
    func others() throws {
        let program = try ConfiguredProgram("[view]\nfsp = 1\nvolume = 900\n")
        #expect(try program.run(["share"]).text.contains("There is no X display"))
        #expect(try program.run(["view", "127.0.0.1:1"]).text.contains("line 2: There is no key 'fsp' in [view]"))
    }

    @Test(
        "secrets are not taken, and not shown",
        arguments: [
            "[view]\ncode = \"SESA-MESE-SAME-SESA\"", "[share]\npublish = \"rtsp://anna:SESAME@h/x\"",
            "[share]\nbroadcast = [\"srt://h:1?passphrase=SESAME\"]", "[view]\nlink = \"heliograph://h/#SESAME\"",
            "[share]\nname = SESAME", "[share]\nname = \"SESAME",
        ])
    func secrets(_ text: String) throws {
        let program = try ConfiguredProgram(text + "\n")
        let check = try program.run(["config", "check"])
        #expect(check.status != 0)
        #expect(check.text.contains(", line 2: "), "\(check.text)")
        for arguments in [["config", "check"], ["config"], ["config", "--json"], ["share"], ["view", "127.0.0.1:1"]] {
            let outcome = try program.run(arguments)
            #expect(!outcome.text.contains("SESA"), "\(outcome.text)")
        }
    }

    @Test("a file that others can change, a folder, and one that is no text or too large are refused")
    func places() throws {
        let program = try ConfiguredProgram("[share]\nfps = 30\n")
        #expect(try program.run(["config", "check"]).text.contains("all is right, 1 key is set"))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: program.file.path)
        var outcome = try program.run(["share"])
        #expect(outcome.status != 0 && outcome.text.contains("can be written by others"), "\(outcome.text)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program.file.path)
        #expect(try program.run(["config", "check"]).status == 0, "others may read it")
        try Data(repeating: UInt8(ascii: "#"), count: 300_000).write(to: program.file)
        outcome = try program.run(["share"])
        #expect(outcome.text.contains("too large"), "\(outcome.text)")
        try Data([0x61, 0xFF, 0xFE]).write(to: program.file)
        outcome = try program.run(["share"])
        #expect(outcome.text.contains("no text"), "\(outcome.text)")
        try FileManager.default.removeItem(at: program.file)
        try FileManager.default.createDirectory(at: program.file, withIntermediateDirectories: false)
        outcome = try program.run(["share"])
        #expect(outcome.text.contains("is no file"), "\(outcome.text)")
    }
}
