struct BrowserError: Error, CustomStringConvertible {
    let description: String
}
