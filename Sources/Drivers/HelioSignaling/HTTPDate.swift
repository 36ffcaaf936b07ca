#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The current time in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static var now: String { text(secondsSince1970: Int(Date().timeIntervalSince1970)) }

    static func text(secondsSince1970 seconds: Int) -> String {
        let day = seconds / 86400
        let time = [seconds % 86400 / 3600, seconds % 3600 / 60, seconds % 60].map(two).joined(separator: ":")
        // The calculation uses years that begin in March, so that the leap day is the last day of its year.
        let sinceMarch0000 = day + 719_468
        let era = sinceMarch0000 / 146_097
        let ofEra = sinceMarch0000 % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let ofMonth = ofYear - (153 * fromMarch + 2) / 5 + 1
        let month = (fromMarch + 2) % 12
        let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
        return "\(days[day % 7]), \(two(ofMonth)) \(months[month]) \(year) \(time) GMT"
    }

    private static func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
}
