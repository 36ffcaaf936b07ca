/// A description of a screen's content, which views draw and tests check.
public struct Screen<Action: Hashable & Sendable, Field: Hashable & Sendable>: Hashable, Sendable {
    /// The title, a few words.
    public var title: Phrase
    /// The message below the title.
    public var message: Phrase?
    /// True while an operation is in progress.
    public var isBusy: Bool
    /// The elements, from top to bottom.
    public var elements: [ScreenElement<Action, Field>]

    /// Makes a screen, by default without a message, not busy, and without elements.
    public init(
        _ title: Phrase, message: Phrase? = nil, isBusy: Bool = false, _ elements: [ScreenElement<Action, Field>] = []
    ) {
        self.title = title
        self.message = message
        self.isBusy = isBusy
        self.elements = elements
    }
}
