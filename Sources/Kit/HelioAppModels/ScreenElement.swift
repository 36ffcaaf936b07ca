/// One thing on a screen, from the top down.
public enum ScreenElement<Action: Hashable & Sendable, Field: Hashable & Sendable>: Hashable, Sendable {
    /// The title of what follows.
    case heading(Phrase)
    case text(Phrase)
    /// What went wrong, or what needs attention.
    case warning(Phrase)
    /// Digits to compare: large, and read one by one.
    case digits(String)
    case field(Field, label: Phrase, value: String, placeholder: String, isSecret: Bool)
    case toggle(Action, label: Phrase, isOn: Bool)
    /// One of several, of which one is chosen.
    case choice(Action, label: Phrase, detail: Phrase?, isChosen: Bool)
    /// Something of a list that can be opened.
    case row(Action, label: Phrase, detail: Phrase?)
    case button(Action, label: Phrase, role: ButtonRole)
}
