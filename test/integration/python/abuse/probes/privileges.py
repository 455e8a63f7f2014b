# ends on wasm: error
# What the kernel says of us: no capabilities, no new privileges, a filter.
status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
print(status["NoNewPrivs"], status["Seccomp"], status["CapEff"], status["CapBnd"])
held = status["NoNewPrivs"] == "1" and status["Seccomp"] == "2" and int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0
print("held" if held else "LEAK")
