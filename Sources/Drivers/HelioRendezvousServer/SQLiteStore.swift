private import Foundation
internal import GRDB
package import HelioCore
package import HelioRendezvousWire

/// The store in a SQLite file, by GRDB.
///
/// Times are in seconds since 1970. Names, keys and tags are blobs, by which the tables are ordered and found.
package final class SQLiteStore: RendezvousStoring {
    private let queue: DatabaseQueue
    private let path: String
    private let mostDevices: Int
    package let isDurable = true

    /// Opens the file, and makes it if there is none. Throws `systemFailed` if it can't be used.
    ///
    /// - Parameter mostDevices: the number of devices beyond which cleaning removes those that were seen the longest
    ///   ago: anybody can make keys and register them.
    package init(path: String, mostDevices: Int = 1_000_000) throws(HelioError) {
        self.path = path
        self.mostDevices = mostDevices
        var configuration = Configuration()
        // Another program may look at the file, and an operator may block a device by it.
        configuration.busyMode = .timeout(5)
        configuration.journalMode = .wal
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try Self.migrator.migrate(queue)
        } catch {
            throw HelioError(
                .systemFailed, "The store \(path) can't be used: \(error). Make its folder writable, or name another.",
                cause: error)
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE device (
                        id BLOB NOT NULL PRIMARY KEY, key BLOB NOT NULL,
                        firstSeen INTEGER NOT NULL, lastSeen INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX deviceByLastSeen ON device (lastSeen);
                    CREATE TABLE permit (
                        device BLOB NOT NULL, tag BLOB NOT NULL, expiry INTEGER, PRIMARY KEY (device, tag)
                    ) WITHOUT ROWID;
                    CREATE INDEX permitByExpiry ON permit (expiry) WHERE expiry IS NOT NULL;
                    CREATE TABLE blocked (id BLOB NOT NULL PRIMARY KEY, reason TEXT) WITHOUT ROWID;
                    """)
        }
        return migrator
    }

    package func device(_ id: RendezvousID, now: Int64) throws(HelioError) -> StoredDevice? {
        try run { queue in
            try queue.read { database in
                guard
                    let seen = try Int64.fetchOne(
                        database, sql: "SELECT lastSeen FROM device WHERE id = ?", arguments: [Self.blob(id.bytes)])
                else { return nil }
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT tag, expiry FROM permit WHERE device = ? AND (expiry IS NULL OR expiry > ?)",
                    arguments: [Self.blob(id.bytes), now])
                let permits = rows.compactMap { row -> StoredPermit? in
                    guard let tag = RingTag(Self.bytes(row, "tag")) else { return nil }
                    return StoredPermit(tag: tag, expiry: row["expiry"])
                }
                return StoredDevice(id: id, lastSeen: seen, permits: permits)
            }
        }
    }

    package func blocked() throws(HelioError) -> [RendezvousID] {
        try run { queue in
            try queue.read { database in
                try Row.fetchAll(database, sql: "SELECT id FROM blocked")
                    .compactMap { RendezvousID(Self.bytes($0, "id")) }
            }
        }
    }

    package func apply(_ changes: [StoredChange]) throws(HelioError) {
        try run { queue in
            try queue.write { database in
                for change in changes { try Self.apply(change, database) }
            }
        }
    }

    private static func apply(_ change: StoredChange, _ database: Database) throws {
        switch change {
        case .seen(let id, let key, let time):
            try database.cachedStatement(
                sql: """
                    INSERT INTO device (id, key, firstSeen, lastSeen) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET lastSeen = excluded.lastSeen
                    """
            ).execute(arguments: [blob(id.bytes), blob(key), time, time])
        case .left(let id, let time):
            try database.cachedStatement(sql: "UPDATE device SET lastSeen = ? WHERE id = ?")
                .execute(arguments: [time, blob(id.bytes)])
        case .permits(let id, let permits):
            try database.cachedStatement(sql: "DELETE FROM permit WHERE device = ?")
                .execute(arguments: [blob(id.bytes)])
            let insert = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO permit (device, tag, expiry) VALUES (?, ?, ?)")
            for permit in permits {
                try insert.execute(arguments: [blob(id.bytes), blob(permit.tag.bytes), permit.expiry])
            }
        }
    }

    package func clean(now: Int64, forget: Int64) throws(HelioError) {
        try run { queue in
            try queue.write { database in
                try database.execute(sql: "DELETE FROM permit WHERE expiry <= ?", arguments: [now])
                try database.execute(
                    sql: """
                        DELETE FROM device WHERE lastSeen < ?
                        AND NOT EXISTS (SELECT 1 FROM permit WHERE permit.device = device.id)
                        """, arguments: [forget])
                try database.execute(
                    sql: """
                        DELETE FROM device WHERE id IN (SELECT id FROM device ORDER BY lastSeen DESC LIMIT -1 OFFSET ?)
                        """, arguments: [mostDevices])
                guard database.changesCount > 0 else { return }
                try database.execute(
                    sql: "DELETE FROM permit WHERE NOT EXISTS (SELECT 1 FROM device WHERE device.id = permit.device)")
            }
        }
    }

    private static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }

    private static func bytes(_ row: Row, _ column: String) -> [UInt8] {
        let data: Data? = row[column]
        return data.map { [UInt8]($0) } ?? []
    }

    private func run<Result>(_ body: (DatabaseQueue) throws -> Result) throws(HelioError) -> Result {
        do {
            return try body(queue)
        } catch {
            throw HelioError(.systemFailed, "The store \(path) fails: \(error). Is the disk full?", cause: error)
        }
    }
}
