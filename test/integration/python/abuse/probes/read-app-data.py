# Causeway's own data, which here lies inside the workspace. (Where a host is allowed, the socket that leads there is shown.)
import os

found = [os.path.join(folder, name) for folder, _, names in os.walk(HOST["data"]) for name in names]
print("LEAK" if any(os.path.basename(path) != "way-out" for path in found) else "held", found)
