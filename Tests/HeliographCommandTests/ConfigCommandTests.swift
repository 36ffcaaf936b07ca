import Foundation
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph config` and its subcommands.
@Suite("heliograph config", .timeLimit(.minutes(2)), .tags(.quiet))
struct ConfigCommandTests {
    @Test("every option is written, read and listed as it was")
    func roundTrip() throws {
        let program = try ConfiguredProgram()
        let keys = try program.keys()
        #expect(keys.count > 100)
        #expect(keys.allSatisfy { $0.source == "default" && $0.line == nil })
        let text = ConfiguredProgram.text(keys) { key in
            switch key.kind {
            case "flag": "true"
            case "list": "[\"a b\", 'c\"d', 7]"
            default: "\"\(key.choices.last ?? "text of \(key.place.name)")\""
            }
        }
        try program.write(text)
        let lines = text.split(separator: "\n")
        let read = try program.keys()
        #expect(read.map(\.key) == keys.map(\.key))
        for key in read {
            let wanted =
                switch key.kind {
                case "flag": ["true"]
                case "list": ["a b", "c\"d", "7"]
                default: [key.choices.last ?? "text of \(key.place.name)"]
                }
            #expect(key.values == wanted && key.source == "file", "\(key.key)")
            let line = try #require(key.line)
            #expect(lines[line - 1].hasPrefix("\(key.place.name) = "))
        }
    }

    @Test("every default, and every value that shells complete, is right")
    func choices() throws {
        let program = try ConfiguredProgram()
        let keys = try program.keys()
        try program.write(
            ConfiguredProgram.text(keys) { key in
                // An option without a value, such as that for players, needs no default.
                key.kind == "flag" || key.default == "false" ? "false" : key.default.map { "\"\($0)\"" }
            })
        let check = try program.run(["config", "check"])
        #expect(check.status == 0, "\(check.text)")
        let most = try #require(keys.map(\.choices.count).max())
        #expect(most > 3)
        for index in 0..<most {
            try program.write(
                ConfiguredProgram.text(keys) { key in
                    key.choices.indices.contains(index) ? "\"\(key.choices[index])\"" : nil
                })
            let check = try program.run(["config", "check"])
            #expect(check.status == 0, "\(check.text)")
        }
    }

    @Test("the template names every key, and changes nothing")
    func template() throws {
        let program = try ConfiguredProgram()
        let keys = try program.keys()
        let edit = try program.run(["config", "edit"], ["EDITOR": "true"])
        #expect(edit.status == 0 && edit.text.contains("all is right, 0 keys are set"), "\(edit.text)")
        let text = try program.read()
        for key in keys { #expect(text.contains("\n#\(key.place.name) = "), "\(key.key)") }
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("[") })
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(try program.keys().allSatisfy { $0.source == "default" })
        // Each line is a key of its table once its mark is gone.
        try program.write(text.replacing("\n#", with: "\n").replacing(/(?m)^(#| ).*$/, with: ""))
        let read = try program.keys()
        #expect(read.allSatisfy { $0.source == "file" }, "\(read.filter { $0.source != "file" }.map(\.key))")
        let mode = try FileManager.default.attributesOfItem(atPath: program.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("get, set and unset change one line, and keep what a person has written")
    func change() throws {
        let text = "# mine\n[share] # s\nfps = 25  # enough\n\n[view]\n#volume = 100\n"
        let program = try ConfiguredProgram(text)
        #expect(try program.run(["config", "get", "share.fps"]).text == "25\n")
        #expect(try program.run(["config", "get", "share.bitrate"]).text == "20M\n")
        #expect(try program.run(["config", "get", "share.name"]).status == 1)
        #expect(try program.run(["config", "set", "share.fps", "30"]).status == 0)
        #expect(try program.run(["config", "set", "view.volume", "50"]).status == 0)
        #expect(try program.run(["config", "set", "share.allow-host", "a.example", "*.b.example"]).status == 0)
        #expect(try program.run(["config", "set", "no-clipboard", "true"]).status == 0)
        #expect(try program.run(["config", "set", "share.bitrate", "8M"]).status == 0)
        let wanted = """
            no-clipboard = true
            # mine
            [share] # s
            fps = 30  # enough
            allow-host = ["a.example", "*.b.example"]
            bitrate = "8M"

            [view]
            #volume = 100
            volume = 50

            """
        #expect(try program.read() == wanted)
        #expect(try program.run(["config", "get", "share.allow-host"]).text == "a.example\n*.b.example\n")
        #expect(try program.run(["config", "get", "share.no-clipboard"]).text == "true\n")
        for key in ["no-clipboard", "share.allow-host", "share.bitrate", "view.volume"] {
            #expect(try program.run(["config", "unset", key]).status == 0)
        }
        #expect(try program.read() == text.replacing("25", with: "30"))
        #expect(try program.run(["config", "unset", "view.volume"]).text.contains("has no key 'view.volume'"))
    }

    @Test(
        "what can't be set is told, and nothing is written",
        arguments: [
            (["share.fps", "999"], "--fps 999: give a number from 1 to 240."),
            (["share.fps", "1", "2"], "give one value"),
            (["share.fsp", "9"], "There is no key 'share.fsp'. Did you mean 'fps'?"),
            (["sound", "off"], "There is no key 'sound'. Give share.sound or view.sound."),
            (["shar.fps", "9"], "There is no key 'shar.fps'."),
            (["share.view-only", "1"], "--view-only: give true or false."),
            (["share.list", "true"], "There is no key 'share.list'."),
            (["share.publish", "rtsp://anna:sesame@h/x"], "secrets are not taken from here"),
            (["share.max-size", "big"], "--max-size big: give WIDTHxHEIGHT"),
        ])
    func refused(_ words: [String], _ says: String) throws {
        let program = try ConfiguredProgram("[share]\nbitrate = \"8M\"\n")
        let outcome = try program.run(["config", "set"] + words)
        #expect(outcome.status != 0 && outcome.text.contains(says), "\(outcome.text)")
        #expect(try program.read() == "[share]\nbitrate = \"8M\"\n")
    }

    @Test("a key is set in a file that is not there yet, through a link, and beside other faults")
    func newFile() throws {
        let program = try ConfiguredProgram()
        #expect(try program.run(["config", "set", "share.fps", "30"]).status == 0)
        #expect(try program.read().contains("\n#fps = 60\nfps = 30\n"))
        let other = program.folder.appending(path: "dotfiles.toml")
        try FileManager.default.moveItem(at: program.file, to: other)
        try FileManager.default.createSymbolicLink(at: program.file, withDestinationURL: other)
        try Data("[share]\nfsp = 1\n".utf8).write(to: other)
        #expect(try program.run(["config", "set", "share.fps", "20"]).status == 0)
        #expect(try String(contentsOf: other, encoding: .utf8) == "[share]\nfsp = 1\nfps = 20\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: program.file.path) == other.path)
    }

    @Test("the editor's file is checked, and may be edited again")
    func editor() throws {
        let program = try ConfiguredProgram("[share]\nfps = 30\n")
        let script = program.folder.appending(path: "editor")
        // The first time it breaks the file, the second time it mends it.
        let lines = [
            "#!/bin/sh", "test \"$1\" = -w || exit 9", "if grep -q 999 \"$2\"; then echo '[share]' >\"$2\"; else",
            "echo '[share]' >\"$2\"; echo 'fps = 999' >>\"$2\"; fi",
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
        let terminal = try Terminal()
        let edit = try program.start(["config", "edit"], ["VISUAL": "'\(script.path)' -w"], input: terminal.side)
        try edit.line(with: "line 2: --fps 999: give a number")
        try edit.line(with: "Edit it again? [Y/n]")
        terminal.type("y\n")
        try edit.line(with: "all is right, 0 keys are set")
        #expect(edit.waitUntilExit() == 0)
        let wrong = [("no-such-editor-here", "is not there"), ("false", "ended with 1")]
        for (command, says) in wrong {
            let outcome = try program.run(["config", "edit"], ["EDITOR": command])
            #expect(outcome.status != 0 && outcome.text.contains(says), "\(outcome.text)")
        }
    }

    @Test("the listing has each key with its value, its line and what it means")
    func listing() throws {
        let program = try ConfiguredProgram(
            "no-clipboard = true\n[share]\nfps = 30\nbitrate = \"8M\"\nclipboard-limit = 8\n")
        let text = try program.run(["config"]).text
        for part in [
            program.file.path + "\n", "  no-clipboard = true   (line 1, else false)\n",
            "\n[share]\n", "  fps = 30   (line 3, else 60)\n      The most frames a second, 1 to 240.\n",
            "  bitrate = \"8M\"   (line 4, else \"20M\")\n", "  codec = \"auto\"   (default)\n",
            "  display   (not set)\n", "  clipboard-limit = 16   (default)\n",
            "  clipboard-limit = 8   (line 5, else 16)\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 200 })
    }

    @Test(
        "a command that does not exist is told with the nearest one",
        arguments: [
            (["shar"], "There is no command 'shar'. Did you mean 'share'?"),
            (["config", "gett"], "There is no command 'heliograph config gett'. Did you mean 'get'?"),
            (["devices", "lst"], "There is no command 'heliograph devices lst'. Did you mean 'list'?"),
            (["webrtc", "xyz"], "There is no command 'heliograph webrtc xyz'. 'heliograph webrtc --help' lists them."),
        ])
    func unknownCommand(_ words: [String], _ says: String) throws {
        let outcome = try ConfiguredProgram().run(words)
        #expect(outcome.status != 0 && outcome.text.contains(says), "\(outcome.text)")
    }
}
