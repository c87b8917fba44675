internal import CAvahi

/// A TXT record in Avahi's form.
struct StringList: ~Copyable {
    /// First string of the list; `nil` is the empty list.
    let raw: UnsafeMutablePointer<AvahiStringList>?

    init(_ strings: [[UInt8]]) {
        var list: UnsafeMutablePointer<AvahiStringList>?
        for string in strings {
            list = string.withUnsafeBufferPointer { avahi_string_list_add_arbitrary(list, $0.baseAddress, $0.count) }
        }
        raw = avahi_string_list_reverse(list)
    }

    deinit {
        avahi_string_list_free(raw)
    }

    /// Copies a list that Avahi owns.
    static func strings(of list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var node = list
        while let current = node {
            strings.append(
                Array(
                    UnsafeBufferPointer(
                        start: avahi_string_list_get_text(current), count: avahi_string_list_get_size(current))))
            node = avahi_string_list_get_next(current)
        }
        return strings
    }
}
