import HelioAppModels
import HelioDesktopFlow
import HelioScreenReading
import Testing

/// The desktop's texts are there in every language, with the same placeholders.
struct DesktopWordsTests {
    @Test(arguments: DesktopWords.Language.allCases) func everyScreenHasItsTexts(
        _ language: DesktopWords.Language
    ) throws {
        let words = DesktopWords(language)
        let table = try TextTable()
        for text in AppText.allCases {
            let shown = words.text(text)
            #expect(shown != text.rawValue, "\(text)")
            let apple = table.texts[text.rawValue] ?? ""
            for place in ["%1$@", "%2$@"] { #expect(shown.contains(place) == apple.contains(place), "\(text)") }
            #expect(!shown.split { !$0.isLetter }.contains("Mac"), "\(text)")
        }
        for text in DesktopText.allCases { #expect(!words(text, "x").isEmpty, "\(text)") }
    }

    @Test(
        "the language is the environment's",
        arguments: [
            ([:], "en"), (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"], "en"),
            (["LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de"], "de"), (["LANG": "C", "LANGUAGE": "de"], "en"),
            (["LC_MESSAGES": "de_AT", "LANG": "en_US"], "de"), (["LANG": ""], "en"),
        ])
    func language(_ environment: [String: String], _ expected: String) {
        #expect(DesktopWords(environment: environment).language.rawValue == expected)
    }

    @Test func placeholdersAreFilled() {
        #expect(DesktopWords(.german)(.copied, "Link") == "Link kopiert")
        #expect(DesktopWords(.english)(Phrase(.menuPutOut, "iPad")) == "Disconnect iPad")
    }
}
