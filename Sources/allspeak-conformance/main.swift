internal import ConformanceRuntime

ConformanceProgram.run()
