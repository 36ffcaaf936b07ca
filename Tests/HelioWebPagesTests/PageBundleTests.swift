import HelioWebPages
import Testing

@Suite("The page as one file")
struct PageBundleTests {
    private static let markup = """
        <!doctype html>
        <link rel="icon" href="icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="style.css">
        <!-- For the browser, to fetch ahead. -->
        <link rel="modulepreload" href="a.js">
        <script type="module" src="main.js"></script>
        <p>Text</p>
        """
    private static let style = "/* All */\np {\n    margin: 0; /* none */\n}\n"

    private static func bundle(_ modules: [String: String], page: String = markup) throws -> PageBundle {
        var files = modules.mapValues { Array($0.utf8) }
        files["index.html"] = Array(page.utf8)
        if files["style.css"] == nil { files["style.css"] = Array(style.utf8) }
        files["icon.svg"] = Array("<svg a=\"#1\"/>".utf8)
        return try PageBundle(of: files)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("style, icon and program stand in the page, and what was for the fetching is gone")
    func joined() throws {
        let bundle = try Self.bundle(["main.js": "f();\n"])
        #expect(
            Self.text(bundle.bytes) == """
                <!doctype html>
                <link rel="icon" href="data:image/svg+xml,%3Csvg%20a=%22%231%22/%3E" type="image/svg+xml">
                <style>p {
                    margin: 0; /* none */
                }</style>
                <script type="module">(() => {
                f();
                })();
                </script>
                <p>Text</p>

                """)
        #expect(Self.text(bundle.style) == "p {\n    margin: 0; /* none */\n}")
        #expect(Self.text(bundle.script) == "(() => {\nf();\n})();\n")
    }

    @Test("a module comes behind all that it imports from, once, in a scope of its own")
    func order() throws {
        let bundle = try Self.bundle([
            "main.js": """
            // The page.

            import {a} from "./one/a.js";
            import {
                B,
                c2,
            } from "./two/b.js";

            const limit = 1;
            a(limit);
            """,
            "one/a.js": """
            import {d} from "./d.js";
            import {B} from "../two/b.js";

            /** What main calls. */
            export function a(x) {
                // It has a limit.
                return new B(x, limit); // below
            }
            const limit = 2;
            """,
            "one/d.js": "export const d = 4;\n",
            "two/b.js": """
            /**
             * What
             * both want.
             */
            export class B {}
            /* one */ const limit = 3;
            export const c2 = limit;
            export async function later() {}
            """,
            "unused.js": "nonsense: import export",
        ])
        #expect(
            Self.text(bundle.script) == """
                const $one_d = (() => {
                const d = 4;
                return {d};
                })();
                const $two_b = (() => {
                class B {}
                /* one */ const limit = 3;
                const c2 = limit;
                async function later() {}
                return {B, c2, later};
                })();
                const $one_a = (() => {
                const {d} = $one_d;
                const {B} = $two_b;
                function a(x) {
                    return new B(x, limit); // below
                }
                const limit = 2;
                return {a};
                })();
                (() => {
                const {a} = $one_a;
                const {B, c2} = $two_b;
                const limit = 1;
                a(limit);
                })();

                """)
    }

    static let failures: [(modules: [String: String], failure: PageBundle.Failure)] = [
        ([:], .missing("main.js")),
        (["main.js": "import {a} from \"./a.js\";\n"], .missing("a.js")),
        (
            ["main.js": "import {b} from \"./a.js\";\n", "a.js": "export const a = 1;\n"],
            .notExported("b", by: "a.js")
        ),
        (
            [
                "main.js": "import {a} from \"./a.js\";\n",
                "a.js": "import {b} from \"./b.js\";\nexport const a = 1;\n",
                "b.js": "import {a} from \"./a.js\";\nexport const b = 1;\n",
            ], .cycle("a.js")
        ),
        (["main.js": "import {main} from \"./main.js\";\nexport const main = 1;\n"], .cycle("main.js")),
        (["main.js": "const a = \"</script>\";\n"], .endsElement(of: "main.js")),
        (["main.js": "const a = \"<!-- <SCRIPT \";\n"], .endsElement(of: "main.js")),
        (["main.js": "", "style.css": "p::after { content: \"</Style>\" }\n"], .endsElement(of: "style.css")),
        (["main.js": "/* without end\n"], .unsupported("a comment", of: "main.js")),
        (["main.js": "/* to\nhere */ f();\n"], .unsupported("a comment", of: "main.js")),
        (["main.js": "", "style.css": "/*\n"], .unsupported("a comment", of: "style.css")),
        (
            ["main.js": "import {a} from \"./a-b.js\";\n", "a-b.js": "export const a = 1;\n"],
            .unsupported("its name", of: "a-b.js")
        ),
        (
            ["main.js": "import {a} from \"./b_c/a.js\";\n", "b_c/a.js": "export const a = 1;\n"],
            .unsupported("its name", of: "b_c/a.js")
        ),
        (["main.js": "import {a} from \"./b/./../c/a.js\";\n"], .missing("c/a.js")),
        (
            ["main.js": "import {a} from \"./b/a.js\";\n", "b/a.js": "import {c} from \"../main.js\";\n"],
            .cycle("main.js")
        ),
    ]

    @Test("what can't be joined is refused, and says why", arguments: failures.indices)
    func failure(index: Int) {
        let (modules, failure) = Self.failures[index]
        #expect(throws: failure) { try Self.bundle(modules) }
    }

    @Test(
        "what modules may do and these don't is refused",
        arguments: [
            "import a from \"./a.js\";", "import * as a from \"./a.js\";", "import \"./a.js\";",
            "import {a as b} from \"./a.js\";", "import {a} from \"../a.js\";", "import {a} from \"./b/../../a.js\";",
            "import {a} from \"/a.js\";", "import {a} from \".//a.js\";", "import {a} from \"a.js\";",
            "import {a} from './a.js';", "import {a} from \"./a.js\"; f();", "import {} from \"./a.js\";",
            "import {a b} from \"./a.js\";", "import {a} from \"./a.js\"", "import {a,", "import(\"./a.js\");",
            "import {1a} from \"./a.js\";", "f(); \nimport {a} from \"./a.js\";", "export default 1;", "export {a};",
            "export * from \"./a.js\";", "export let a = 1;", "export const {a} = b;", "export function* a() {}",
            "const a = `first\n// second`;",
        ])
    func unsupported(module: String) {
        let error = #expect(throws: PageBundle.Failure.self) {
            try Self.bundle(["main.js": module + "\n", "a.js": "export const a = 1, b = 2;\n"])
        }
        guard case .unsupported(_, of: "main.js")? = error else {
            Issue.record("\(module): \(String(describing: error))")
            return
        }
    }

    @Test("a page without a program or a style is none")
    func incomplete() {
        for part in ["<script ", "<link rel=\"stylesheet\""] {
            let lines = Self.markup.split(separator: "\n").filter { !$0.hasPrefix(part) }
            #expect(throws: PageBundle.Failure.incomplete) {
                try Self.bundle(["main.js": ""], page: lines.joined(separator: "\n"))
            }
        }
        #expect(throws: PageBundle.Failure.missing("index.html")) { try PageBundle(of: [:]) }
    }

    @Test(
        "the page that is served is one file, and nothing in it asks for another but for sound, pictures and large files"
    )
    func served() throws {
        let file = try WebPages.bundle()
        #expect(file.path.isEmpty && file.type == "text/html; charset=utf-8")
        let text = Self.text(file.bytes)
        let script = Self.text(try #require(file.inlineScripts.first))
        let style = Self.text(try #require(file.inlineStyles.first))
        #expect(file.inlineScripts.count == 1 && file.inlineStyles.count == 1)
        // The contents as a browser extracts them.
        #expect(Self.pieces(of: text, from: "<script type=\"module\">", to: "</script>") == [script])
        #expect(Self.pieces(of: text, from: "<style>", to: "</style>") == [style])
        #expect(!text.contains("modulepreload") && !text.contains("rel=\"stylesheet\"") && !text.contains(" src="))
        #expect(!text.contains("href=\"icon") && text.contains("href=\"data:image/svg+xml,"))
        for line in script.split(separator: "\n") {
            let word = line.drop { $0 == " " }.prefix { $0.isLetter }
            #expect(word != "import" && word != "export", "\(line)")
        }
        // Each module is included, and none is imported by file name any more.
        let apart = [
            "files/originwriter.js", "picture/decoding.js", "picture/drawing.js", "picture/echo.js",
            "picture/frameorder.js", "picture/h264.js", "picture/picturetally.js", "picture/pictureworker.js",
            "picture/soundstep.js", "picture/testpicture.js", "sound/packetorder.js", "sound/playout.js",
            "sound/sounddecoder.js",
            "sound/soundworklet.js",
        ]
        let files = WebPages.files.map(\.path).filter { $0.hasSuffix(".js") && $0 != "main.js" }
        #expect(apart.allSatisfy { files.contains($0) })
        let modules = files.filter { !apart.contains($0) }
        for module in modules {
            let name = module.dropLast(3).split(separator: "/").joined(separator: "_")
            #expect(script.contains("const $\(name) = (() => {\n"), "\(module)")
        }
        #expect(modules.count > 20)
        // Workers and worklets are separate files, loaded when there is sound, a picture to decode, or a large file.
        let named = Self.pieces(of: script, from: "\"", to: ".js\"").map { $0.split(separator: "\"").last }
        let all: Set<Substring> = [
            "sound/sounddecoder", "sound/soundworklet", "files/originwriter", "picture/pictureworker",
        ]
        #expect(Set(named) == all && named.count == 4)
    }

    private static func pieces(of text: String, from start: String, to end: String) -> [String] {
        var pieces: [String] = []
        var rest = text[...]
        while let first = rest.firstRange(of: start) {
            rest = rest[first.upperBound...]
            guard let last = rest.firstRange(of: end) else { break }
            pieces.append(String(rest[..<last.lowerBound]))
            rest = rest[last.upperBound...]
        }
        return pieces
    }

    /// CRC-32 by RFC 1952 section 8, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    @Test("a rendezvous' page differs from a host's in what it is told of its server, and in nothing else")
    func services() throws {
        let (host, rendezvous) = (try WebPages.bundle(), try WebPages.bundle(for: .rendezvous))
        let pages = [host, rendezvous].map { String(decoding: $0.bytes, as: UTF8.self) }
        let mark = "<meta id=\"service\" name=\"heliograph\" content=\"host\">"
        #expect(pages[0].contains(mark))
        #expect(pages[1] == pages[0].replacing(mark, with: mark.replacing("host", with: "rendezvous")))
        #expect(host.inlineScripts == rendezvous.inlineScripts && host.inlineStyles == rendezvous.inlineStyles)
    }

    @Test("by gzip it is less than a third, and says what it is of")
    func gzip() throws {
        let bundle = try WebPages.bundle()
        for file in WebPages.files + [bundle] {
            let small = try #require(file.gzipped(), "\(file.path)")
            #expect(small.count < file.bytes.count && small.prefix(3) == [0x1F, 0x8B, 8])
            // The gzip trailer (RFC 1952 section 2.3.1).
            var trailer: [UInt8] = []
            for word in [Self.checksum(file.bytes), UInt32(file.bytes.count)] {
                for shift in [0, 8, 16, 24] { trailer.append(UInt8(truncatingIfNeeded: word >> shift)) }
            }
            #expect(Array(small.suffix(8)) == trailer, "\(file.path)")
            #expect(small == file.gzipped(), "each time the same")
        }
        let small = try #require(bundle.gzipped())
        #expect(3 * small.count < bundle.bytes.count)
    }
}
