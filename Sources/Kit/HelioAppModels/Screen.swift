/// What a person is to see and can do now: what views draw, and a test reads.
public struct Screen<Action: Hashable & Sendable, Field: Hashable & Sendable>: Hashable, Sendable {
    /// What it is, in a few words.
    public var title: Phrase
    /// What the screen says below its title.
    public var message: Phrase?
    /// True while something goes on that takes its time.
    public var isBusy: Bool
    /// What is on it, from the top down.
    public var elements: [ScreenElement<Action, Field>]

    /// Makes it as it is at first.
    public init(
        _ title: Phrase, message: Phrase? = nil, isBusy: Bool = false, _ elements: [ScreenElement<Action, Field>] = []
    ) {
        self.title = title
        self.message = message
        self.isBusy = isBusy
        self.elements = elements
    }
}
