/// The body of all declarations here, in place of Apple's implementation. It traps if called, as code that is
/// type-checked against these declarations never runs.
public func stub(_ name: StaticString = #function) -> Never { fatalError("\(name) is declared, not there") }
