internal import HostRuntime

HostProgram.run()
