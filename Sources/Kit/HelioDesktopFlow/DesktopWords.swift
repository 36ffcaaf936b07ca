private import Foundation
package import HelioAppModels

/// The words of the desktop app in the user's language.
package struct DesktopWords: Sendable {
    package enum Language: String, CaseIterable, Sendable {
        case english = "en"
        case german = "de"
    }

    package let language: Language

    package init(_ language: Language) { self.language = language }

    /// Makes the words for the first known language of the environment's, as gettext chooses: `LANGUAGE` in order, then
    /// `LC_ALL`, `LC_MESSAGES` or `LANG`. English if there is none.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
        // gettext ignores LANGUAGE in the C locale.
        let isPlain = locale == "C" || locale == "POSIX"
        let list = isPlain ? [] : (value("LANGUAGE") ?? locale).split(separator: ":").map { $0.prefix(2).lowercased() }
        language = list.lazy.compactMap { Language(rawValue: $0) }.first ?? .english
    }

    /// The text of a screen; ``HelioAppModels/Phrase`` fills its placeholders.
    package func text(_ text: AppText) -> String {
        (language == .german ? GermanTexts.texts : EnglishTexts.texts)[text] ?? text.rawValue
    }

    package func callAsFunction(_ phrase: Phrase) -> String { phrase.words(text) }

    /// The text of the app's own part, with its placeholder filled.
    package func callAsFunction(_ text: DesktopText, _ argument: String = "") -> String {
        let texts = text.texts
        return (language == .german ? texts.german : texts.english).replacing("%1$@", with: argument)
    }
}
