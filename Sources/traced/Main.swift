import TraceDaemon

@main
enum Main {
    static func main() async {
        await DaemonCommand.start()
    }
}
