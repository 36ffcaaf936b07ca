/// A text, control or list row of a screen, which each platform's views draw in their own way. Controls carry the
/// `Action` that they trigger, and text fields their `Field`.
public enum ScreenElement<Action: Hashable & Sendable, Field: Hashable & Sendable>: Hashable, Sendable {
    /// A heading of the elements that follow.
    case heading(Phrase)
    case text(Phrase)
    /// A text about a failure, or about a state that needs the user's attention.
    case warning(Phrase)
    /// Digits to compare, shown large and read aloud one by one.
    case digits(String)
    case field(Field, label: Phrase, value: String, placeholder: String, isSecret: Bool)
    case toggle(Action, label: Phrase, isOn: Bool)
    /// A choice among several mutually exclusive ones.
    case choice(Action, label: Phrase, detail: Phrase?, isChosen: Bool)
    /// A list row that can be opened.
    case row(Action, label: Phrase, detail: Phrase?)
    case button(Action, label: Phrase, role: ButtonRole)
}
