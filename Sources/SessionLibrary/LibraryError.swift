/// Why the library cannot do what it was asked.
package enum LibraryError: Error, Equatable, Sendable {
    /// No session fits the query.
    case noSession(query: String)
    /// Several fit; their titles, in the order of the list.
    case severalSessions(query: String, titles: [String])
    /// A later version of the program made the file; nothing in it was touched.
    case newer(path: String, version: Int)
    /// The file is not a library of this program.
    case foreign(path: String)
    /// Another program holds the file's lock for longer than is waited.
    case locked(path: String)
    case damaged(path: String, reason: String)
    /// The folder or disk does not let us.
    case unusable(path: String, reason: String)

    init(_ error: DatabaseError, path: String) {
        if error.isBusy {
            self = .locked(path: path)
        } else if error.isNotADatabase {
            self = .foreign(path: path)
        } else if error.isDamage {
            self = .damaged(path: path, reason: error.message)
        } else {
            self = .unusable(path: path, reason: error.message)
        }
    }

    /// One sentence without the final stop, with what to do where there is something.
    package var reason: String {
        switch self {
        case .noSession(let query):
            "no session fits \"\(query)\"; see `allspeak-host sessions list`"
        case .severalSessions(let query, let titles):
            "several sessions fit \"\(query)\": \(titles.joined(separator: ", ")); give more of the title, or the id"
        case .newer(let path, let version):
            """
            \(path) was made by a newer version of Allspeak (library version \(version)); update, or choose another \
            folder with --data
            """
        case .foreign(let path):
            "\(path) is not an Allspeak library; choose another folder with --data"
        case .locked(let path):
            "\(path) is locked by another program; close it and try again"
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)); move it away and start again, or choose another folder with --data"
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(reason); choose another folder with --data"
        }
    }
}
