import FuzzKit
import WireProtocol

func isSame(_ left: RemoteMessage, _ right: RemoteMessage) -> Bool {
    switch (left, right) {
    case (.ping(let left), .ping(let right)): isSame(left, right)
    case (.pong(let left), .pong(let right)):
        isSame(left.payload, right.payload) && left.serverDate == right.serverDate
    default: left == right
    }
}

/// The refusal reaches the remote as it was meant, under the limit, and safe to print.
func check(_ error: WireError, id: MessageID?) {
    let line = HostMessage.error(error).line(re: id)
    mustBeOneLine(line)
    must(line.count <= Limits.frameBytes, "a refusal fits a frame")
    mustBeSafe(error.message, "a refusal")
    let back = mustNotThrow("a refusal can be read") { () throws(WireError) in try HostFrame(line: line.dropLast()) }
    must(back == HostFrame(re: id, message: .error(error)), "a refusal reads back as it was written")
}

func check(_ message: RemoteMessage, id: MessageID?) {
    if case .hello(let hello) = message {
        mustBeSafe(hello.remoteName, "a remote's name")
        must(hello.remoteName.count <= Limits.nameCharacters, "a remote's name is cut")
        must((1...Limits.identifierBytes).contains(hello.remoteID.utf8.count), "a remote's id is 1 to 128 bytes")
    }
    let line = message.line(id: id)
    mustBeOneLine(line)
    let back = RemoteFrame(line: line.dropLast())
    must(back.id == id, "the id reads back as it was written")
    switch back.content {
    case .success(let again): must(isSame(again, message), "a message reads back as it was written")
    case .failure(let error): must(false, "what is written can be read: \(error)")
    }
}

fuzz { input in
    let frame = RemoteFrame(line: input)
    switch frame.content {
    case .success(let message): check(message, id: frame.id)
    case .failure(let error): check(error, id: frame.id)
    }
}
