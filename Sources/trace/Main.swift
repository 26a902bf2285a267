import TraceCommands

@main
enum Main {
    static func main() {
        TraceCommand.main()
    }
}
