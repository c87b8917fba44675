// Draws a page on a terminal and tells what is done there: what the tests of `Terminal` run, in tmux and elsewhere.
//
//   terminal-demo PAGE LOG     PAGE: a line for each piece of text, `row TAB column TAB role TAB text`
//                              LOG: gets a line for each input, and one for each signal
//
// Keys: q ends it, b rings, n counts on in one place of the page, c shows the cursor, and some make it die of a fault:
// S (segmentation), A (abort), F (fatalError), O (endless recursion), T (an error thrown to the top).
internal import Glibc
internal import LinuxSystem
internal import Terminal
internal import TextScreen
internal import Transport

guard CommandLine.arguments.count == 3 else { exit(64) }
do throws(TerminalError) {
    try Demo(page: CommandLine.arguments[1], log: CommandLine.arguments[2]).run()
} catch {
    write(2, error.sentence + "\n", error.sentence.utf8.count + 1)
    exit(69)
}
