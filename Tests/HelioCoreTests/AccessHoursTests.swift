import HelioCore
import Testing

@Suite("Hours of a day")
struct AccessHoursTests {
    @Test(
        "hours from and to, with two digits each; midnight is 24:00 too",
        arguments: [
            ("08:00-18:00", "08:00-18:00"), ("22:30-06:05", "22:30-06:05"), ("00:00-24:00", nil),
            ("18:00-24:00", "18:00-00:00"), ("08:00-08:00", nil), ("8:00-18:00", nil), ("08:00", nil), ("", nil),
            ("-", nil), ("08:00-18:00-20:00", nil), ("08:60-18:00", nil), ("25:00-26:00", nil), ("24:01-02:00", nil),
            ("08:00 - 18:00", nil), ("0８:00-18:00", nil), ("+8:00-18:00", nil), ("any", nil),
        ] as [(String, String?)])
    func parsed(text: String, hours: String?) {
        #expect(AccessHours(text)?.text == hours)
    }

    @Test("the first minute is within, the last is not; hours may go on after midnight")
    func contains() throws {
        func within(_ text: String) throws -> [Bool] {
            let hours = try #require(AccessHours(text))
            return try ["00:00", "05:59", "07:59", "08:00", "17:59", "18:00", "23:59"].map {
                hours.contains(try #require(TimeOfDay($0)))
            }
        }
        #expect(try within("08:00-18:00") == [false, false, false, true, true, false, false])
        #expect(try within("18:00-08:00") == [true, true, true, false, false, true, true])
        #expect(try within("18:00-24:00") == [false, false, false, false, false, true, true])
        #expect(try within("00:00-06:00") == [true, true, false, false, false, false, false])
    }

    @Test("every minute of a day has its text, and no other number is one")
    func minutes() {
        for minute in 0..<1440 {
            let time = TimeOfDay(minutes: minute)
            #expect(time.flatMap { TimeOfDay($0.text) } == time && time?.minutes == minute)
        }
        #expect(TimeOfDay(minutes: -1) == nil && TimeOfDay(minutes: 1440) == nil)
    }
}
