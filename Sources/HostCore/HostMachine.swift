/// Placeholder until the next commit.
enum HostMachine {}
