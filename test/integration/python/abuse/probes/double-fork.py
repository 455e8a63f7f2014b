# ends on wasm: error
# A daemon with a session of its own, which would go on after the call. (The test looks for what it writes.)
import os, time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.3)
        open("outlived", "w").close()
    os._exit(0)
os.wait()
print("held")
