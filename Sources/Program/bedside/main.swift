import CSystem
import Glibc

// A heap for each thread would keep half a megabyte that the others cannot use, and few threads allocate at the same time.
_ = csystem_use_one_heap()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
