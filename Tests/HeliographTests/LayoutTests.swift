import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Text typed at the viewer arrives in a real X client of the host, for all combinations of layouts and locks.
@Suite("Keyboard layouts", .serialized, .timeLimit(.minutes(4)), .tags(.timed))
struct LayoutTests {
    private static let size = PixelSize(width: 640, height: 480)

    /// A host, a viewer, and a reference desktop that shows what the viewer's keys type.
    private struct Rig {
        let desktop: SharedDesktop
        let client: KeyClient
        let reference: Desktop
        let witness: KeyClient

        init(_ arguments: [String] = []) throws {
            // Xlib composes only characters of the locale.
            let locale = SharedDesktop.noSound.merging(["LC_ALL": "C.UTF-8"]) { $1 }
            desktop = try SharedDesktop(LayoutTests.size, environments: (SharedDesktop.noSound, locale))
            client = try KeyClient(desktop.source, LayoutTests.size)
            try desktop.watch(arguments)
            try desktop.destination.run("xdotool", "mousemove", "400", "300", "click", "1")
            reference = try Desktop(LayoutTests.size)
            witness = try KeyClient(reference, LayoutTests.size)
        }

        /// Sets the viewer's locks, after setting them the other way round at both ends.
        func lock(caps: Bool, num: Bool) throws {
            try desktop.destination.lock(caps: !caps, num: !num)
            try #require(Patience().wait { (try? desktop.source.modifiers()) == Self.mask(caps: !caps, num: !num) })
            for desktop in [desktop.destination, reference] { try desktop.lock(caps: caps, num: num) }
        }

        /// The locks as `Desktop.modifiers` returns them.
        static func mask(caps: Bool, num: Bool) -> Int { (caps ? 0x02 : 0) | (num ? 0x10 : 0) }

        /// Types at the viewer; returns the text that arrived.
        ///
        /// - Parameter isNew: whether the host's keymap may have to be changed for the characters. A client that is
        ///   still reading the keymap may miss a further change: people don't type that fast, so each stroke waits for
        ///   the press of the one before.
        func type(_ strokes: [Desktop.Stroke], isNew: Bool = false) throws -> String {
            guard isNew else {
                desktop.destination.strike(strokes + [Desktop.enter])
                return try client.typedUntilReturn()
            }
            var typed = String.UnicodeScalarView()
            for stroke in strokes {
                desktop.destination.strike([stroke])
                if let character = try client.typed() { typed.append(character) }
            }
            return String(typed)
        }
    }

    /// Hosts with the same layout, with another one, and with a Latin one.
    private static func hosts(of index: Int) -> [String] {
        let all = KeyboardLayout.all
        return Array(Set([all[index].name, all[(index + 1) % all.count].name, "us"])).sorted()
    }

    @Test("by character: what is on the viewer's keys arrives, of each layout with each lock", arguments: 0..<12)
    func characters(index: Int) throws {
        let layout = KeyboardLayout.all[index]
        let rig = try Rig()
        for desktop in [rig.desktop.destination, rig.reference] { try desktop.setLayout(layout.name) }
        // The characters of the layout's keys with each lock are the same for every host.
        let tables = try [(false, false), (true, false), (false, true), (true, true)].map { caps, num in
            try rig.reference.lock(caps: caps, num: num)
            return (caps: caps, num: num, known: try KeyboardLayout.strokes(rig.reference, rig.witness))
        }
        for host in Self.hosts(of: index) {
            try rig.desktop.source.setLayout(host)
            for (caps, num, known) in tables {
                try rig.lock(caps: caps, num: num)
                #expect(known.count > 90, "\(layout): \(known.count)")
                let wanted = String(String.UnicodeScalarView(known.map(\.character)))
                let typed = try rig.type(known.map(\.stroke), isNew: !caps && !num)
                #expect(typed == wanted, "\(layout) at \(host), Caps Lock \(caps), Num Lock \(num)")
                // This client is not the host, and its query may be served first.
                let wantedLocks = Rig.mask(caps: caps, num: num)
                #expect(
                    Patience().wait { (try? rig.desktop.source.modifiers()) == wantedLocks }, "\(layout) at \(host)")
            }
            guard let dead = layout.dead else { continue }
            try rig.lock(caps: false, num: false)
            #expect(try rig.type(dead.strokes) == dead.text, "\(layout) at \(host): a dead key")
        }
        // The last key may not be released yet.
        #expect(Patience().wait { (try? rig.desktop.source.keysDown) == [] })
    }

    @Test("by place: what is on the host's keys arrives, and locks agree", arguments: ["us", "de", "ru", "us(dvorak)"])
    func places(host: String) throws {
        let rig = try Rig(["--keys", "place"])
        try rig.desktop.destination.setLayout("fr")
        for desktop in [rig.desktop.source, rig.reference] { try desktop.setLayout(host) }
        for (caps, num) in [(false, false), (true, true)] {
            try rig.lock(caps: caps, num: num)
            let known = try KeyboardLayout.strokes(rig.reference, rig.witness)
            let wanted = String(String.UnicodeScalarView(known.map(\.character)))
            let typed = try rig.type(known.map(\.stroke))
            #expect(typed == wanted, "at \(host), locks \(caps)")
        }
    }

    @Test("locks that the host's own keyboard switches stay until the viewer's next key, and agree again with it")
    func switchedAtHost() throws {
        let rig = try Rig()
        try rig.lock(caps: false, num: true)
        let strokes = try KeyboardLayout.strokes(rig.reference, rig.witness).filter { $0.character == "a" }
        let one = strokes.prefix(1)
        #expect(try rig.type(one.map(\.stroke)) == "a")
        try rig.desktop.source.lock(caps: true, num: false)
        #expect(try rig.desktop.source.modifiers() == Rig.mask(caps: true, num: false))
        #expect(try rig.type(one.map(\.stroke)) == "a")
        #expect(Patience().wait { (try? rig.desktop.source.modifiers()) == Rig.mask(caps: false, num: true) })
    }

    @Test("what a program types arrives, every character of each layout", arguments: ["character", "place"])
    func typed(keys: String) throws {
        let rig = try Rig(["--keys", keys])
        for host in ["us", "ru"] {
            try rig.desktop.source.setLayout(host)
            for layout in KeyboardLayout.all {
                try rig.reference.setLayout(layout.name)
                let characters = try KeyboardLayout.strokes(rig.reference, rig.witness).map(\.character)
                // A program that types maps one keycode to successive characters, so it must not be hurried; and it
                // types Latin capitals as small letters.
                let some = characters.filter { !$0.isASCII && !$0.properties.changesWhenLowercased }.prefix(4)
                let text = String(String.UnicodeScalarView(some)) + "a(B"
                try rig.desktop.destination.run("xdotool", "type", "--delay", "80", text)
                rig.desktop.destination.strike([Desktop.enter])
                // By place, the host's layout determines the characters of a keyboard's keys.
                let isLatin = keys == "character" || host == "us"
                let typed = try rig.client.typedUntilReturn()
                let wanted = isLatin ? text : String(text.dropLast(3))
                #expect((isLatin ? typed : String(typed.prefix(wanted.count))) == wanted, "\(layout) at \(host)")
            }
        }
    }
}
