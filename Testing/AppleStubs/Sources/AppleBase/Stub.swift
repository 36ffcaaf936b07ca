/// Stands in for the implementation in Apple's framework. Code type-checked against these declarations never runs.
public func stub(_ name: StaticString = #function) -> Never { fatalError("\(name) is declared, not there") }
