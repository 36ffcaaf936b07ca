import Foundation
import HelioAppModels
import HelioScreenReading
import Testing

/// The table of texts has a text for every key, and no unused keys.
struct TextTableTests {
    @Test func everyKeyHasAText() throws {
        let table = try TextTable()
        #expect(Set(table.texts.keys) == Set(AppText.allCases.map(\.rawValue)))
        #expect(!table.texts.values.contains(""))
    }

    @Test func everyTextIsUsed() throws {
        var code = ""
        // By models, or by a view itself.
        for folder in ["Sources/Kit/HelioAppModels", "Apps/Apple"] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: TextTable.folder.path + "/" + folder)
            for file in files where file.hasSuffix(".swift") && !file.hasSuffix("AppText.swift") {
                code += try String(contentsOfFile: "\(TextTable.folder.path)/\(folder)/\(file)", encoding: .utf8)
            }
        }
        let words = Set(code.split { !$0.isLetter && !$0.isNumber })
        let unused = AppText.allCases.filter { !words.contains("\($0)"[...]) }
        #expect(unused == [])
    }

    @Test func placesAreFilled() {
        let phrase = Phrase(.sessionSize, "%2$@", "9")
        #expect(phrase.words { _ in "%1$@ × %2$@, 100 %, %3$@." } == "%2$@ × 9, 100 %, .")
        #expect(Phrase.verbatim("%1$@").words { _ in "no" } == "%1$@")
    }
}
