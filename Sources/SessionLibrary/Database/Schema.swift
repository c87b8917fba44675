/// One step from a schema version to the next.
package struct Migration: Sendable {
    /// The version the file has afterwards (`PRAGMA user_version`).
    package var version: Int
    package var sql: String

    package init(version: Int, sql: String) {
        self.version = version
        self.sql = sql
    }
}

/// The library's tables, as the steps that made them.
///
/// A step that was once released never changes: files out there have been through it.
package enum Schema {
    /// "Alsp" in ASCII: tells SQLite files of this program from others' (`PRAGMA application_id`).
    package static let applicationID = 0x416C_7370

    package static let migrations = [
        Migration(
            version: 1,
            sql: """
                CREATE TABLE session (
                    id TEXT PRIMARY KEY NOT NULL,
                    title TEXT NOT NULL,
                    -- 'inPlace': the files lie where the user has them; 'imported': copies in the library's own folder.
                    origin TEXT NOT NULL CHECK (origin IN ('inPlace', 'imported')),
                    subtitle_path TEXT,
                    revision INTEGER NOT NULL CHECK (revision >= 1),
                    cue_digest TEXT NOT NULL,
                    -- Seconds.
                    position REAL NOT NULL DEFAULT 0 CHECK (position >= 0),
                    active_track_id TEXT REFERENCES track (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
                    -- Milliseconds since 1970.
                    created_at INTEGER NOT NULL,
                    opened_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE track (
                    id TEXT PRIMARY KEY NOT NULL,
                    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                    label TEXT NOT NULL,
                    path TEXT NOT NULL,
                    sort_order INTEGER NOT NULL,
                    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
                    UNIQUE (session_id, path)
                ) STRICT;
                CREATE INDEX session_active_track ON session (active_track_id);
                """),
        Migration(
            version: 2,
            sql: """
                -- Of a copy in the library's folder, whose path is relative to it; NULL for a file of the user's.
                ALTER TABLE track ADD COLUMN byte_count INTEGER;
                ALTER TABLE track ADD COLUMN sha256 TEXT;
                -- Seconds.
                ALTER TABLE track ADD COLUMN duration REAL;
                -- Files and folders in the library's folder that no session has: 'arriving' ones are being copied by a
                -- program that holds incoming.lock, 'leaving' ones are to be removed.
                CREATE TABLE loose_file (
                    path TEXT PRIMARY KEY NOT NULL,
                    state TEXT NOT NULL CHECK (state IN ('arriving', 'leaving'))
                ) STRICT, WITHOUT ROWID;
                """),
    ]

    /// The version since which there is a table.
    private static let tables = [("session", 1), ("track", 1), ("loose_file", 2)]

    /// A table that the file should have by its version, and has not.
    static func missingTable(_ connection: Connection) throws(DatabaseError) -> String? {
        // Both of one moment: another program may be bringing the file to a newer version.
        try connection.reading { () throws(DatabaseError) in
            let version = try connection.integer("PRAGMA user_version")
            let there = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
            return tables.first { version >= $0.1 && version <= newest && !there.contains($0.0) }?.0
        }
    }

    private static var newest: Int { migrations.last?.version ?? 0 }

    /// Brings the file to the newest version, each step in a transaction of its own.
    ///
    /// - Returns: The version found that is newer than any known, where nothing was touched; `nil` when all is well.
    package static func migrate(
        _ connection: Connection, by migrations: [Migration] = Schema.migrations
    ) throws(DatabaseError) -> Int? {
        let newest = migrations.last?.version ?? 0
        let found = try connection.integer("PRAGMA user_version")
        if found > newest { return found }
        for migration in migrations where migration.version > found {
            try connection.transaction { () throws(DatabaseError) in
                // Another host may have taken this step while this one waited for the lock.
                if try connection.integer("PRAGMA user_version") >= migration.version { return }
                try connection.execute(migration.sql)
                try connection.execute(
                    "PRAGMA user_version = \(migration.version); PRAGMA application_id = \(applicationID)")
            }
        }
        return nil
    }
}
