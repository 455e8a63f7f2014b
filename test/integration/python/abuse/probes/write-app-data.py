# A new settings file for Causeway.
import os

try:
    open(os.path.join(HOST["data"], "settings.json"), "w").close()
    print("LEAK")
except OSError:
    print("held")
