internal import RemoteRuntime

RemoteProgram.run()
